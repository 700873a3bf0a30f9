"""The plan as a picture: resources and tools as nodes, in layers from left to right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from controlllm.plan import Literal, Reference, Step, generated
from controlllm.resources import Resource
from controlllm.ui.icons import icon, type_icon
from controlllm.ui.media import Media, has_thumbnail
from controlllm.ui.view import TurnView
from controlllm.ui.wording import (
    attributes,
    origin_label,
    runtime_label,
    seconds_label,
    shorten,
    size_label,
    tool_label,
    type_label,
)

GAP_X, GAP_Y, MARGIN = 28, 16, 10
_STATE_ICONS = {
    "waiting": "wait",
    "running": "spin",
    "done": "check",
    "failed": "cross",
    "stopped": "stop",
}
_STATE_WORDS = {
    "waiting": "waits",
    "running": "runs now",
    "done": "done",
    "failed": "failed",
    "stopped": "stopped",
}


@dataclass
class Node:
    """One node of the drawing; a bend is a nodeless place where a long edge passes a layer."""

    key: str
    kind: str  # "resource", "words", "tool" or "bend"
    label: str = ""
    type: str = ""
    state: str = "waiting"
    resource: Resource | None = None
    step: Step | None = None
    layer: int = 0
    x: float = 0
    y: float = 0

    @property
    def width(self) -> int:
        return {"tool": 136, "words": 104, "resource": 100, "bend": 0}[self.kind]

    @property
    def height(self) -> int:
        if self.kind == "resource" and (self.resource is None or has_thumbnail(self.resource)):
            return 86
        return {"tool": 46, "words": 40, "resource": 46, "bend": 4}[self.kind]


@dataclass
class Drawing:
    """Nodes by key, edges as chains of keys, and the size in pixels."""

    nodes: dict[str, Node] = field(default_factory=dict)
    edges: list[list[str]] = field(default_factory=list)
    width: float = 0
    height: float = 0


def plan_graph(view: TurnView, media: Media, known: Mapping[str, Resource]) -> str:
    """The drawing with the details of each node below it; empty where there is no plan yet.

    `known` are the session's resources by value.
    """
    steps = view.steps()
    if not steps:
        return ""
    drawing = draw(view, known)
    edges = "".join(_edge(drawing, chain) for chain in drawing.edges)
    shapes = "".join(_shape(node, view, media) for node in drawing.nodes.values())
    details = "".join(_details(node, view) for node in drawing.nodes.values())
    size = attributes(
        viewBox=f"0 0 {drawing.width:.0f} {drawing.height:.0f}",
        # It shrinks a little to fit before it scrolls.
        style=f"min-width:{drawing.width * 0.78:.0f}px;max-width:{drawing.width:.0f}px",
    )
    steps_in_words = "".join(f"<li>{escape(_in_words(step, view))}</li>" for step in steps)
    return (
        '<div class="graph"><div class="graph-scroll" tabindex="0" role="region" '
        'aria-label="Plan, drawn as a graph">'
        f'<svg {size} class="plan" role="group" aria-label="Plan graph">'
        '<defs><clipPath id="thumb"><rect width="100" height="60" rx="9"/></clipPath></defs>'
        f"<g>{edges}</g>{shapes}</svg></div>"
        f'<ol class="for-screen-readers">{steps_in_words}</ol>'
        f'<div class="node-details" aria-live="polite">{details}</div></div>'
    )


def draw(view: TurnView, known: Mapping[str, Resource]) -> Drawing:
    """Nodes in layers (a node lies right of all it needs), placed so that edges seldom cross."""
    drawing = Drawing()
    edges = _nodes_and_edges(view, known, drawing.nodes)
    _set_layers(drawing.nodes, edges)
    drawing.edges = [_bent(drawing.nodes, source, target) for source, target in edges]
    _place(drawing)
    return drawing


def _nodes_and_edges(
    view: TurnView, known: Mapping[str, Resource], nodes: dict[str, Node]
) -> list[tuple[str, str]]:
    made: dict[str, str] = {}
    drawn: dict[tuple[object, ...], str] = {}
    edges: list[tuple[str, str]] = []
    for step in view.steps():
        action = view.action(step.key)
        # Two subtasks may begin with the same actions; these run once and are drawn once.
        same = (step.action.tool, *_sources(step, made))
        if same in drawn:
            made[step.action.output.value] = made[generated(step.subtask)] = drawn[same]
            continue
        drawn[same] = f"out {step.key}"
        nodes[step.key] = Node(
            step.key, "tool", tool_label(step.action.tool), state=action.state, step=step
        )
        for name, given in step.action.inputs.items():
            for number, value in enumerate(given if isinstance(given, tuple) else (given,)):
                if isinstance(value, Literal):
                    key = f"words {step.key} {name} {number}"
                    nodes[key] = Node(key, "words", value.text, "text", "done")
                elif isinstance(value, Reference) and value.value in made:
                    key = made[value.value]
                else:
                    key = f"given {value.value}"
                    resource = known.get(value.value)
                    kind = resource.type if resource else "text"
                    nodes[key] = Node(key, "resource", value.value, kind, "done", resource)
                if (key, step.key) not in edges:
                    edges.append((key, step.key))
        output = f"out {step.key}"
        nodes[output] = Node(
            output,
            "resource",
            type_label(step.action.output.type),
            step.action.output.type,
            action.state,
            action.resource,
        )
        edges.append((step.key, output))
        made[step.action.output.value] = output
        made[generated(step.subtask)] = output
    return edges


def _sources(step: Step, made: Mapping[str, str]) -> list[tuple[object, ...]]:
    """What an action reads, so that equal actions are known for equal."""
    found: list[tuple[object, ...]] = []
    for name, given in sorted(step.action.inputs.items()):
        for value in given if isinstance(given, tuple) else (given,):
            if isinstance(value, Literal):
                found.append((name, "words", value.text))
            else:
                found.append((name, "resource", made.get(value.value, value.value)))
    return found


def _set_layers(nodes: dict[str, Node], edges: list[tuple[str, str]]) -> None:
    for _ in nodes:
        moved = False
        for source, target in edges:
            if nodes[target].layer <= nodes[source].layer:
                nodes[target].layer = nodes[source].layer + 1
                moved = True
        if not moved:
            break
    targets = {target for _, target in edges}
    for key, node in nodes.items():
        if key not in targets:
            node.layer = min(nodes[target].layer for source, target in edges if source == key) - 1


def _bent(nodes: dict[str, Node], source: str, target: str) -> list[str]:
    chain = [source]
    for layer in range(nodes[source].layer + 1, nodes[target].layer):
        key = f"bend {source} {layer}"
        nodes.setdefault(key, Node(key, "bend", layer=layer))
        chain.append(key)
    return [*chain, target]


def _place(drawing: Drawing) -> None:
    layers: dict[int, list[Node]] = defaultdict(list)
    for node in drawing.nodes.values():
        layers[node.layer].append(node)
    before: dict[str, list[str]] = defaultdict(list)
    after: dict[str, list[str]] = defaultdict(list)
    for chain in drawing.edges:
        for source, target in zip(chain, chain[1:], strict=False):
            before[target].append(source)
            after[source].append(target)
    order = sorted(layers)
    for sweep in range(6):
        neighbours = before if sweep % 2 == 0 else after
        for layer in order if sweep % 2 == 0 else reversed(order):
            _sort_layer(layers[layer], drawing.nodes, neighbours)
    x = float(MARGIN)
    for layer in order:
        width = max(node.width for node in layers[layer])
        for node in layers[layer]:
            node.x = x + (width - node.width) / 2
        x += width + GAP_X
    drawing.width = x - GAP_X + MARGIN
    for sweep in range(8):
        neighbours = before if sweep % 2 == 0 else after
        for layer in order if sweep % 2 == 0 else reversed(order):
            _spread(layers[layer], drawing.nodes, neighbours)
    top = min(node.y for node in drawing.nodes.values()) - MARGIN
    for node in drawing.nodes.values():
        node.y -= top
    drawing.height = max(node.y + node.height for node in drawing.nodes.values()) + MARGIN


def _sort_layer(
    layer: list[Node], nodes: Mapping[str, Node], neighbours: Mapping[str, list[str]]
) -> None:
    middle = {
        node.key: sum(nodes[key].y for key in neighbours[node.key]) / len(neighbours[node.key])
        for node in layer
        if neighbours[node.key]
    }
    layer.sort(key=lambda node: middle.get(node.key, node.y))
    for rank, node in enumerate(layer):
        node.y = float(rank)


def _spread(
    layer: list[Node], nodes: Mapping[str, Node], neighbours: Mapping[str, list[str]]
) -> None:
    """Move each node level with its neighbours, then apart where they would overlap."""
    wanted = []
    for node in layer:
        near = [nodes[key].y + nodes[key].height / 2 for key in neighbours[node.key]]
        wanted.append(sum(near) / len(near) - node.height / 2 if near else node.y)
    free = -1e9
    for node, place in zip(layer, wanted, strict=True):
        node.y = max(place, free)
        free = node.y + node.height + GAP_Y
    shift = sum(node.y - place for node, place in zip(layer, wanted, strict=True)) / len(layer)
    for node in layer:
        node.y -= shift


def _edge(drawing: Drawing, chain: list[str]) -> str:
    nodes = [drawing.nodes[key] for key in chain]
    start = nodes[0]
    path = f"M{start.x + start.width:.1f} {start.y + start.height / 2:.1f}"
    for left, right in zip(nodes, nodes[1:], strict=False):
        from_x, to_x = left.x + left.width, right.x
        from_y, to_y = left.y + left.height / 2, right.y + right.height / 2
        bend = max((to_x - from_x) / 2, 12)
        path += (
            f"C{from_x + bend:.1f} {from_y:.1f} {to_x - bend:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}"
        )
    ready = nodes[0].state == "done"
    flowing = ready and nodes[-1].state == "running"
    classes = "edge" + (" is-ready" if ready else "") + (" is-flowing" if flowing else "")
    return f'<path class="{classes}" d="{path}"/>'


def _shape(node: Node, view: TurnView, media: Media) -> str:
    if node.kind == "bend":
        return ""
    label = node.resource.value if node.resource else node.label
    words = f"{label}, {_STATE_WORDS[node.state]}" if node.kind != "words" else label
    opening = attributes(
        class_=f"node node-{node.kind} is-{node.state}",
        transform=f"translate({node.x:.1f} {node.y:.1f})",
        data_do="node",
        data_node=node.key,
        data_key=node.key,
        tabindex=0,
        role="button",
        aria_label=words,
    )
    frame = f'<rect class="frame" width="{node.width}" height="{node.height}" rx="10"/>'
    return f"<g {opening}><title>{escape(words)}</title>{frame}{_inside(node, view, media)}</g>"


def _inside(node: Node, view: TurnView, media: Media) -> str:
    if node.kind == "words":
        return (
            _symbol("text", 9, 12, 16)
            + f'<text x="31" y="25">{escape(shorten(node.label, 11))}</text>'
        )
    if node.kind == "tool":
        return _tool_inside(node, view)
    name = escape(shorten(node.label, 17))
    if node.height < 80:
        return (
            _symbol(type_icon(node.type), 9, 14, 18)
            + f'<text x="33" y="27">{escape(shorten(node.label, 11))}</text>'
        )
    if node.resource is not None:
        picture = attributes(
            href=media.thumbnail(node.resource),
            width=100,
            height=60,
            preserveAspectRatio="xMidYMid slice",
            clip_path="url(#thumb)",
        )
        top = f"<image {picture}/>"
    else:
        top = f'<g class="empty">{_symbol(type_icon(node.type), 38, 19, 24)}</g>'
    return f'{top}<text class="name" x="50" y="77" text-anchor="middle">{name}</text>'


def _tool_inside(node: Node, view: TurnView) -> str:
    assert node.step is not None
    action = view.action(node.step.key)
    lines = _two_lines(node.label, 15)
    start = 27 if len(lines) == 1 else 20
    text = "".join(
        f'<text x="34" y="{start + 14 * number}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    bar = ""
    if node.state == "running":
        length = 116 * action.fraction
        bar = f'<rect class="bar" y="42" x="10" width="{length:.1f}" height="2.5" rx="1"/>'
    return _symbol(_STATE_ICONS[node.state], 9, 14, 18) + text + bar


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
    rows = [("What", node.resource.value if node.resource else node.label)]
    if node.resource is not None:
        rows.append(("Type", type_label(node.resource.type)))
        rows.append(("From", origin_label(node.resource.origin)))
        rows.append(("Size", size_label(node.resource.details) or "–"))
    if node.step is not None:
        action = view.action(node.step.key)
        rows = [("Tool", node.label), ("State", _STATE_WORDS[action.state])]
        for name, given in node.step.action.inputs.items():
            values = given if isinstance(given, tuple) else (given,)
            words = ", ".join(v.text if isinstance(v, Literal) else _name(v, view) for v in values)
            rows.append((name, words))
        output = action.resource.value if action.resource else node.step.action.output.type
        rows.append(("Output", output))
        if action.runtime:
            rows.append(("Runs", runtime_label(action.runtime)))
        if action.seconds is not None:
            note = " (kept from before)" if action.cached else ""
            rows.append(("Took", seconds_label(action.seconds) + note))
        if action.message:
            rows.append(("Why", action.message))
    listed = "".join(
        f"<div><dt>{escape(tool_label(name))}</dt><dd>{escape(shorten(value, 300))}</dd></div>"
        for name, value in rows
    )
    opening = attributes(data_for=node.key, data_key=f"details {node.key}", hidden=True)
    button = ""
    if node.resource is not None:
        look = attributes(
            type="button", class_="small", data_do="open", data_value=node.resource.value
        )
        button = f"<button {look}>{icon('open')}Open</button>"
    return f"<div {opening}><dl>{listed}</dl>{button}</div>"


def _name(value: Reference, view: TurnView) -> str:
    """A reference as the resource's own name, where it has been made already."""
    for step in view.steps():
        if value.value in (step.action.output.value, generated(step.subtask)):
            resource = view.action(step.key).resource
            if resource is not None:
                return resource.value
            return (
                f"{type_label(step.action.output.type)} of {tool_label(step.action.tool).lower()}"
            )
    return value.value


def _in_words(step: Step, view: TurnView) -> str:
    state = _STATE_WORDS[view.action(step.key).state]
    made = type_label(step.action.output.type)
    return f"{tool_label(step.action.tool)} makes {made}: {state}."
