"""The command line's ``tokens``: who may use the interface for programs."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from typing import Any

from controlllm.api.tokens import Tokens
from controlllm.cli.options import HOME, command, flag, group, option
from controlllm.store import Backends, Store


def add_tokens_command(commands: Any) -> None:
    """Register ``tokens`` with the sub-commands of a parser."""
    actions = group(commands, "tokens", "say which programs may use the server's interface")
    name = option("name", metavar="NAME", help="whose it is")
    only = flag("--read-only", "it lists, plans and fetches, and runs nothing")
    command(actions, "add", _add, "make a token; it is shown once", name, only, HOME)
    command(actions, "list", _list, "list the tokens' names", HOME)
    words = "make a token worthless, and delete what it has"
    command(actions, "remove", _remove, words, name, HOME)


def _tokens(options: argparse.Namespace) -> Tokens:
    return Tokens(options.home.expanduser().resolve())


def _add(options: argparse.Namespace) -> int:
    token = _tokens(options).add(options.name, not options.read_only)
    print(token)
    print(
        "This is shown once. Send it as the header 'Authorization: Bearer TOKEN'.", file=sys.stderr
    )
    return 0


def _list(options: argparse.Namespace) -> int:
    for token in _tokens(options).all():
        made = time.strftime("%Y-%m-%d", time.localtime(token.made))
        print(f"{token.name}  made {made}  {'runs' if token.runs else 'only reads'}")
    return 0


def _remove(options: argparse.Namespace) -> int:
    left = _tokens(options).remove(options.name)
    if left:
        store = Store(
            options.home.expanduser().resolve(), tidies=False, backends=Backends.from_environment()
        )
        try:
            for session in left:
                with suppress(KeyError):
                    store.delete(session)
        finally:
            store.close()
    print(f"{options.name} may do nothing any more; {len(left)} conversations were deleted.")
    return 0
