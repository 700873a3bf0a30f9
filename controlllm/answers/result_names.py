"""Names for the results of a plan: after what they are, not after the tool that made them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from controlllm.answers.result_words import SOURCE, shortened, words_for, words_of_tool
from controlllm.core.plans import Action, Literal, Plan, Step, generated, values_of
from controlllm.planning.arguments import picks_one
from controlllm.planning.clauses import ORDER_WORDS, QUESTION_WORDS
from controlllm.resources import PARENTS, Resource
from controlllm.resources.media_types import SUFFIXES
from controlllm.resources.naming import safe_name
from controlllm.resources.types import SEVERAL_TYPES
from controlllm.toolbox import Toolbox

_SUFFIX_OF_TYPE = {
    "audio": ".wav",
    "video": ".mp4",
    "document": ".pdf",
    "table": ".csv",
    "html": ".html",
    "files": ".zip",
    "archive": ".zip",
    "text": ".txt",
    "title": ".txt",
    "tags": ".txt",
    "number": ".txt",
    "bbox": ".json",
    "point": ".json",
    "category": ".json",
}
#: What is called after the tool that made it, where the person's words make no name.
_NAMED_AFTER_TOOL = frozenset({"image", "audio", "video"})
#: What is called like what it was made of then.
_NAMED_AFTER_SOURCE = frozenset({"document", "table"})
#: How far back from a result it is looked for what it was made of.
_FARTHEST = 12
_LONGEST_THING = 4  # words
_MOST_OF_TEXT = 30  # characters
_MOST_OF_SOURCE = 50  # characters
#: Where a description goes on to tell how something is done.
_HOW = re.compile(r"[:;.(]|\s(?:as|by|alone|along|with an?|from words)\s", re.IGNORECASE)
#: What questions and other sentences begin with that are no instructions.
_NO_VERBS = QUESTION_WORDS | frozenset(
    "only just both all every each page pages i i'd i'm my we there this these the a an some any in"
    " on at from with to of for based according please so could would will shall may might must"
    " has had".split()
)
_SECRET = re.compile(
    r"\b(?:pass ?(?:words?|codes?|phrases?)|pin|codes? \S*\d|(?:en|de)crypt\w*|unlock\w*|lock)\b",
    re.IGNORECASE,
)
#: Where a password begins in words that something is made of.
_PASSWORD = re.compile(
    r"\b(?:(?:and |with |the )*(?:pass ?(?:wor[dt]|code|phrase|key)|kennwort|pwd?|pin)\b|"
    r"(?:and |with |the )*key\b(?= is\b|\W+\S*[\d!?$%&#_])|WIFI:)",
    re.IGNORECASE,
)
_ANY_FILE = re.compile(r"[\"'“]?(?<![\w.])[\w\-]+\.[A-Za-z][A-Za-z0-9]{1,4}\b[\"'”]?")


def may_tell_secret(words: str) -> bool:
    """Whether words may hold a password, which stands in no name of a file."""
    return bool(_SECRET.search(words))


@dataclass(frozen=True)
class Around:
    """What there is around a step.

    Parameters
    ----------
    plan: the plan that it is of, as far as there is one.
    resources: the session's, by their values.
    made: the results of the steps so far, by their keys.
    """

    plan: Plan | None
    resources: Mapping[str, Resource]
    made: Mapping[str, Resource]


def result_name(
    step: Step, around: Around, toolbox: Toolbox, taken: Collection[str], media_type: str = ""
) -> str:
    """A name for what a step makes, which is not `taken`; `media_type` is what sort of file it is,
    empty where the usual one of its type."""
    made_type = step.action.output.type
    # Types of other sources are texts of JSON; all that are left are kinds of pictures.
    usual = _SUFFIX_OF_TYPE.get(made_type, ".png" if made_type in PARENTS else ".txt")
    suffix = SUFFIXES.get(media_type, usual)
    origin = _Origin(around, step)
    wishes = _asked(step, around.plan, around.resources)
    source, verbs = origin.source(), _verbs(step, toolbox)
    is_edit = bool(source) and made_type in _NAMED_AFTER_TOOL
    if not is_edit and made_type not in _NAMED_AFTER_SOURCE:
        wishes += _tools_own(step, toolbox)
    if made_type in SEVERAL_TYPES:
        words = _of_several(origin)
    elif step.action.tool in toolbox and picks_one(toolbox[step.action.tool]):
        # Which of the files it is nobody knows before.
        words = origin.thing(anything=True)
    else:
        tool = step.action.tool if is_edit else ""
        thing = origin.thing(anything=not source)
        if not source and step.action.tool.startswith("make_") and made_type in PARENTS:
            what = words_of_tool(step.action.tool)
            thing = thing if what in thing.lower() else shortened(f"{what} {thing}")
        words = words_for(made_type, wishes, verbs, thing, source, tool)
    return _free_name(words or "result", suffix, taken)


def member_names(
    step: Step, around: Around, members: Sequence[str], taken: Collection[str]
) -> list[str]:
    """Names for several files that a step made, which are not `taken`: each after what they were
    made of and what it is called among them, "page 1.pdf" of "minutes.pdf" is "minutes page 1.pdf".

    The arguments are those of `result_name`; `members` are what they are called among them.
    """
    made = around.made
    steps = around.plan.steps() if around.plan is not None else ()
    makers = {made[other.key].value: other for other in steps if other.key in made}
    origin = _Origin(around, step)
    # What was done on each of several files is called after the file that those are of.
    while origin.files and _is_several(before := makers.get(origin.files[0]), made):
        origin = _Origin(around, before)
    # Who says the names wants just these.
    is_named = "names" in step.action.inputs
    source = "" if is_named else shortened(origin.source(), _MOST_OF_SOURCE)
    found: list[str] = []
    for member in members:
        stem, dot, ending = member.rpartition(".")
        words = " ".join(filter(None, (source, stem)))
        found.append(_free_name(words, dot + ending, {*taken, *found}))
    return found


def _is_several(step: Step | None, made: Mapping[str, Resource]) -> TypeGuard[Step]:
    return step is not None and made[step.key].type in SEVERAL_TYPES


def _of_several(origin: _Origin) -> str:
    """What a ZIP is called: after the file it was made of, or the first of several."""
    source = shortened(origin.source(), _MOST_OF_SOURCE)
    more = len(set(origin.files)) - 1
    return f"{source} and {more} more" if more > 0 else source


def _free_name(words: str, suffix: str, taken: Collection[str]) -> str:
    stem = safe_name(words + suffix, (suffix,)).removesuffix(suffix)
    name, number = stem + suffix, 2
    while name in taken:
        name, number = f"{stem} {number}{suffix}", number + 1
    return name


def _asked(step: Step, plan: Plan | None, resources: Mapping[str, Resource]) -> list[str]:
    """The person's words for what the step makes, where it ends what they asked for."""
    ended = plan.subtasks if plan is not None and step.key in plan.last_keys().values() else ()
    told = [subtask.description for subtask in ended if subtask.id == step.subtask]
    told = [words for words in told if not may_tell_secret(words)]
    for name in sorted(resources, key=len, reverse=True):
        told = [re.sub(re.escape(name), SOURCE, words, flags=re.IGNORECASE) for words in told]
    return [_ANY_FILE.sub(SOURCE, words) for words in told]


