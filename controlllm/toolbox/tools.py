"""Nodes of the tool graph: description, domain, arguments and return (paper Sec. 3.2.1)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

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
    """One argument or the return of a tool. `many` takes a list of resources of the type."""

    name: str
    type: str
    description: str = ""
    many: bool = False
    optional: bool = False


@dataclass(frozen=True)
class Parameter:
    """A plain setting of a tool (a number, a choice), outside the tool graph."""

    name: str
    default: Any
    description: str = ""

    def read(self, text: str) -> Any:
        """The value that a text says, of the default's type; None where it says none."""
        kind = type(self.default)
        try:
            read = text if kind is str else json.loads(text.strip().lower())
        except ValueError:
            return None
        if kind is float and isinstance(read, int) and not isinstance(read, bool):
            read = float(read)
        return read if type(read) is kind else None


@dataclass(frozen=True)
class Tool:
    """A node of the tool graph: description, domain, args and return (paper Sec. 3.2.1).

    `acts_outside` says that it does something that cannot be taken back, such as sending a letter:
    it is called at most once for what was asked, and not again where nobody knows what came of it.
    `places` says what one that makes a picture does with the places of the one it takes: it changes
    them ``inside`` a mask or boxes, ``around`` a mask, or ``everywhere``, each for itself; it
    ``cuts`` out what a box holds; it puts a changed part ``back``; or it ``moves`` a thing to where
    a mask is. Of recordings, whose places are times, it is ``everywhere`` or ``back``. Empty where
    nothing of this can be said.
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

    @property
    def in_words(self) -> str:
        """The name as a person reads it: ``image cropping``."""
        return self.name.replace("_", " ")

    @property
    def required(self) -> tuple[Argument, ...]:
        return tuple(argument for argument in self.args if not argument.optional)
