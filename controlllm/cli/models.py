"""The command line's ``models``: list, where, pull, remove."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from controlllm.cli.options import TOOL_FOLDERS, command, flag, option
from controlllm.models import ModelFile
from controlllm.models.model_list import (
    DownloadableWeights,
    ShippedModel,
    downloadable_weights,
    shipped_models,
    weights_of_size,
)
from controlllm.models.weights import SIZES, Size, Weights, models_folder, size_in_words
from controlllm.models.weights.downloading import broken_files, fetch
from controlllm.models.weights.packages import missing_packages
from controlllm.models.weights.pulling import ENDS, STOPPED, Progress
from controlllm.models.weights.receiving import DownloadFault, Tell
from controlllm.settings import Settings
from controlllm.toolbox import Toolbox
from controlllm.toolbox.capabilities import ALONE

_NAME = "a tool, or a repository such as owner/name"


def add_models_command(commands: Any) -> None:
    """Register ``models`` with the sub-commands of a parser."""
    parser = commands.add_parser("models", help="list, fetch and remove models")
    actions = parser.add_subparsers(metavar="ACTION")
    parser.set_defaults(run=_list, parser=parser, tools=[], json=False, check=False)
    size = option(
        "--size", choices=SIZES, help="which of a tool's weights; the size of the settings"
    )
    names = option("names", nargs="+", metavar="NAME", help=_NAME)
    command(
        actions,
        "list",
        _list,
        "list all models, what ships and what can be fetched",
        flag("--json", "print them as one JSON object"),
        flag("--check", "read fetched weights and compare their checksums too"),
        TOOL_FOLDERS,
    )
    some = option("names", nargs="*", metavar="NAME", help=_NAME)
    words = "print where models lie, or would lie"
    command(actions, "where", _where, words, some, size, TOOL_FOLDERS)
    as_json = flag("--json", "print the progress as JSON, one a line")
    words = "fetch weights; goes on where it was stopped"
    command(actions, "pull", _pull, words, names, as_json, size, TOOL_FOLDERS)
    words = "remove fetched weights from this machine"
    command(actions, "remove", _remove, words, names, TOOL_FOLDERS)


def _list(options: argparse.Namespace) -> int:
    toolbox = Toolbox.load(*options.tools)
    shipped = [_shipped_entry(item) for item in shipped_models(toolbox)]
    offered = [_weights_entry(item, options.check) for item in downloadable_weights(toolbox)]
    if options.json:
        found = {"folder": str(models_folder()), "shipped": shipped, "weights": offered}
        print(json.dumps(found, indent=1))
    else:
        print("\n".join(_listing(shipped, offered)))
    states = [file["state"] for entry in shipped for file in entry["files"]]
    states += [entry["state"] for entry in offered]
    return 1 if {"missing", "changed"} & set(states) else 0


def _shipped_entry(item: ShippedModel) -> dict[str, Any]:
    return {
        **asdict(item.model),
        "tools": list(item.tools),
        "size": sum(_size_of(file) for file in item.files),
        "files": [
            {
                "name": file.name,
                "package": file.package,
                "path": str(file.place() or ""),
                "size": _size_of(file),
                "sha256": file.sha256,
                "state": file.state(),
            }
            for file in item.files
        ],
    }


def _size_of(file: ModelFile) -> int:
    place = file.place()
    return place.stat().st_size if place is not None and place.is_file() else 0


def _weights_entry(item: DownloadableWeights, thoroughly: bool) -> dict[str, Any]:
    weights = item.weights
    manifest = weights.manifest()
    state = "not here"
    broken: tuple[str, ...] = ()
    if weights.is_here:
        broken = broken_files(weights, thoroughly=thoroughly)
        state = "changed" if broken else ("ok" if thoroughly else "here")
    files = manifest.get("files", {})
    return {
        "repository": weights.repository,
        "revision": weights.revision,
        "licence": manifest.get("licence") or weights.licence,
        "size": sum(file["size"] for file in files.values()) or weights.size,
        "state": state,
        "broken": list(broken),
        "commit": manifest.get("commit", ""),
        "folder": str(weights.folder),
        "files": dict(files),
        "uses": [asdict(use) for use in item.uses],
    }


def _listing(shipped: Sequence[Any], offered: Sequence[Any]) -> Iterator[str]:
    yield "Models that ship with the program"
    for entry in shipped:
        states = [file["state"] for file in entry["files"]]
        state = next((state for state in ("missing", "changed") if state in states), "ok")
        yield (
            f"  {entry['name']}: {entry['used_for']} ({size_in_words(entry['size'])}, "
            f"{entry['licence']}, {_in_words(state)})"
        )
        yield from (f"      {file['path'] or file['package']}" for file in entry["files"])
        if entry["tools"]:
            yield f"      used by {', '.join(entry['tools'])}"
    yield ""
    yield f"Weights to fetch with `models pull`, into {models_folder()}"
    for entry in offered:
        yield (
            f"  {entry['repository']} ({size_in_words(entry['size'])}, {entry['licence']}, "
            f"{_in_words(entry['state'])})"
        )
        uses = dict.fromkeys(f"{use['tool']} ({use['size']})" for use in entry["uses"])
        yield f"      for {', '.join(uses)}"
        if entry["broken"]:
            yield f"      not as they were fetched: {', '.join(entry['broken'])}"
    if not offered:
        yield "  none"


def _in_words(state: str) -> str:
    return "checked" if state == "ok" else state


def _named(toolbox: Toolbox, name: str, size: Size, *, to_use: bool = False) -> tuple[Weights, ...]:
    """The weights that a tool's name or a repository's means.

    Raises ValueError for another name, and where they are `to_use` here and could not be.
    """
    known = [item.weights for item in downloadable_weights(toolbox)]
    found = tuple(weights for weights in known if weights.repository.lower() == name.lower())
    if found:
        return found
    if name not in toolbox:
        what = "repository that a tool uses" if "/" in name else "tool or repository"
        raise ValueError(f"There is no {what} called {name}; `models list` shows what there is.")
    implementation = toolbox.with_weights(name)
    if implementation is None:
        raise ValueError(f"The tool {name} uses no weights that are fetched.")
    if to_use and implementation.needs_gpu and not ALONE.accelerator:
        raise ValueError(
            f"The tool {name} needs a GPU for its weights, and none was found here. To fetch them "
            "all the same, name the repository."
        )
    return weights_of_size(implementation, size)


def _size(options: argparse.Namespace) -> Size:
    chosen: Size | None = options.size
    return chosen or Settings.from_environment().weights_size


def _where(options: argparse.Namespace) -> int:
    if not options.names:
        print(models_folder())
        return 0
    toolbox = Toolbox.load(*options.tools)
    shipped = {item.model.name.lower(): item for item in shipped_models()}
    for name in options.names:
        if name.lower() in shipped:
            for file in shipped[name.lower()].files:
                print(file.place() or f"{file.name} of the package {file.package}: not installed")
            continue
        for weights in _named(toolbox, name, _size(options)):
            print(weights.folder if weights.is_here else f"{weights.folder} (not here)")
    return 0


def _remove(options: argparse.Namespace) -> int:
    toolbox = Toolbox.load(*options.tools)
    users = {item.weights: item.tools for item in downloadable_weights(toolbox)}
    for name in options.names:
        tool = toolbox[name].name if name in toolbox else None
        meant = [weights for weights, tools in users.items() if tool in tools] or _named(
            toolbox, name, "usual"
        )
        present = [weights for weights in meant if weights.folder.is_dir()]
        if not present:
            raise ValueError(f"No weights of {name} are here.")
        for weights in present:
            freed = sum(path.stat().st_size for path in weights.folder.rglob("*") if path.is_file())
            weights.remove()
            print(
                f"Removed {weights.repository}, {size_in_words(freed)}; "
                f"it was for {', '.join(users[weights])}."
            )
    return 0


def _pull(options: argparse.Namespace) -> int:
    # The program keeps its libraries off the network; this pull was asked for. They read it when
    # they are first imported.
    for switch in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        os.environ.pop(switch, None)
    show = _print_json if options.json else _Display()
    with _stopped_by_signals():
        try:
            names = _pull_all(options, show)
        except (DownloadFault, ValueError) as fault:
            show(Progress("failed", str(fault)))
            return 1
        except KeyboardInterrupt:
            show(Progress("stopped", STOPPED))
            return 130
    show(Progress("finished", f"Here now: {', '.join(names)}.", 1.0))
    return 0


def _pull_all(options: argparse.Namespace, show: Tell) -> tuple[str, ...]:
    """Fetch what every name means, and tell what is here now.

    One that fails does not keep the others. Raises DownloadFault, with what became of each, or
    what the only one failed with.
    """
    toolbox = Toolbox.load(*options.tools)
    wanted: dict[str, tuple[Weights, ...]] = {}
    faults: dict[str, Exception] = {}
    for name in options.names:
        try:
            wanted[name] = _named(toolbox, name, _size(options), to_use=True)
        except ValueError as fault:
            faults[name] = fault
    every = tuple(dict.fromkeys(weights for found in wanted.values() for weights in found))
    missing = missing_packages(_packages_for(toolbox, every))
    if missing:
        raise ValueError(
            f"They need the Python package {', '.join(missing)}, which is not installed here: "
            "pip install -r requirements.txt"
        )
    total = sum(weights.size for weights in every) or 1
    before = 0
    here: dict[Weights, None] = {}
    for name, found in wanted.items():
        try:
            for weights in found:
                if weights in here:
                    continue
                share = weights.size / total
                fetch(weights, partial(_tell_of_all, show, before / total, share))
                here[weights] = None
                before += weights.size
        except DownloadFault as fault:
            faults[name] = fault
    names = tuple(weights.repository for weights in here)
    if not faults:
        return names
    if len(options.names) == 1:
        raise next(iter(faults.values()))
    failed = " ".join(f"{name}: {fault}" for name, fault in faults.items())
    raise DownloadFault(f"{failed} Here now: {', '.join(names) or 'none of them'}.")


def _tell_of_all(show: Tell, before: float, share: float, told: Progress) -> None:
    """Pass on what is told of one repository as a part of all that is fetched."""
    if told.step != "finished":
        show(replace(told, fraction=min(before + share * told.fraction, 1.0)))


def _packages_for(toolbox: Toolbox, wanted: Sequence[Weights]) -> tuple[str, ...]:
    """The import names that the implementations need whose weights are fetched."""
    found: dict[str, None] = {}
    for implementations in toolbox.implementations.values():
        for item in implementations:
            offered = {weights for choice in item.weights.values() for weights in choice.values()}
            if offered & set(wanted):
                found.update(dict.fromkeys(item.packages))
    return tuple(found)


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Let a request to end be a KeyboardInterrupt, however the process was started."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    known = {
        number: signal.signal(number, signal.default_int_handler)
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in known.items():
            signal.signal(number, handler)


def _print_json(told: Progress) -> None:
    print(json.dumps(told.to_json()), flush=True)


class _Display:
    """Shows progress to a person: in one line of a terminal, or a line now and then elsewhere."""

    def __init__(self) -> None:
        self._step = ""
        self._shown = 0.0

    def __call__(self, told: Progress) -> None:
        last = told.step in ENDS
        out = sys.stderr if told.step in ("failed", "stopped") else sys.stdout
        share = f"{told.fraction:4.0%}  " if told.total else ""
        if sys.stdout.isatty():
            print(f"\r\033[K{share}{told.words}", end="\n" if last else "", file=out, flush=True)
        elif last or told.step != self._step or told.fraction - self._shown >= 0.1:
            print(f"{share}{told.words}", file=out, flush=True)
            self._shown = told.fraction
        self._step = told.step
