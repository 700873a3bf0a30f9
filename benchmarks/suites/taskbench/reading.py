"""TaskBench's files in their published form, and samples of ours as lines of JSON.

A domain is a folder with ``data.json`` (a JSON object a line, or one list), ``tool_desc.json`` and,
where it is there, ``user_requests.json``. A file of lines of JSON has the same fields and needs a
catalogue of tools beside it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from controlllm.core.plans import Request
from controlllm.resources import Resource, plain_name
from controlllm.toolbox import Toolbox, read_catalogue

Dependency = Literal["resource", "temporal"]

#: The fields of a request in words, the one first that their own runs ask.
WORDINGS = ("user_request", "instruction")

_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "image": ("jpg", "jpeg", "png", "gif", "bmp", "tiff", "svg"),
    "audio": ("mp3", "wav", "wma", "ogg", "aac", "flac", "aiff"),
    "video": ("mp4", "avi", "mov", "flv", "wmv", "mkv", "webm", "m4v", "mpg", "mpeg"),
    "text": ("txt",),
}
_KINDS = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings}
_FILE = re.compile(rf"[\w\-]+\.(?:{'|'.join(_KINDS)})\b", re.IGNORECASE)
_DOMAINS = {
    "image": "image-processing",
    "video": "video-processing",
    "audio": "audio-editing",
    "text": "natural-language-processing",
}


@dataclass(frozen=True)
class Node:
    """A call as TaskBench writes it: the tool's id, and its arguments, each a value alone
    (resource) or an object with name and value (temporal), as they stand in the file."""

    task: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Sample:
    """A request with the plan that is expected. `links` are None where the file lists none."""

    id: str
    kind: str
    requests: Mapping[str, str]
    steps: tuple[str, ...]
    nodes: tuple[Node, ...]
    links: tuple[tuple[str, str], ...] | None

    def asked(self, wording: str) -> Request:
        """The request with the files that its words name, and those that the expected plan reads:
        a person would hand over what they only call "this recording".

        Raises ValueError where the sample does not have the wording.
        """
        if wording and wording not in self.requests:
            raise ValueError(f"The sample {self.id} has no {wording!r}.")
        text = self.requests[wording] if wording else next(iter(self.requests.values()))
        read = " ".join(str(value) for node in self.nodes for value in node.arguments)
        names = dict.fromkeys(_FILE.findall(f"{text} {read}"))
        files = tuple(Resource(str(kind_of(name)), name) for name in names)
        return Request(text, files, tuple(file.value for file in files))


@dataclass(frozen=True)
class Domain:
    """The samples of one domain with its tools.

    `ids` are TaskBench's names of the tools by ours; `makes` the first output type by their names,
    ``"none"`` where a tool has none.
    """

    name: str
    dependency: Dependency
    toolbox: Toolbox
    ids: Mapping[str, str]
    makes: Mapping[str, str]
    samples: tuple[Sample, ...]


def kind_of(name: str) -> str | None:
    """The medium of a file by its name's ending, None where it is no name of a file."""
    return _KINDS.get(name.lower().rpartition(".")[2]) if "." in name else None


def read_domain(data: Path, catalogue: Path | None = None) -> Domain:
    """Read a domain from its folder, or from lines of JSON with a `catalogue` of tools.

    Raises ValueError with the file and what is wrong with it.
    """
    if data.is_dir():
        data = data / "data.json"
    folder = data.parent
    entries = _entries(data)
    words = {}
    if (folder / "user_requests.json").is_file():
        words = {
            str(entry["id"]): str(entry["user_request"])
            for entry in _entries(folder / "user_requests.json")
        }
    try:
        samples = tuple(_sample(entry, words) for entry in entries)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"{data} is no file of TaskBench's samples: {error!r}.") from error
    if catalogue is not None:
        toolbox = read_catalogue(catalogue)
        named = {node.task for sample in samples for node in sample.nodes}
        ids = {tool.name: tool.name for tool in toolbox} | {own_name(task): task for task in named}
        makes = {task: toolbox[name].returns.type for name, task in ids.items() if name in toolbox}
        return Domain(data.stem, _dependency(samples), toolbox, ids, makes, samples)
    described = folder / "tool_desc.json"
    if not described.is_file():
        raise ValueError(
            f"There is no tool_desc.json beside {data.name}. Name the folder of a domain, or a "
            "catalogue of tools with --toolbox."
        )
    try:
        tools = json.loads(described.read_text("utf-8"))["nodes"]
        toolbox = Toolbox.from_catalogue([_tool(entry) for entry in tools])
        ids = {own_name(entry["id"]): str(entry["id"]) for entry in tools}
        makes = {
            str(entry["id"]): str(next(iter(entry.get("output-type") or ("none",))))
            for entry in tools
        }
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{described} describes no tools: {error!r}.") from error
    dependency: Dependency = "resource" if "input-type" in tools[0] else "temporal"
    return Domain(folder.name, dependency, toolbox, ids, makes, samples)


