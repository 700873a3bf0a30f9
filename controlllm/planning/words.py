"""The words of a wish that its tools are to be given: which of them, and for what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from controlllm.core.plans import TypedValue
from controlllm.planning.arguments import mismatch, role_of, roles_of
from controlllm.planning.clauses import bare
from controlllm.planning.matching import Fitting
from controlllm.planning.said_language import wanted_language
from controlllm.planning.said_wish import ALL_BUT, SaidWish
from controlllm.planning.wishes import kind_of_name
from controlllm.toolbox import Argument, Tool

#: Words of one role are handed to a tool that wants another only where that costs less than this.
_SERVES = 0.5
#: Words that name no object: all of them, or one that only points.
_NO_OBJECTS = frozenset(
    "everything anything all it them this that these those one ones everyone everybody".split()
)
_PRONOUN = re.compile(r"\b(?:it|them|him|her|that|this|these|those)\b", re.IGNORECASE)
#: Words before a name that say that somebody has one thing in mind.
_DETERMINERS = "the|this|that|my|our|your|his|her|their"
_MEDIA = frozenset({"image", "audio", "video", "document", "table"})
#: A description of fewer words may be only a part of it.
_TELLS = 2
#: Roles of words for what is asked about, and what a time is called.
_FACT_ROLES = frozenset({"content", "query", "place", "time", "other", "number", "name"})
_TIMES = frozenset({"date", "day", "time"})
#: A name within an order: "the flag of New Zealand".
_NAME = re.compile(r"(?<=[a-z,:]\s)(?!I\b)[A-Z][\w'’-]*(?:\s+(?:of\s+|the\s+)*[A-Z\d][\w'’-]*)*")
#: An order to say something, with the words to be said: "say good morning aloud". Words that point
#: to something else are none.
_SAID = re.compile(
    r"\w+\s+(?:(?P<that>that\s+)|(?:the\s+(?:words?|sentence|phrase|name)\s+)?(?!(?:the|this|these|those|it|its|them|my|your|our|his|her|their|all|what|which|who|"
    r"whose|how|where|when|why|whether|if|that)\b))(?P<words>\S.*)",
    re.IGNORECASE,
)
_ALOUD = re.compile(r"\b(?:aloud|out\s+loud)\b", re.IGNORECASE)
#: An order with what it is about behind a colon, where the order itself is short.
_BEHIND_COLON = re.compile(r"(?s)(?:[\w'’-]+\s+){0,4}[\w'’-]+:\s+(?P<words>\S.*)")
#: A quotation that only says which of the texts at hand is meant: the article "Birds".
_TITLED = re.compile(
    r"\b(?:the|this|that|my|our|your)\s+(?!(?:words?|sentence|phrase|line|following)\b)[\w-]+\s*$",
    re.IGNORECASE,
)
#: What no words for a thing or a picture end with: the reader heard too little or too much.
_LOOSE_END = re.compile(
    r"(?:\s+(?:the|an?|my|our|your|its|their|of|in|on|at|by|with|from|for|to|and|or|but)|"
    r"\s*\([^()]*|['’]s)+$",
    re.IGNORECASE,
)
#: What no words for a thing begin with, before those that name it, or end with besides.
_BEFORE_A_THING = re.compile(
    r"^(?:(?:that|on|onto|in|to|of|for|from|with|is|are|if|so|i['’]?m)\s+)+"
    r"(?=(?:the|this|my|our|your|his|her|their|an?)\s)",
    re.IGNORECASE,
)
_BEHIND_A_THING = re.compile(
    r"(?:,?\s+(?:is|are|was|were|that|which|who|his|she|he|they|across))+$", re.IGNORECASE
)


def words_of(
    said: SaidWish, fits: Fitting, has_inputs: bool, spoken_of: str = "", told: str = ""
) -> tuple[TypedValue, ...]:
    """The words that the likeliest tools of a wish read, each with its role.

    What is handed over within the request is only looked for where the wish has no other inputs or
    the reader heard it. `spoken_of` is the object of a wish before, which a wish that names none by
    more than "it" is about; `told` is what the wish itself hands over, see `told_words`.
    """
    spoken, text = said.spoken, said.text
    if told:
        found = {"content": told, **_language(said)}
        return tuple(TypedValue("text", words, role) for role, words in found.items())
    (first, *_) = fits.likeliest
    if has_inputs and _is_told_whole(first):
        # Whatever is named, in quotation marks or not, says what is to be done to what is at hand.
        return (TypedValue("text", bare(said.unbroken()), "prompt"),)
    heard = {
        role: words
        for role, span in said.wish.words.items()
        if not _is_order(words := said.heard(*span), role, spoken)
        and (role != "prompt" or not said.is_of_another(span))
    }
    for role in heard.keys() & {"object", "prompt"}:
        heard[role] = _LOOSE_END.sub("", heard[role]) or heard[role]
    if "object" in heard:
        heard["object"] = _before(_thing_alone(heard["object"]), heard.get("prompt", ""))
        heard["object"] = determined(ALL_BUT.split(heard["object"])[-1], spoken)
    wanted = roles_of(item for tool in fits.chain for item in tool.args)
    if fits.finds:
        wanted |= {"object"}
    found = {}
    if "question" in wanted:
        found["question"] = bare(spoken)
    if "prompt" in wanted:
        is_told = has_inputs or not _works_on_text(fits)
        found["prompt"] = _prompt(heard.pop("prompt", ""), bare(spoken), fits, is_told)
    heard.pop("question", None)
    # A fragment gives way to the whole where an order is wanted as such.
    unmet = wanted - {"prompt"} if _takes_order(fits.chain) else wanted
    if has_inputs and _has_its_text(fits.chain):
        heard = _beside_its_text(heard, "object" in wanted)
    for role, words in heard.items():
        serves = role in wanted or any(mismatch(want, role) < _SERVES for want in unmet)
        if words and serves and not (role == "object" and _names_no_object(words)):
            found.setdefault(role, words)
    if "object" in wanted and "object" not in found and spoken_of and _PRONOUN.search(spoken):
        found["object"] = spoken_of
    quoted = said.quoted if has_inputs else ""
    if quoted and not any(quoted in words for words in found.values()):
        in_text = "object" in wanted and _has_its_text(fits.chain)
        found.setdefault("object" if in_text else "content", quoted)
    if "language" in found:
        found["language"] = wanted_language(found["language"], text, spoken)
    if "content" in wanted and not _has_content(found):
        content = said.handed_over() if not has_inputs else ""
        if has_inputs and fits.takes and fits.needs_text and "text" not in fits.on_the_way:
            # What a tool wants to be told beside its file stands in the wish.
            content = bare(spoken)
        elif content == bare(spoken) and not _works_on_text(fits):
            # What wants to know one thing, such as a country, wants its name and not the order.
            content = _named(spoken) or content
        if content:
            found["content"] = content
    if not found and not has_inputs and not _works_on_text(fits) and _named(spoken):
        found["other"] = _named(spoken)
    found = _with_fact(_said_once(found, wanted, first), first)
    return tuple(TypedValue("text", words, role) for role, words in found.items())


def _language(said: SaidWish) -> dict[str, str]:
    """The language that was heard beside words that a wish itself hands over."""
    if "language" not in said.wish.words:
        return {}
    heard = said.heard(*said.wish.words["language"])
    return {"language": wanted_language(heard, said.text, said.spoken)}


def _said_once(found: dict[str, str], wanted: frozenset[str], tool: Tool) -> dict[str, str]:
    """Words without what stands in the question already: where a tool needs none, that is no text
    which the question is about."""
    if "question" not in found or "content" in roles_of(tool.required):
        return found
    facts = _FACT_ROLES | ({"prompt"} - wanted)
    return {r: w for r, w in found.items() if r not in facts or w not in found["question"]}


def told_words(said: SaidWish, fits: Fitting, has_text: bool) -> str:
    """The words that a wish itself hands to a tool which takes nothing but a text, and a language
    where it translates, whatever files are there: those in quotation marks, behind a colon, or
    after an order to say them aloud; empty where it hands over none. `has_text` says that it was
    read as one about a text at hand.
    """
    (first, *_), spoken = fits.likeliest, said.spoken
    needed = [item.name for item in first.required if role_of(item) != "language"]
    if needed != ["text"] or said.names_file():
        return ""
    quoted = said.quoted
    beside = {role_of(item) for item in _texts_of(first) if item.name != "text"} - {"language"}
    if quoted and (kind_of_name(quoted) or (has_text and beside)):
        return ""
    if quoted:
        titled = has_text and _TITLED.search(spoken[: spoken.index(quoted) - 1])
        return "" if titled else quoted
    if has_text:
        return ""
    behind = _BEHIND_COLON.fullmatch(said.with_rest())
    if behind and not _PRONOUN.search(behind["words"]):
        return behind["words"].strip()
    order = bare(spoken).rstrip(" .!")
    aloud = _SAID.fullmatch(_ALOUD.sub("", order).strip()) if _ALOUD.search(order) else None
    if aloud and (aloud["that"] or not said.wish.files):
        return " ".join(aloud["words"].split())
    return ""


def _prompt(heard: str, spoken: str, fits: Fitting, is_told: bool) -> str:
    """The words for a tool that makes or changes something: the description of what is to be, or
    the whole wish where the tool changes a file, or writes a text, as an instruction says; with
    `is_told` no text to work on stands in the wish."""
    for tool in fits.chain:
        if "prompt" in roles_of(tool.args):
            files = [item.type for item in tool.required if item.type != "text"]
            instructs = len(files) == 1 and files[0] in _MEDIA
            instructs = instructs or (is_told and tool.returns.type == "text")
            return heard if len(heard.split()) >= _TELLS and not instructs else spoken
    return heard or spoken


def _named(spoken: str) -> str:
    """The longest name in what was said of a wish, empty where it has none."""
    return max(_NAME.findall(spoken), key=len, default="")


def _works_on_text(fits: Fitting) -> bool:
    """Whether a tool takes a text as such, as it is called where there is nothing else to it."""
    return any(item.name == "text" for tool in fits.chain for item in tool.args)


def _is_told_whole(tool: Tool) -> bool:
    """Whether a tool takes a text, or tables, and is told in words what to do with them."""
    needed = list(tool.required)
    is_told = len(needed) > 1 and needed[-1].name == "prompt"
    return is_told and all(item.type == "table" or item.name == "text" for item in needed[:-1])


def _texts_of(tool: Tool) -> list[Argument]:
    return [item for item in tool.args if item.type == "text"]


def _has_its_text(tools: Sequence[Tool]) -> bool:
    """Whether some tools work on a text and take no other: what is said beside is no second."""
    content = [i for tool in tools for i in _texts_of(tool) if role_of(i) == "content"]
    return bool(content) and all(item.name == "text" for item in content)


def _beside_its_text(heard: Mapping[str, str], is_sought: bool) -> dict[str, str]:
    """What was heard beside a text that is at hand: no other text; with `is_sought` it may be what
    is looked for in it."""
    kept = {r: words for r, words in heard.items() if r not in _FACT_ROLES - {"query", "name"}}
    if is_sought and heard.get("content"):
        kept.setdefault("object", heard["content"])
    return kept


def _takes_order(tools: Sequence[Tool]) -> bool:
    """Whether one of some tools takes an order in free words, rather than words out of one."""
    return any(item.name == "prompt" for tool in tools for item in tool.args)


def _with_fact(found: dict[str, str], tool: Tool) -> dict[str, str]:
    """Words with the one fact that a tool wants to know as its content: what was heard as just
    that, a place or a time, or the longest of what was heard around the likeliest."""
    (item, *others) = tool.args or (None,)
    if item is None or others or item.name == "text" or role_of(item) != "content":
        return found
    facts = {role: words for role, words in found.items() if role in _FACT_ROLES}
    if not facts:
        return found
    nearest = facts.get("content") or next(iter(facts.values()))
    time = facts.get("time", "") if item.name in _TIMES and "content" not in facts else ""
    around = [words for words in facts.values() if nearest in words]
    whole = nearest if " " in nearest else max(around, key=len)
    told = facts.get(item.name) or time or whole
    return found if told == nearest else {**found, "content": told}


def _has_content(found: Mapping[str, str]) -> bool:
    return any(mismatch("content", role) < _SERVES for role in found)


def _is_order(words: str, role: str, spoken: str) -> bool:
    """Whether words are but the first of a wish, which says what to do and nothing to do it with:
    "transpose" of "transpose the song to D minor"."""
    is_first = " " not in words and spoken.lower().startswith(f"{words.lower()} ")
    return is_first and role in ("content", "other", "prompt")


def _before(words: str, others: str) -> str:
    """The words for an object without those for something else that was heard in them: "the dog"
    of "the dog with a cat"."""
    if not others or not words.endswith(others) or words == others:
        return words
    return re.sub(r"\s+\w+\s*$", "", words[: -len(others)].rstrip() + " ").strip() or words


def _thing_alone(words: str) -> str:
    """The words for a thing without what leads up to them and on from them: "the boy" of "on the
    boy, he"."""
    return _BEHIND_A_THING.sub("", _BEFORE_A_THING.sub("", words)) or words


def determined(words: str, spoken: str) -> str:
    """The words for an object as `spoken` has them, with the article that says that one is meant:
    "the dog"."""
    found = re.search(rf"\b({_DETERMINERS})\s+{re.escape(words)}\b", spoken, re.IGNORECASE)
    return found.group() if found else words


def _names_no_object(words: str) -> bool:
    """Whether nothing is named but everything, or a word that only points."""
    return words.lower() in _NO_OBJECTS
