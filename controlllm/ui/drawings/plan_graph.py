"""The plan as a picture: resources and tools as nodes, with their state and details."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

from controlllm.core.plans import Literal, Reference, Step, generated, values_of
from controlllm.resources import Resource
from controlllm.ui.drawings.graph_layout import Drawing, Node, draw, edge_path
from controlllm.ui.drawings.icons import STATE_ICONS, icon, type_icon
from controlllm.ui.drawings.markup import attributes, button
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.wording import (
    origin_label,
    runtime_label,
    seconds_label,
    shorten,
    size_label,
    tool_label,
    type_label,
    without_commands,
)
from controlllm.ui.texts import say, say_html
from controlllm.ui.view import TurnView

#: What makes a drawing's nodes buttons.
_PRESSED = re.compile(r' (?:tabindex|role|data-[a-z]+)="[^"]*"')


def plan_graph(view: TurnView, media: Media, known: Mapping[str, Resource]) -> str:
    """The drawing with the details of each node below it; empty where there is no plan yet.

    `known` are the session's resources by value.
    """
    steps = view.steps()
    if not steps:
        return ""
    drawing = draw(view, known)
    details = "".join(_details(node, view) for node in drawing.nodes.values())
    steps_in_words = "".join(f"<li>{escape(_in_words(step, view))}</li>" for step in steps)
    return (
        '<div class="graph"><div class="graph-scroll" tabindex="0" role="group" '
        f'aria-label="{say_html("steps.plan_drawn")}">{_picture(drawing, view, media)}</div>'
        f'<ol class="for-screen-readers">{steps_in_words}</ol>'
        f'<div class="node-details" aria-live="polite">{details}</div></div>'
    )


def plan_picture(view: TurnView, media: Media, known: Mapping[str, Resource]) -> str:
    """The drawing as a picture alone, with nothing to press; empty where there is no plan yet."""
    if not view.steps():
        return ""
    return _PRESSED.sub("", _picture(draw(view, known), view, media))


def _picture(drawing: Drawing, view: TurnView, media: Media) -> str:
    edges = "".join(_edge(drawing, chain) for chain in drawing.edges)
    shapes = "".join(_shape(node, view, media) for node in drawing.nodes.values())
    size = attributes(
        viewBox=f"0 0 {drawing.width:.0f} {drawing.height:.0f}",
        # It shrinks a little to fit before it scrolls.
        style=f"min-width:{drawing.width * 0.7:.0f}px;max-width:{drawing.width:.0f}px",
    )
    return (
        f'<svg {size} class="plan" role="group" aria-label="{say_html("steps.plan_graph")}">'
        '<defs><clipPath id="thumb"><rect width="100" height="60" rx="9"/></clipPath></defs>'
        f"<g>{edges}</g>{shapes}</svg>"
    )


def _edge(drawing: Drawing, chain: list[str]) -> str:
    nodes = [drawing.nodes[key] for key in chain]
    ready = nodes[0].state == "done"
    flowing = ready and nodes[-1].state == "running"
    classes = "edge" + (" is-ready" if ready else "") + (" is-flowing" if flowing else "")
    return f'<path class="{classes}" d="{edge_path(drawing, chain)}"/>'


def _shape(node: Node, view: TurnView, media: Media) -> str:
    if node.kind == "bend":
        return ""
    label = node.resource.value if node.resource else node.label
    words = label
    if node.kind != "words":
        words = say("steps.node", name=label, state=say(f"steps.state_{node.state}"))
    opening = attributes(
        class_=f"node node-{node.kind} is-{node.state}", data_do="node", data_node=node.key,
        transform=f"translate({node.x:.1f} {node.y:.1f})", data_key=node.key, tabindex=0,
        role="button", aria_label=words,
    )  # fmt: skip
    frame = f'<rect class="frame" width="{node.width}" height="{node.height}" rx="10"/>'
    return f"<g {opening}><title>{escape(words)}</title>{frame}{_inside(node, view, media)}</g>"


def _inside(node: Node, view: TurnView, media: Media) -> str:
    if node.kind == "words":
        words = escape(shorten(node.label, 9))
        return f'{_symbol("text", 9, 12, 16)}<text x="31" y="25">{words}</text>'
    if node.kind == "tool":
        return _tool_inside(node, view)
    name = escape(shorten(node.label, 17))
    if node.height < 80:
        words = escape(shorten(node.label, 11))
        return f'{_symbol(type_icon(node.type), 9, 14, 18)}<text x="33" y="27">{words}</text>'
    if node.resource is not None:
        picture = attributes(
            href=media.thumbnail(node.resource), width=100, height=60,
            preserveAspectRatio="xMidYMid slice", clip_path="url(#thumb)",
        )  # fmt: skip
        ground = '<rect class="clear" width="100" height="60" clip-path="url(#thumb)"/>'
        top = f"{ground}<image {picture}/>"
    else:
        top = f'<g class="empty">{_symbol(type_icon(node.type), 38, 19, 24)}</g>'
    return f'{top}<text class="name" x="50" y="77" text-anchor="middle">{name}</text>'


def _tool_inside(node: Node, view: TurnView) -> str:
    assert node.step is not None
    action = view.action(node.step.key)
    lines = _two_lines(node.label, 12)
    start = 27 if len(lines) == 1 else 20
    text = "".join(
        f'<text x="34" y="{start + 14 * number}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    bar = ""
    if node.state == "running":
        length = 116 * action.fraction
        bar = f'<rect class="bar" y="42" x="10" width="{length:.1f}" height="2.5" rx="1"/>'
    pin = _symbol("pin", 114, 4, 14) if node.step.action.pinned else ""
    return _symbol(STATE_ICONS[node.state], 9, 14, 18) + text + bar + pin


def _two_lines(label: str, length: int) -> list[str]:
    if len(label) <= length:
        return [label]
    first = ""
    words = label.split()
    while words and len(f"{first} {words[0]}".strip()) <= length:
        first = f"{first} {words.pop(0)}".strip()
    return [first or shorten(label, length), shorten(" ".join(words), length)] if words else [first]


def _symbol(name: str, x: float, y: float, size: float) -> str:
    drawn = icon(name, "symbol")
    place = f'<svg x="{x}" y="{y}" width="{size}" height="{size}" '
    return drawn.replace("<svg ", place, 1)


def _details(node: Node, view: TurnView) -> str:
    if node.kind == "bend":
        return ""
    rows = [(say("steps.what"), node.resource.value if node.resource else node.label)]
    if node.resource is not None:
        rows.append((say("steps.type"), type_label(node.resource.type)))
        rows.append((say("steps.from"), origin_label(node.resource.origin)))
        rows.append((say("steps.size"), size_label(node.resource.details) or "–"))
    if node.step is not None:
        action = view.action(node.step.key)
        rows = [
            (say("steps.tool"), node.label),
            (say("steps.state"), say(f"steps.state_{action.state}")),
        ]
        for name, given in node.step.action.inputs.items():
            values = values_of(given)
            words = ", ".join(v.text if isinstance(v, Literal) else _name(v, view) for v in values)
            rows.append((name, words))
        output = action.resource.value if action.resource else node.step.action.output.type
        rows.append((say("steps.output"), output))
        if action.runtime:
            rows.append((say("steps.runs"), runtime_label(action.runtime)))
        if action.seconds is not None:
            took = seconds_label(action.seconds)
            words = say("steps.took_before", time=took) if action.cached else took
            rows.append((say("steps.took"), words))
        if action.message:
            rows.append((say("steps.why"), without_commands(action.message)))
    listed = "".join(
        f"<div><dt>{escape(tool_label(name))}</dt><dd>{escape(shorten(value, 300))}</dd></div>"
        for name, value in rows
    )
    opening = attributes(data_for=node.key, data_key=f"details {node.key}", hidden=True)
    look = ""
    if node.resource is not None:
        look = button("open", say_html("files.open"), "open", data_value=node.resource.value)
    return f"<div {opening}><dl>{listed}</dl>{look}</div>"


def name_of(value: Reference, steps: Iterable[Step]) -> str:
    """What a value is called: a file's own name, else what it is and which tool makes it."""
    for step in steps:
        if value.value in (step.action.output.value, generated(step.subtask)):
            made, tool = type_label(step.action.output.type), tool_label(step.action.tool)
            return say("steps.made_by", what=made, tool=tool.lower())
    return value.value


def _name(value: Reference, view: TurnView) -> str:
    """A reference as the resource's own name, where it has been made already."""
    for step in view.steps():
        if value.value in (step.action.output.value, generated(step.subtask)):
            resource = view.action(step.key).resource
            if resource is not None:
                return resource.value
            break
    return name_of(value, view.steps())


def _in_words(step: Step, view: TurnView) -> str:
    state = say(f"steps.state_{view.action(step.key).state}")
    made = type_label(step.action.output.type)
    return say("steps.in_words", tool=tool_label(step.action.tool), what=made, state=state)
