"""Recipes: keeping one, the list of those that are kept, one from elsewhere before it is kept, and
one as a picture of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from controlllm.core.plans import Reference
from controlllm.core.replaying import substituted
from controlllm.recipes import Recipe
from controlllm.recipes.book import Carried, KeptRecipe
from controlllm.recipes.making import Words
from controlllm.ui.drawings.graph_layout import Node, draw, edge_path
from controlllm.ui.drawings.icons import icon, type_icon
from controlllm.ui.drawings.markup import attributes, button, download, quiet
from controlllm.ui.drawings.solutions import chain
from controlllm.ui.drawings.wording import reason_label, shorten, tool_label
from controlllm.ui.texts import say, say_html
from controlllm.ui.view import TurnView

_KINDS = (("json", "as_json"), ("python", "as_python"), ("svg", "as_picture"))
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1b2527}"
    ".tool{fill:#def0ed;stroke:#0d6e70}.other{fill:#fff;stroke:#c9c5b8}"
    "path{fill:none;stroke:#58656a;stroke-width:1.5}.paper{fill:#f6f5f1}"
    "@media(prefers-color-scheme:dark){text{fill:#e7eded}.tool{fill:#163634;stroke:#66cdc3}"
    ".other{fill:#182023;stroke:#435257}path{stroke:#9fadb0}.paper{fill:#101618}}"
)
_HEAD = 34


def keep_button(view: TurnView) -> str:
    """Keeps how it was done; nothing where nothing was."""
    if view.state != "answered" or not view.is_met or not view.steps():
        return ""
    title, words = say("recipes.keep_what"), say_html("recipes.keep")
    return button("keep-recipe", words, "steps", title=title, data_turn=view.number)


def keep_form(recipe: Recipe, words: Sequence[Words], turn: int) -> str:
    """How a recipe is to be kept."""
    name = attributes(
        id="recipe-name", name="name", value=recipe.name, required=True, maxlength=100,
        autofocus=True,
    )  # fmt: skip
    asked = "".join(
        f'<label class="check"><input {attributes(type="checkbox", name="words", value=item.text)}>'
        f" {escape(tool_label(item.argument))}: “{escape(shorten(item.text, 120))}”</label>"
        for item in words
    )
    if asked:
        asked = (
            f'<fieldset class="field"><legend>{say_html("recipes.keep_words")}</legend>'
            f"{asked}</fieldset>"
        )
    place = ""
    if recipe.of_kind("place"):
        place = quiet(say_html("recipes.keep_place"))
    return (
        f'<form id="recipe-form" data-do="save-recipe" data-turn="{turn}"><div class="field">'
        f'<label for="recipe-name">{say_html("recipes.keep_name")}</label><input {name}>'
        f"<p>{chain(recipe.tools)}</p></div>"
        f'<div class="field"><h3>{say_html("recipes.keep_inputs")}</h3>{_inputs(recipe)}'
        f"{place}</div>"
        f'{asked}<div class="row"><button type="submit" class="primary">'
        f'{say_html("recipes.save")}</button></div></form>'
    )  # fmt: skip


def recipes_list(
    kept: Sequence[KeptRecipe], missing: Mapping[str, str], batches: str, base: str
) -> str:
    """All recipes of a person, and their batches. `missing` says of tools why they cannot run
    here; `base` is where the page's addresses of recipes begin."""
    items = "".join(_kept(item, missing, base) for item in kept)
    listed = f'<ul class="plain recipe-list">{items}</ul>' if items else ""
    title, words = say("recipes.import_what"), say_html("recipes.import")
    return (
        f"{quiet(say_html('recipes.about'))}"
        f'<div class="row">{button("open-recipe", words, "clip", title=title)}</div>'
        f'<section class="field"><h3>{say_html("recipes.yours")}</h3>'
        f"{listed or quiet(say_html('recipes.none'))}</section>{batches}"
    )


