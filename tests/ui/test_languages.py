"""The files of texts are complete, every text is used, and none is left in the code."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

from babel import Locale

from controlllm.layout import ASSETS
from controlllm.ui import texts
from tests.every_case import every_case

UI = Path(texts.__file__).parent
SCRIPTS = sorted(UI.rglob("*.js"))
OTHERS = [name for name in texts.languages() if name != texts.USUAL]
#: What means the number itself in a language may leave its figure out.
SAY_THE_NUMBER = {"zero", "one", "two"}
#: What is read by programs, by operators or before there is a page.
NOT_OF_THE_PAGE = {
    *("application.py", "connections.py", "ending.py", "operating.py", "owned.py", "splash.py"),
    *("starting.py", "texts.py"),
}
NAMES = {"ControlLLM"}


def own_texts(language: str) -> dict[str, texts.Text]:
    """What stands in a language's own file."""
    read = texts.tomllib.loads((ASSETS / "texts" / f"{language}.toml").read_text("utf-8"))
    return {f"{part}.{name}": text for part, said in read.items() for name, text in said.items()}


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@every_case("language", OTHERS)
def test_every_language_says_all_that_english_says(language: str) -> None:
    assert set(own_texts(language)) == set(own_texts(texts.USUAL))


@every_case("language", texts.languages())
def test_texts_have_the_same_fields_and_the_plural_forms_of_their_language(language: str) -> None:
    needed = {*Locale.parse(language).plural_form.tags, "other"}
    english = own_texts(texts.USUAL)
    for key, text in own_texts(language).items():
        usual = english[key]
        assert isinstance(text, str) == isinstance(usual, str), key
        wanted = fields(usual if isinstance(usual, str) else usual["other"])
        if isinstance(text, str):
            assert fields(text) == wanted, key
            continue
        assert set(text) == needed, key
        for form, words in text.items():
            spoken = {"count"} if form in SAY_THE_NUMBER and language != texts.USUAL else set()
            assert wanted - spoken <= fields(words) <= wanted, (key, form)


def test_every_text_is_used_and_every_one_that_is_said_is_there() -> None:
    known, said, begun = set(own_texts(texts.USUAL)), set(), set()
    sections = {key.partition(".")[0] for key in known}
    key_in_code = re.compile(r"""["'`]([a-z_]+\.[\w-]*)(["'`{$])""")
    for path in [*UI.rglob("*.py"), *SCRIPTS]:
        for key, end in key_in_code.findall(path.read_text("utf-8")):
            if key.partition(".")[0] in sections:
                (begun if end in "{$" else said).add(key)
    # Where a key's beginning is handed on: `settings.prefer` for `settings.prefer_fast`.
    begun |= {f"{key}_" for key in said - known}
    files = {"examples.json"}
    missing = {
        key for key in said - known - files if not any(k.startswith(f"{key}_") for k in known)
    }
    assert missing == set()
    assert {key for key in known - said if not key.startswith(tuple(begun))} == set()


def strings_in(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module that are no documentation, what is filled in as a control mark."""
    tree = ast.parse(path.read_text("utf-8"))
    parts: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= {id(part) for part in node.values}
            pieces = [str(p.value) if isinstance(p, ast.Constant) else "\0" for p in node.values]
            yield node.lineno, "".join(pieces)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            parts.add(id(node.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.lineno, node.value


def words_for_people(text: str) -> list[str]:
    """What of a string a person would read: what stands between tags, in attributes that are shown
    or read aloud, or is a sentence."""
    shown = re.findall(r"""(?:aria-label|title|placeholder|alt)="([^"\0]*)""", text)
    if "<" in text or re.search(r"(?<![-=])>", text):
        between = re.sub(r"^[^<>]*>|<[^<>]*>|<[^<>]*$", "\n", text)
        shown += re.sub(r"&\w+;|\$\{.*?\}", " ", between).split("\n")
    elif re.match(r"[A-Z][a-z]+,? [a-z]+", text):
        shown.append(text)
    return [
        part.strip(" \0") for part in shown
        if re.search(r"[A-Za-z]{2,}", part)
        and part.strip(" \0") not in NAMES
        and not part.startswith(("https://", "${"))
        # Code that runs in the browser, and selectors.
        and "=>" not in text and not part.strip(" \0").startswith(("[data-", ": "))
    ]  # fmt: skip


def test_no_text_is_left_in_what_draws_the_page() -> None:
    left = [
        (path.name, line, words)
        for path in sorted(UI.rglob("*.py"))
        if path.name not in NOT_OF_THE_PAGE
        for line, text in strings_in(path)
        if not text.lstrip().startswith(("<!doctype",))
        for words in words_for_people(text)
    ]
    assert left == []


def test_no_text_is_left_in_the_scripts() -> None:
    left = []
    for path in SCRIPTS:
        code = re.sub(r"^\s*//.*$|\s//\s.*$", "", path.read_text("utf-8"), flags=re.M)
        code = re.sub(r"throw new Error\(`[^`]*`\)", "", code)
        literals = re.findall(r"'([^'\n]*)'|`([^`]*)`", code)
        for text in (one or other for one, other in literals):
            filled = re.sub(r"\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", "\0", text)
            left += [(path.name, words) for words in words_for_people(filled)]
    assert left == []


@every_case(
    ("text", "found"),
    [
        ('<p class="a">\0</p>', []),
        ('<button type="button">Stop it</button>', ["Stop it"]),
        ('<i title="Look here">\0</i>', ["Look here"]),
        ("There is no such thing.", ["There is no such thing."]),
        ("is-running", []),
    ],
)
def test_a_text_that_is_left_is_found(text: str, found: list[str]) -> None:
    assert words_for_people(text) == found
