"""How alike two programs are: AST accuracy and CodeBLEU (Ren et al. 2020), for plans as code.

CodeBLEU is the mean of four shares: BLEU over tokens, the same with keywords weighing five times as
much as other words, the reference's syntax subtrees that are in the candidate, and its flows of
data that are. The usual implementation takes syntax from tree-sitter and is not used here; this one
takes it from Python's own grammar, so figures are near the published ones and not the same.
"""

from __future__ import annotations

import ast
import io
import keyword
import tokenize
from collections import Counter
from dataclasses import dataclass

from benchmarks.suites.scoring import bleu

_LAYOUT = {
    tokenize.ENCODING, tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER, tokenize.COMMENT,
}  # fmt: skip
_WEIGHTS = {word: 5.0 for word in keyword.kwlist}


@dataclass(frozen=True)
class CodeBleu:
    """CodeBLEU and what it is the mean of."""

    tokens: float
    weighted: float
    syntax: float
    flow: float

    @property
    def score(self) -> float:
        return (self.tokens + self.weighted + self.syntax + self.flow) / 4


def same_tree(one: str, other: str) -> bool:
    """Whether two programs have the same syntax tree, names and constants included; one that is no
    Python has none."""
    trees = [_tree(code) for code in (one, other)]
    return None not in trees and ast.dump(trees[0]) == ast.dump(trees[1])  # type: ignore[arg-type]


def same_tree_renamed(one: str, other: str) -> bool:
    """The same, whatever the variables are called and in whatever order arguments are named."""
    trees = [_tree(code) for code in (one, other)]
    return None not in trees and len({ast.dump(_plain(tree)) for tree in trees if tree}) == 1


def code_bleu(candidate: str, reference: str) -> CodeBleu:
    """CodeBLEU of a program against one reference, each part 0..1.

    What is no Python has no syntax and no flow. A reference without flows of data has nothing to
    miss: that part is 1 then.
    """
    found, wanted = _tokens(candidate), _tokens(reference)
    trees = [_tree(code) for code in (candidate, reference)]
    return CodeBleu(
        bleu(wanted, found, smooth=True),
        bleu(wanted, found, weight=_WEIGHTS, smooth=True),
        _shared(_subtrees(trees[0]), _subtrees(trees[1])),
        _shared(_flows(trees[0]), _flows(trees[1])) if _flows(trees[1]) else 1.0,
    )


def _tree(code: str) -> ast.Module | None:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _tokens(code: str) -> list[str]:
    try:
        found = tokenize.generate_tokens(io.StringIO(code).readline)
        return [item.string for item in found if item.type not in _LAYOUT]
    except (tokenize.TokenError, SyntaxError):
        return code.split()


def _shared(found: Counter[str], wanted: Counter[str]) -> float:
    return (found & wanted).total() / wanted.total() if wanted else 0.0


def _subtrees(tree: ast.Module | None) -> Counter[str]:
    """Every statement and expression as the shape of its tree, names and constants left out."""
    if tree is None:
        return Counter()
    inner = (node for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.expr))
    return Counter(_shape(node) for node in inner if any(ast.iter_child_nodes(node)))


def _shape(node: ast.AST) -> str:
    inner = ",".join(_shape(child) for child in ast.iter_child_nodes(node))
    return f"{type(node).__name__}({inner})"


def _flows(tree: ast.Module | None) -> Counter[str]:
    """Each assignment with where its values come from, variables called by when they come."""
    if tree is None:
        return Counter()
    names: dict[str, str] = {}
    flows: Counter[str] = Counter()
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    for node in sorted(assigned, key=lambda item: item.lineno):
        read = [
            names[item.id]
            for item in ast.walk(node.value)
            if isinstance(item, ast.Name) and item.id in names
        ]
        for target in node.targets:
            if isinstance(target, ast.Name):
                own = names.setdefault(target.id, f"v{len(names)}")
                for source in read:
                    flows[f"{own}<-{source}"] += 1
    return flows


def _plain(tree: ast.Module) -> ast.AST:
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.setdefault(node.id, f"v{len(names)}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        if isinstance(node, ast.Call):
            node.keywords.sort(key=lambda item: item.arg or "")
    return tree