def _kept(kept: KeptRecipe, missing: Mapping[str, str], base: str) -> str:
    def pressed(what: str, sign: str, words: str, **more: Any) -> str:
        about = {"data_recipe": kept.id, "data_name": kept.name, **more}
        return button(what, say_html(words), sign, aria_label=f"{say(words)}: {kept.name}", **about)

    run, saved = "", ""
    if kept.recipe is None:
        about = f'<p class="trouble">{say_html("recipes.cannot", problem=kept.problem)}</p>'
    else:
        about = f"<p>{chain(kept.recipe.tools)}</p>{_inputs(kept.recipe)}"
        about += _missing(kept.recipe, missing)
        run = pressed("run-recipe", "arrow", "recipes.run", class_="small primary")
        links = "".join(
            download(f"{base}/{kept.id}/file?as={kind}", say_html(f"recipes.{words}"))
            for kind, words in _KINDS
        ) + pressed("recipe-png", "download", "recipes.as_pixels")
        saved = (
            f'<details class="fold"><summary>{say_html("recipes.save_as")}</summary>'
            f'<div class="row">{links}</div></details>'
        )
    rename = pressed("rename-recipe", "text", "recipes.rename")
    sure = say("recipes.delete_sure", name=kept.name)
    delete = pressed("delete-recipe", "trash", "recipes.delete", data_sure=sure)
    return (
        f'<li class="recipe" data-key="recipe-{kept.id}"><h4>{escape(kept.name)}</h4>{about}'
        f'<div class="row">{run}{rename}{delete}</div>{saved}</li>'
    )


def recipe_look(recipe: Recipe, missing: Mapping[str, str], text: str) -> str:
    """A recipe from elsewhere, before it is kept; `text` is what is kept of it."""
    made_for = ""
    if recipe.request:
        request = shorten(recipe.request, 300)
        made_for = f"<p>{say_html('recipes.look_request', request=request)}</p>"
    return (
        f'<div class="recipe-look"><h3>{escape(recipe.name)}</h3>{made_for}'
        f"{quiet(say_html('recipes.look_about'))}<p>{chain(recipe.tools)}</p>"
        f'<div class="recipe-picture">{recipe_picture(recipe, False)}</div>'
        f"{_inputs(recipe)}{_missing(recipe, missing)}"
        f'<form data-do="keep-look" class="row"><textarea name="text" hidden>{escape(text)}'
        f'</textarea><button type="submit" class="primary">{say_html("recipes.save")}</button>'
        "</form></div>"
    )


def carried_notice(found: Mapping[str, Carried]) -> str:
    """Offers the plans that files carry, by the files' names in the conversation."""
    offers = ""
    for value, carried in found.items():
        told = say_html("recipes.carried", file=value, name=carried.name)
        use = button("use-carried", say_html("recipes.carried_use"), data_value=value)
        if carried.problem:
            told, use = say_html("recipes.carried_not", file=value, problem=carried.problem), ""
        offers += f"<li><span>{told}</span>{use}</li>"
    close = button("close-notice", sign="cross", class_="quiet", aria_label=say("page.close"))
    return f'<div class="carried" role="status"><ul class="plain">{offers}</ul>{close}</div>'


def _inputs(recipe: Recipe) -> str:
    files = "".join(
        f'<li><span class="type">{icon(type_icon(item.type))}{escape(item.label)}</span></li>'
        for item in recipe.inputs
        if item.kind != "words"
    )
    words = ", ".join(item.label for item in recipe.of_kind("words"))
    asked = f"<p>{say_html('recipes.asks_words', labels=words)}</p>" if words else ""
    if not files:
        return f"<p>{say_html('recipes.works_on_nothing')}</p>{asked}"
    return f'<ul class="plain recipe-inputs">{files}</ul>{asked}'


def _missing(recipe: Recipe, missing: Mapping[str, str]) -> str:
    return "".join(
        '<p class="trouble">'
        + say_html("recipes.missing", tool=tool_label(tool), reason=reason_label(missing[tool]))
        + "</p>"
        for tool in dict.fromkeys(recipe.tools)
        if tool in missing
    )


# As a picture: SVG that needs nothing else, to keep or to hand on.


def recipe_picture(recipe: Recipe, is_alone: bool = True) -> str:
    """The SVG: what goes in, the tools, what comes out; with its own style where it is alone."""
    # Inputs are called by their labels.
    labels = {item.name: Reference(item.label) for item in recipe.inputs}
    drawing = draw(TurnView(0, plan=substituted(recipe.plan, labels)), {})
    width, height = f"{drawing.width:.0f}", f"{drawing.height + _HEAD:.0f}"
    size = attributes(
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", width=width,
        height=height, role="img", aria_label=say("recipes.picture", name=recipe.name),
    )  # fmt: skip
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
