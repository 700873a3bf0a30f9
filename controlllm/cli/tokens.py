"""The command line's ``tokens`` and ``accounts``: which programs and who may use a server."""

from __future__ import annotations

import argparse
import getpass
import sys
import time
from contextlib import suppress
from typing import Any

from controlllm.accounts.password_file import NAME, PasswordFile
from controlllm.api.tokens import Tokens
from controlllm.cli.options import HOME, command, flag, group, option
from controlllm.store import Backends, Store


def add_tokens_command(commands: Any) -> None:
    """Register ``tokens`` with the sub-commands of a parser."""
    actions = group(commands, "tokens", "say which programs may use the server's interface")
    name = option("name", metavar="NAME", help="whose it is")
    only = flag("--read-only", "it lists, plans and fetches, and runs nothing")
    command(actions, "add", _add_token, "make a token; it is shown once", name, only, HOME)
    command(actions, "list", _list_tokens, "list the tokens' names", HOME)
    words = "make a token worthless, and delete what it has"
    command(actions, "remove", _remove_token, words, name, HOME)


def _tokens(options: argparse.Namespace) -> Tokens:
    return Tokens(options.home.expanduser().resolve())


def _add_token(options: argparse.Namespace) -> int:
    token = _tokens(options).add(options.name, not options.read_only)
    print(token)
    print(
        "This is shown once. Send it as the header 'Authorization: Bearer TOKEN'.", file=sys.stderr
    )
    return 0


def _list_tokens(options: argparse.Namespace) -> int:
    for token in _tokens(options).all():
        made = time.strftime("%Y-%m-%d", time.localtime(token.made))
        print(f"{token.name}  made {made}  {'runs' if token.runs else 'only reads'}")
    return 0


def _remove_token(options: argparse.Namespace) -> int:
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


def add_accounts_command(commands: Any) -> None:
    """Register ``accounts`` with the sub-commands of a parser."""
    actions = group(commands, "accounts", "say who may sign in by a password")
    name = option("name", metavar="NAME")
    words = "add an account, or give one another password and role"
    command(
        actions, "add", _add_account, words, name, flag("--operator", "it runs the server"), HOME
    )
    command(actions, "list", _list_accounts, "list names and roles", HOME)
    words = "remove an account; what it has leads to nobody any more"
    command(actions, "remove", _remove_account, words, name, HOME)


def _file(options: argparse.Namespace) -> PasswordFile:
    return PasswordFile(options.home.expanduser().resolve() / NAME)


def _add_account(options: argparse.Namespace) -> int:
    if sys.stdin.isatty():
        password = getpass.getpass("Password: ")
        if getpass.getpass("Once more: ") != password:
            raise ValueError("These were two passwords. Try again.")
    else:
        password = sys.stdin.readline().rstrip("\n")
    file = _file(options)
    is_new = file.account(options.name) is None
    file.add(options.name, password, "operator" if options.operator else "visitor")
    print(f"{options.name} may sign in. Start the server with CONTROLLLM_ACCOUNTS=password.")
    if not is_new:
        print("Wherever it was signed in, it has to sign in again.")
    return 0


def _list_accounts(options: argparse.Namespace) -> int:
    for account in _file(options).accounts():
        print(f"{account.role:<9} {account.name}")
    return 0


def _remove_account(options: argparse.Namespace) -> int:
    try:
        _file(options).remove(options.name)
    except KeyError:
        raise ValueError(f"There is no account called {options.name}.") from None
    print(f"{options.name} may not sign in any more, and is signed in nowhere.")
    return 0
