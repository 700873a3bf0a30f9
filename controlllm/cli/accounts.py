"""The command line's ``accounts``: who may sign in to a shared server by a password."""

from __future__ import annotations

import argparse
import getpass
import sys
from typing import Any

from controlllm.accounts.password_file import NAME, PasswordFile
from controlllm.cli.options import HOME, command, flag, group, option


def add_accounts_command(commands: Any) -> None:
    """Register ``accounts`` with the sub-commands of a parser."""
    actions = group(commands, "accounts", "say who may sign in by a password")
    name = option("name", metavar="NAME")
    words = "add an account, or give one another password and role"
    command(actions, "add", _add, words, name, flag("--operator", "it runs the server"), HOME)
    command(actions, "list", _list, "list names and roles", HOME)
    words = "remove an account; what it has leads to nobody any more"
    command(actions, "remove", _remove, words, name, HOME)


def _file(options: argparse.Namespace) -> PasswordFile:
    return PasswordFile(options.home.expanduser().resolve() / NAME)


def _add(options: argparse.Namespace) -> int:
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


def _list(options: argparse.Namespace) -> int:
    for account in _file(options).accounts():
        print(f"{account.role:<9} {account.name}")
    return 0


def _remove(options: argparse.Namespace) -> int:
    try:
        _file(options).remove(options.name)
    except KeyError:
        raise ValueError(f"There is no account called {options.name}.") from None
    print(f"{options.name} may not sign in any more, and is signed in nowhere.")
    return 0
