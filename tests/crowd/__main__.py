"""``python -m tests.crowd crowd|rough|attacks|sizing`` prints what they do to a real server."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.crowd import attacks, crowd, rough, sizing
from tests.crowd.light import light_visitor
from tests.crowd.served import served


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crowd", description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("crowd", help="many visitors with short requests")
    command.add_argument("--visitors", type=int, default=50)
    command.add_argument("--minutes", type=float, default=10.0)
    command.set_defaults(run=_crowd)
    command = commands.add_parser("rough", help="tools that do what no tool should")
    command.add_argument("tool", nargs="*", help="only these")
    command.add_argument("--seconds", type=float, default=30.0, help="for each of them")
    command.set_defaults(run=_rough)
    command = commands.add_parser("attacks", help="many connections, many requests, long texts")
    command.add_argument("--seconds", type=float, default=60.0, help="for each of them")
    command.set_defaults(run=_attacks)
    command = commands.add_parser("sizing", help="what a request costs, what many would need")
    command.add_argument("--times", type=int, default=10, help="for each request")
    command.set_defaults(run=_sizing)
    options = parser.parse_args()
    # Whoever ends this ends the server with it.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="crowd-") as folder:
        return 0 if options.run(options, Path(folder)) else 1


def _crowd(options: argparse.Namespace, folder: Path) -> bool:
    with served(folder) as server:
        print(f"The server was ready after {server.started:.1f} s.\n", flush=True)
        seconds = options.minutes * 60
        with light_visitor(server.address) as light:
            began = time.monotonic()
            found = crowd.crowd(server, options.visitors, seconds)
        found.look_at(light, began, began + seconds)
        for line in crowd.report(found, server, options.visitors):
            print(line, flush=True)
    return found.is_right


def _rough(options: argparse.Namespace, folder: Path) -> bool:
    chosen = [item for item in rough.ALL if not options.tool or item.tool in options.tool]
    met = []
    for number, item in enumerate(chosen):
        home = folder / str(number)
        home.mkdir()
        met.append(rough.meet(home, item, options.seconds))
        print(f"{item.tool}: {' / '.join(met[-1].sentences) or 'stopped'}", flush=True)
        shutil.rmtree(home)
    print()
    for line in rough.report(met):
        print(line)
    return bool(met) and not any(item.faults for item in met)


def _attacks(options: argparse.Namespace, folder: Path) -> bool:
    with served(folder) as server:
        found = attacks.met(server, options.seconds)
        for line in attacks.report(found):
            print(line)
        for line in crowd.told(server.complaints(), "line of warning in the server's log"):
            print(line)
    return not any(one.faults for one in found)


def _sizing(options: argparse.Namespace, folder: Path) -> bool:
    with served(folder) as server:
        found = list(sizing.costs(server, options.times))
        for line in sizing.report(found, server, os.cpu_count() or 1):
            print(line)
        for line in crowd.told(server.complaints(), "line of warning in the server's log"):
            print(line)
    return not any(item.fault for item in found)


if __name__ == "__main__":
    sys.exit(main())
