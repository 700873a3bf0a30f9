"""Nodes of the tool graph: description, domain, arguments and return (paper Sec. 3.2.1)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from controlllm.values import Kind
from controlllm.values.measures import measure_of

DOMAINS = (
    "question-answering",
    "visual-question-answering",
    "natural-language-processing",
    "image-perception",
    "image-generation",
    "image-editing",
    "image-processing",
    "video-perception",
    "video-processing",
    "video-editing",
    "video-generation",
    "video-question-answering",
    "audio-perception",
    "audio-generation",
    "audio-editing",
    "public-api",
    "general",
)


#: How the description of a text argument ends whose text has to say a number.
A_NUMBER = "(a number)"


@dataclass(frozen=True)
class Argument:
    """One argument or the return of a tool. `many` takes a list of resources of the type; `members`
    is the type of each where several files are returned that are all of one."""

    name: str
    type: str
    description: str = ""
    many: bool = False
    optional: bool = False
    members: str = ""

    @property
    def each(self) -> str:
        """The type of what is there, or of each of several files: what comes after a step works on
        one and is done with every one."""
        return self.members or self.type


@dataclass(frozen=True)
class Parameter:
    """A plain setting of a tool (a number, a choice), outside the tool graph.

    `kind` is what sort of value it is, where the planner can find it in the words of a request.
    """

    name: str
    default: Any
    description: str = ""
    kind: Kind | None = field(default=None, compare=False, repr=False)

    def read(self, text: str) -> Any:
        """The value that a text says, of the default's type; None where it says none.

        What has a `kind` may be said in its own form (``"16:9"``) or in words ("wide screen"), a
        number with a unit of what its description names ("150 KB" where that says "bytes").
        """
        kind = type(self.default)
        if self.kind is not None:
            found = self._in_its_form(text)
            if found is not None or kind is str:
                return found
        try:
            read = text if kind is str else json.loads(text.strip().lower())
        except ValueError:
            read = measure_of(text, self.description) if kind in (int, float) else None
            if kind is int and read is not None and read.is_integer():
                read = int(read)
        if kind is float and isinstance(read, int) and not isinstance(read, bool):
            read = float(read)
        return read if type(read) is kind else None

    def _in_its_form(self, text: str) -> Any:
        kind = type(self.default)
        if kind is str and not text.strip():
            return ""
        if kind is str or not re.fullmatch(r"[-+\d.eE]+|true|false", text.strip().lower()):
            found = self.kind.read(text) if self.kind is not None else None
            return None if found is None else kind(found)
        return None


@dataclass(frozen=True)
class Tool:
    """A node of the tool graph: description, domain, args and return (paper Sec. 3.2.1).

    `acts_outside` says that it does something that cannot be taken back, such as sending a letter:
    it is called at most once for what was asked, and not again where nobody knows what came of it.
    `places` says what one that makes a picture does with the places of the one it takes: it changes
    them ``inside`` a mask or boxes, ``around`` a mask, or ``everywhere``, each for itself; it
    ``cuts`` out what a box holds; it puts a changed part ``back``; or it ``moves`` a thing to where
    a mask is. Of recordings, whose places are times, it is ``everywhere`` or ``back``. Empty where
    nothing of this can be said. `sets_form` names the settings by which one that changes only the
    form of what it takes is told it (a format, a size): any result may be wanted in one. Where it
    is told in words which passage of a recording to keep, it names these words.
    """

    name: str
    description: str
    domain: str
    args: tuple[Argument, ...]
    returns: Argument
    examples: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    aliases: tuple[str, ...] = ()
    acts_outside: bool = False
    places: str = ""
    sets_form: tuple[str, ...] = ()

    @property
    def in_words(self) -> str:
        """The name as a person reads it: ``image cropping``."""
        return self.name.replace("_", " ")

    @property
    def required(self) -> tuple[Argument, ...]:
        return tuple(argument for argument in self.args if not argument.optional)
