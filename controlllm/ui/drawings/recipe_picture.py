"""A recipe's plan as a picture of its own, to keep or to hand on: SVG that needs nothing else."""

from __future__ import annotations

from html import escape

from controlllm.core.plans import Reference
from controlllm.core.replaying import substituted
from controlllm.recipes import Recipe
from controlllm.ui.drawings.graph_layout import Node, draw, edge_path
from controlllm.ui.drawings.wording import attributes, shorten, tool_label
from controlllm.ui.texts import say
from controlllm.ui.view import TurnView

_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1b2527}"
    ".tool{fill:#def0ed;stroke:#0d6e70}.other{fill:#fff;stroke:#c9c5b8}"
    "path{fill:none;stroke:#58656a;stroke-width:1.5}.paper{fill:#f6f5f1}"
    "@media(prefers-color-scheme:dark){text{fill:#e7eded}.tool{fill:#163634;stroke:#66cdc3}"
    ".other{fill:#182023;stroke:#435257}path{stroke:#9fadb0}.paper{fill:#101618}}"
)
_HEAD = 34


def recipe_picture(recipe: Recipe, is_alone: bool = True) -> str:
    """The SVG: what goes in, the tools, what comes out; with its own style where it is alone."""
    # Inputs are called by their labels.
    labels = {item.name: Reference(item.label) for item in recipe.inputs}
    drawing = draw(TurnView(0, plan=substituted(recipe.plan, labels)), {})
    size = attributes(
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {drawing.width:.0f} {drawing.height + _HEAD:.0f}",
        width=f"{drawing.width:.0f}",
        height=f"{drawing.height + _HEAD:.0f}",
        role="img",
        aria_label=say("recipes.picture", name=recipe.name),
    )
    edges = "".join(f'<path d="{edge_path(drawing, chain)}"/>' for chain in drawing.edges)
    nodes = "".join(map(_node, drawing.nodes.values()))
    title = escape(shorten(recipe.name, max(12, int(drawing.width / 8))))
    style = f"<style>{_STYLE}</style>" if is_alone else ""
    return (
        f"<svg {size}>{style}<title>{escape(recipe.name)}</title>"
        '<rect class="paper" width="100%" height="100%"/>'
        f'<text x="12" y="23" font-weight="600">{title}</text>'
        f'<g transform="translate(0 {_HEAD})">{edges}{nodes}</g></svg>'
    )


def _node(node: Node) -> str:
    if node.kind == "bend":
        return ""
    words = tool_label(node.label) if node.kind == "tool" else node.label
    frame = attributes(
        class_="tool" if node.kind == "tool" else "other",
        x=f"{node.x:.1f}", y=f"{node.y:.1f}", width=node.width, height=node.height, rx=10,
    )  # fmt: skip
    text = attributes(
        x=f"{node.x + node.width / 2:.1f}", y=f"{node.y + node.height / 2 + 4.5:.1f}",
        text_anchor="middle",
    )  # fmt: skip
    short = escape(shorten(words, node.width // 7))
    return f"<g><title>{escape(words)}</title><rect {frame}/><text {text}>{short}</text></g>"
