"""The lattice of resource types (paper Sec. 10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


class ResourceType(str):
    """The name of a resource type, such as ``"image"`` or ``"mask"``."""

    __slots__ = ()


@dataclass(frozen=True)
class MembersOf:
    """Beside a resource type of several files in an annotation: the type that each of them has."""

    type: str


#: Each type of the paper's set with the more general type that it is a kind of.
PARENTS: Mapping[str, str | None] = MappingProxyType(
    {
        "text": None,
        "title": "text",
        "tags": "text",
        "category": "text",
        "number": "text",
        "document": "text",
        "table": "text",
        "html": None,
        "image": None,
        "mask": "image",
        "segmentation": "image",
        "edge": "image",
        "line": "image",
        "hed": "image",
        "canny": "image",
        "scribble": "image",
        "pose": "image",
        "depth": "image",
        "normal": "image",
        "audio": None,
        "video": None,
        "point": None,
        "bbox": None,
        "files": None,
        "archive": "files",
    }
)

#: Types whose values are files that a person can hand over; the others are written or clicked.
FILE_TYPES = frozenset(
    name
    for name in PARENTS
    if name in {"audio", "video", "image", "document", "table"} or PARENTS[name] == "image"
)


#: Types of several files that are kept together in one ZIP.
SEVERAL_TYPES = frozenset({"files", "archive"})

#: Files that are changed step by step, where the last is what was wanted.
_GO_ON = frozenset({"image", "audio", "video", "document", "table"})


@dataclass(frozen=True)
class TypeLattice:
    """Which resource type is a kind of which.

    A catalogue that is not ours may bring types of its own; `extended` makes room for them.
    """

    parents: Mapping[str, str | None] = field(default_factory=lambda: PARENTS)

    def __contains__(self, name: str) -> bool:
        return name in self.parents

    def ancestors(self, name: str) -> tuple[str, ...]:
        """The type itself and every more general type, most special first."""
        found = [name]
        parent = self.parents.get(name)
        while parent is not None and parent not in found:
            found.append(parent)
            parent = self.parents.get(parent)
        return tuple(found)

    def is_a(self, given: str, wanted: str) -> bool:
        """Whether a `given` value may stand where a person is asked for a `wanted` one."""
        return wanted in self.ancestors(given)

    def extended(self, names: Iterable[str]) -> TypeLattice:
        """A lattice that also knows `names`; ``"image.mask"`` means a mask, which is an image."""
        parents = dict(self.parents)
        for dotted in names:
            parts = dotted.split(".")
            for parent, name in zip([None, *parts], parts, strict=False):
                parents.setdefault(name, parent)
        return TypeLattice(MappingProxyType(parents))


def plain_name(dotted: str) -> str:
    """The type's own name: ``"image.mask"`` is ``"mask"``."""
    return dotted.rsplit(".", 1)[-1]


def is_on_the_way(made: str, then: str) -> bool:
    """Whether a result of one type that went on into one of another type was only on the way."""
    if made == "files":
        return then in SEVERAL_TYPES or then in _GO_ON
    return made in _GO_ON and then in (made, *SEVERAL_TYPES)


_SUFFIXES_OF_TYPES = {
    "image": "avif bmp dng gif heic heif jpeg jpg png tif tiff webp",
    "audio": "aac aif aiff amr flac m4a mp3 ogg opus wav wma",
    "video": "3gp avi flv m4v mkv mov mp4 mpeg mpg webm wmv",
    "text": "docx epub md rtf srt txt vtt",
    "document": "pdf",
    "table": "csv tsv xlsx",
    "html": "htm html",
}
_TYPES_BY_SUFFIX = {
    suffix: name for name, suffixes in _SUFFIXES_OF_TYPES.items() for suffix in suffixes.split()
}


def guess_type(name: str) -> ResourceType:
    """The type that a file's name suggests, for planning with files that need not exist.

    A real file's type comes from its content, see `controlllm.resources.probing`.
    """
    return ResourceType(_TYPES_BY_SUFFIX.get(name.rsplit(".", 1)[-1].lower(), "image"))


def is_known_suffix(suffix: str) -> bool:
    """Whether a name's ending, without its dot, promises a kind of file (``"jpg"``, ``"mp4"``)."""
    return suffix.lower() in _TYPES_BY_SUFFIX
