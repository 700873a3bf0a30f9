"""Options that several commands have say the same everywhere."""

import argparse
from collections.abc import Iterator

from controlllm.cli.main import _parser
from controlllm.store.home import home_folder


def _commands(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _commands(below)


def test_page_and_all_commands_keep_what_they_have_in_one_folder() -> None:
    homes = {
        command.prog: action.default
        for command in _commands(_parser())
        for action in command._actions
        if "--home" in action.option_strings
    }
    for command in ("serve", "mcp", "ask", "tools list", "accounts add", "tokens add"):
        assert any(name.endswith(f" {command}") for name in homes)
    assert set(homes.values()) == {home_folder()}


def test_folders_of_tools_are_asked_for_in_the_same_words() -> None:
    words = {
        action.help
        for command in _commands(_parser())
        for action in command._actions
        if "--tools" in action.option_strings and not command.prog.endswith(" serve")
    }
    assert len(words) == 1