def _tools_own(step: Step, toolbox: Toolbox) -> list[str]:
    """What the tool says of itself, without how it does it."""
    if step.action.tool not in toolbox:
        return []
    return [_HOW.split(toolbox[step.action.tool].description, maxsplit=1)[0]]


def _verbs(step: Step, toolbox: Toolbox) -> frozenset[str]:
    """What an instruction for this tool may begin with."""
    if step.action.tool not in toolbox:
        return ORDER_WORDS
    tool = toolbox[step.action.tool]
    first = {text.split()[0].lower() for text in (tool.description, *tool.examples) if text.split()}
    return ORDER_WORDS | first - _NO_VERBS


class _Origin:
    """What the result of a step was made of: `files` by their names, the nearest first, and the
    `actions` of its subtask on the way, itself first."""

    def __init__(self, around: Around, step: Step) -> None:
        plan, resources, made = around.plan, around.resources, around.made
        self._resources = resources
        own: dict[str, Action] = {}
        results: dict[str, str] = {}
        for other in plan.steps() if plan is not None else ():
            own[other.action.output.value] = other.action
            if other.subtask != step.subtask and other.key in made:
                results[other.action.output.value] = made[other.key].value
                results[generated(other.subtask)] = made[other.key].value  # the last of them stays
        self.files: list[str] = []
        self.actions: list[Action] = []
        wave = [step.action]
        while wave and len(self.actions) < _FARTHEST:
            action = wave.pop(0)
            if action in self.actions:
                continue
            self.actions.append(action)
            for value in action.references():
                if value in resources or value in results:
                    self.files.append(results.get(value, value))
                elif value in own:
                    wave.append(own[value])

    def source(self) -> str:
        """The nearest file without its suffix; a picture stands for the clicks on it."""
        for value in self.files:
            resource = self._resources.get(value)
            if resource is not None and resource.type == "point":
                value = str(resource.details.get("image", value))
            return value.rpartition(".")[0] or value
        return ""

    def thing(self, anything: bool) -> str:
        """What was named on the way, in a few words: the text that a finder or chooser was given,
        or `anything` that was."""
        for action in self.actions:
            if action.output.type not in ("bbox", "mask") and not anything:
                continue
            for given in action.inputs.values():
                for value in values_of(given):
                    if isinstance(value, Literal) and (
                        anything or len(value.text.split()) <= _LONGEST_THING
                    ):
                        open_words = _PASSWORD.split(value.text, maxsplit=1)[0]
                        return shortened(open_words, _MOST_OF_TEXT)
        return ""
