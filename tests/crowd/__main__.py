"""``python -m tests.crowd crowd|rough|attacks|sizing`` prints what they do to a real server."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.crowd import crowd
from tests.crowd.light import light_visitor
from tests.crowd.served import served


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crowd", description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("crowd", help="many visitors with short requests")
    command.add_argument("--visitors", type=int, default=50)
    command.add_argument("--minutes", type=float, default=10.0)
    command.set_defaults(run=_crowd)
    options = parser.parse_args()
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


if __name__ == "__main__":
    sys.exit(main())