def own_name(task: str) -> str:
    """TaskBench's id of a tool as a name of ours."""
    return re.sub(r"[^a-z0-9]+", "_", task.lower()).strip("_")


def _entries(path: Path) -> list[Any]:
    """The objects of a file of JSON: a list, or one a line."""
    try:
        text = path.read_text("utf-8")
        if text.lstrip().startswith("["):
            return list(json.loads(text))
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} could not be read as JSON: {error}.") from error


def _sample(entry: Mapping[str, Any], words: Mapping[str, str]) -> Sample:
    """A sample, also with the names of fields that the copy on the model hub has."""
    id = str(entry["id"])
    nodes = _plain(entry.get("task_nodes", entry.get("tool_nodes")))
    links = _plain(entry.get("task_links", entry.get("tool_links")))
    requests = {name: str(entry[name]) for name in WORDINGS if isinstance(entry.get(name), str)}
    if id in words:
        requests = {"user_request": words[id], **requests}
    if not requests:
        raise ValueError(f"the sample {id} has no request in words")
    kind = str(entry.get("type") or entry.get("kind"))
    return Sample(
        id,
        "single" if kind == "node" else kind,
        requests,
        tuple(map(_step, _plain(entry.get("task_steps", entry.get("tool_steps"))) or ())),
        tuple(
            Node(str(node["task"]), tuple(_plain(node.get("arguments")) or ())) for node in nodes
        ),
        None if links is None else tuple((str(i["source"]), str(i["target"])) for i in links),
    )


def _plain(value: Any) -> Any:
    """A value that the copy on the model hub writes as a text of JSON."""
    return json.loads(value) if isinstance(value, str) else value


def _step(told: Any) -> str:
    return str(next(iter(told.values()))) if isinstance(told, Mapping) else str(told)


def _dependency(samples: Sequence[Sample]) -> Dependency:
    arguments = [item for sample in samples for node in sample.nodes for item in node.arguments]
    named = sum(isinstance(item, Mapping) and "name" in item for item in arguments)
    return "temporal" if arguments and 2 * named > len(arguments) else "resource"


def _tool(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A tool of theirs for a catalogue of ours. Tools without outputs make words, so that they can
    end a way."""
    base = {"name": own_name(entry["id"]), "description": str(entry["desc"])}
    if "parameters" in entry:
        args = [
            {"name": plain_name(item["name"]), "type": "text", "description": item.get("desc", "")}
            for item in entry["parameters"]
        ]
        made = {"name": "result", "type": "text"}
        return {**base, "domain": "public-api", "args": args, "returns": [made]}
    takes, makes = list(entry["input-type"]), list(entry.get("output-type") or ())
    made = {"name": "result", "type": makes[0] if makes else "text"}
    about = next((kind for kind in _DOMAINS if kind in (*makes, *takes) and kind != "text"), "text")
    args = [{"name": name, "type": kind} for name, kind in _numbered(takes)]
    return {**base, "domain": _DOMAINS[about], "args": args, "returns": [made]}


def _numbered(kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    for place, kind in enumerate(kinds):
        before = kinds[:place].count(kind)
        yield (kind if not before else f"{kind}_{before + 1}"), kind
