"""Why an input does not pass, in sentences: what was wrong with it and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from controlllm.resources import PARENTS
from controlllm.toolbox import Argument, Code, Tool, ToolError

_KINDS = {
    "mask": "a mask of objects",
    "bbox": "boxes around objects",
    "point": "clicked points",
    "category": "categories",
    "tags": "tags",
    "number": "a number",
    "audio": "a sound",
    "video": "a video",
    "document": "a PDF",
    "html": "a web page",
    "files": "several files",
    "archive": "a ZIP",
}


@dataclass(frozen=True)
class Refusals:
    """What is said of an argument of a tool; `name` is what the person calls its value."""

    tool: Tool
    argument: Argument
    name: str

    @property
    def kind(self) -> str:
        """What the argument takes, with its article."""
        if is_picture(self.argument.type):
            return "a picture"
        if self.argument.type == "table":
            return "a table"
        return _KINDS.get(self.argument.type, "a text")

    @property
    def subject(self) -> str:
        """What a sentence about the value begins with."""
        if _is_words(self.argument.type):
            noun = self.argument.name.replace("_", " ")
        else:
            noun = self.kind.removeprefix("a ")
        return " ".join(["The", noun, *([self.name] if self.name else [])])

    @property
    def verb(self) -> str:
        """The form of "to be" that goes with what the argument takes."""
        return "are" if self.argument.type in ("bbox", "point", "category", "tags") else "is"

    def refusal(self, why: str, advice: str) -> ToolError:
        """Why the value does not pass, and what to do."""
        return ToolError(f"{self.subject} for {self.tool.in_words} {why}. {advice}")

    def of_another_kind(self) -> ToolError:
        """The value is of another type."""
        return ToolError(
            f"{self.tool.in_words.capitalize()} needs {self.kind} as its "
            f"{self.argument.name.replace('_', ' ')}, and was given something else. Hand over "
            f"{self.kind}."
        )

    def missing(self) -> ToolError:
        """There is no value where one is needed."""
        return ToolError(
            f"There is no {self.argument.name.replace('_', ' ')} for {self.tool.in_words} to "
            f"work with. Hand over {self.kind}."
        )

    def damaged(self) -> ToolError:
        """The value's file cannot be read."""
        return self.refusal("is damaged and cannot be read", "Add it again.")

    def nothing_marked(self) -> ToolError:
        """The mask, or the boxes, hold nothing."""
        where = f" in {self.name}" if self.name else ""
        return ToolError(
            f"Nothing is marked{where}, so {self.tool.in_words} has nothing to work on. Try "
            "naming the object in other words.",
            Code.NOTHING_MARKED,
        )


def is_picture(type_name: str) -> bool:
    """Whether a type is a picture's; a mask is none."""
    return type_name != "mask" and "image" in (type_name, PARENTS.get(type_name))


def _is_words(type_name: str) -> bool:
    return not is_picture(type_name) and type_name not in _KINDS
