"""Where the nodes of a plan's drawing stand: layers from left to right, few crossings, and in rows
below each other where they would be wider than what a plan is shown in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from controlllm.core.plans import Literal, Reference, Step, generated, values_of
from controlllm.resources import Resource
from controlllm.ui.drawings.media import has_thumbnail
from controlllm.ui.drawings.wording import tool_label, type_label
from controlllm.ui.view import TurnView

GAP_X, GAP_Y, MARGIN = 28, 16, 10
#: A row is at most so wide, in pixels: two steps with what goes in, between and out.
MOST_WIDE = 720
#: How far apart edges run that go from one row to the next, and how round they turn there.
_LANE, _TURN = 5.0, 8.0


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
    row: int = 0
    x: float = 0
    y: float = 0

    @property
    def width(self) -> int:
        """In pixels."""
        return {"tool": 136, "words": 104, "resource": 100, "bend": 0}[self.kind]

    @property
    def height(self) -> int:
        """In pixels."""
        if self.kind == "resource" and (self.resource is None or has_thumbnail(self.resource)):
            return 86
        return {"tool": 46, "words": 40, "resource": 46, "bend": 4}[self.kind]


@dataclass
class Drawing:
    """Nodes by key, edges as chains of keys, and the size in pixels.

    `turns` says for a node at a row's end where edges from it turn on their way to the next row: at
    which x down, at which y back and at which x down again.
    """

    nodes: dict[str, Node] = field(default_factory=dict)
    edges: list[list[str]] = field(default_factory=list)
    turns: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    width: float = 0
    height: float = 0


def draw(view: TurnView, known: Mapping[str, Resource]) -> Drawing:
    """Nodes in layers (a node lies right of all it needs), placed so that edges seldom cross."""
    drawing = Drawing()
    edges = _nodes_and_edges(view, known, drawing.nodes)
    _set_layers(drawing.nodes, edges)
    drawing.edges = [_bent(drawing.nodes, source, target) for source, target in edges]
    _place(drawing)
    return drawing


def edge_path(drawing: Drawing, chain: list[str]) -> str:
    """An edge as the `d` of an SVG path, from the first node of its chain to the last."""
    nodes = [drawing.nodes[key] for key in chain]
    path = f"M{nodes[0].x + nodes[0].width:.1f} {nodes[0].y + nodes[0].height / 2:.1f}"
    for left, right in zip(nodes, nodes[1:], strict=False):
        from_x, to_x = left.x + left.width, right.x
        from_y, to_y = left.y + left.height / 2, right.y + right.height / 2
        if right.row != left.row:
            path += _turned(drawing.turns[left.key], from_y, to_y) + f"H{to_x:.1f}"
            continue
        bend = max((to_x - from_x) / 2, 12)
        path += (
            f"C{from_x + bend:.1f} {from_y:.1f} {to_x - bend:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}"
        )
    return path


def _turned(turn: tuple[float, float, float], from_y: float, to_y: float) -> str:
    """The way from a row's end down and back to the beginning of the next."""
    end, between, start = turn
    return (
        f"H{end - _TURN:.1f}Q{end:.1f} {from_y:.1f} {end:.1f} {from_y + _TURN:.1f}"
        f"V{between - _TURN:.1f}Q{end:.1f} {between:.1f} {end - _TURN:.1f} {between:.1f}"
        f"H{start + _TURN:.1f}Q{start:.1f} {between:.1f} {start:.1f} {between + _TURN:.1f}"
        f"V{to_y - _TURN:.1f}Q{start:.1f} {to_y:.1f} {start + _TURN:.1f} {to_y:.1f}"
    )


def _nodes_and_edges(
    view: TurnView, known: Mapping[str, Resource], nodes: dict[str, Node]
) -> list[tuple[str, str]]:
    made: dict[str, str] = {}
    drawn: dict[tuple[object, ...], str] = {}
    edges: list[tuple[str, str]] = []
    for step in view.steps():
        action = view.action(step.key)
        # Two subtasks may begin with the same actions; these run once and are drawn once.
        same = (step.action.tool, step.action.version, *_sources(step, made))
        if same in drawn:
            made[step.action.output.value] = made[generated(step.subtask)] = drawn[same]
            continue
        drawn[same] = f"out {step.key}"
        nodes[step.key] = Node(
            step.key, "tool", tool_label(step.action.tool), state=action.state, step=step
        )
        for name, given in step.action.inputs.items():
            for number, value in enumerate(values_of(given)):
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
        for value in values_of(given):
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
    for sweep in range(8):
        neighbours = before if sweep % 2 == 0 else after
        for layer in order if sweep % 2 == 0 else reversed(order):
            _spread(layers[layer], drawing.nodes, neighbours)
    _place_rows(drawing, [layers[layer] for layer in order])


def _place_rows(drawing: Drawing, layers: list[list[Node]]) -> None:
    """Put layers whose nodes are level with each other into rows, no row too wide."""
    rows: list[list[list[Node]]] = [[]]
    taken = 2 * MARGIN
    for layer in layers:
        width = _width(layer)
        if rows[-1] and taken + width > MOST_WIDE:
            rows.append([])
            taken = 2 * MARGIN
        rows[-1].append(layer)
        taken += width + GAP_X
    y = float(MARGIN)
    for number, row in enumerate(rows):
        before = rows[number - 1] if number else []
        turning = sorted(before[-1], key=lambda node: node.y) if before else []
        lane = _LANE * max(len(turning) - 1, 0)
        if turning:
            y += _TURN
            end = max(node.x + node.width for node in turning) + _TURN + 2
            for place, node in enumerate(turning):
                # Who begins above turns outside the others, and so runs back below them.
                inside = _LANE * (len(turning) - 1 - place)
                drawing.turns[node.key] = (end + inside, y + inside, MARGIN / 2 + inside)
            y += lane + GAP_Y
        x = MARGIN + (lane + 2 * _TURN if turning else 0)
        top = min(node.y for layer in row for node in layer)
        for layer in row:
            for node in layer:
                node.row = number
                node.x = x + (_width(layer) - node.width) / 2
                node.y += y - top
            x += _width(layer) + GAP_X
        y = max(node.y + node.height for layer in row for node in layer) + GAP_Y
    ends = [node.x + node.width for node in drawing.nodes.values()]
    drawing.width = max(ends + [end for end, _, _ in drawing.turns.values()]) + MARGIN
    drawing.height = y - GAP_Y + MARGIN


def _width(layer: list[Node]) -> int:
    return max(node.width for node in layer)


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
