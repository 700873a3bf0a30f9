"""The command line's ``accounts``: who may sign in to a shared server by a password."""

from __future__ import annotations

import argparse
import getpass
import sys
from typing import Any

from controlllm.accounts.password_file import NAME, PasswordFile
from controlllm.cli.options import add_home


def add_accounts_command(commands: Any) -> None:
    """Register ``accounts`` with the sub-commands of a parser."""
    parser = commands.add_parser("accounts", help="say who may sign in by a password")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    add = actions.add_parser("add", help="add an account, or give one another password and role")
    add.add_argument("name", metavar="NAME")
    add.add_argument("--operator", action="store_true", help="it runs the server")
    add.set_defaults(run=_add)
    listing = actions.add_parser("list", help="list names and roles")
    listing.set_defaults(run=_list)
    remove = actions.add_parser(
        "remove", help="remove an account; what it has leads to nobody any more"
    )
    remove.add_argument("name", metavar="NAME")
    remove.set_defaults(run=_remove)
    for action in (add, listing, remove):
        action.set_defaults(parser=action)
        add_home(action)


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
