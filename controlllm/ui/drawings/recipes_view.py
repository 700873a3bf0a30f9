"""Recipes: keeping one, the list of those that are kept, one from elsewhere before it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from controlllm.recipes import Recipe
from controlllm.recipes.book import Carried, KeptRecipe
from controlllm.recipes.making import Words
from controlllm.ui.drawings.icons import icon, type_icon
from controlllm.ui.drawings.recipe_picture import recipe_picture
from controlllm.ui.drawings.solutions import chain
from controlllm.ui.drawings.wording import attributes, reason_label, shorten, tool_label
from controlllm.ui.texts import say, say_html
from controlllm.ui.view import TurnView

_KINDS = (("json", "as_json"), ("python", "as_python"), ("svg", "as_picture"))


def keep_button(view: TurnView) -> str:
    """Keeps how it was done; nothing where nothing was."""
    if view.state != "answered" or not view.is_met or not view.steps():
        return ""
    button = attributes(
        type="button", class_="small", data_do="keep-recipe", data_turn=view.number,
        title=say("recipes.keep_what"),
    )  # fmt: skip
    return f"<button {button}>{icon('steps')}{say_html('recipes.keep')}</button>"


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
        place = f'<p class="quiet-words">{say_html("recipes.keep_place")}</p>'
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
    if not items:
        listed = f'<p class="quiet-words">{say_html("recipes.none")}</p>'
    return (
        f'<p class="quiet-words">{say_html("recipes.about")}</p>'
        f'<div class="row"><button type="button" class="small" data-do="open-recipe" '
        f'title="{say_html("recipes.import_what")}">{icon("clip")}{say_html("recipes.import")}'
        "</button></div>"
        f'<section class="field"><h3>{say_html("recipes.yours")}</h3>{listed}</section>{batches}'
    )


def _kept(kept: KeptRecipe, missing: Mapping[str, str], base: str) -> str:
    def button(what: str, sign: str, words: str, primary: bool = False) -> str:
        sure = say("recipes.delete_sure", name=kept.name) if what == "delete-recipe" else None
        given = attributes(
            type="button", class_="small primary" if primary else "small", data_do=what,
            data_recipe=kept.id, data_name=kept.name, aria_label=f"{say(words)}: {kept.name}",
            data_sure=sure,
        )  # fmt: skip
        return f"<button {given}>{icon(sign)}{say_html(words)}</button>"

    about, run, saved = "", "", ""
    if kept.recipe is None:
        about = f'<p class="trouble">{say_html("recipes.cannot", problem=kept.problem)}</p>'
    else:
        about = f"<p>{chain(kept.recipe.tools)}</p>{_inputs(kept.recipe)}"
        about += _missing(kept.recipe, missing)
        run = button("run-recipe", "arrow", "recipes.run", primary=True)
        links = "".join(
            f'<a class="small button" href="{base}/{kept.id}/file?as={kind}" download>'
            f"{icon('download')}{say_html(f'recipes.{words}')}</a>"
            for kind, words in _KINDS
        ) + button("recipe-png", "download", "recipes.as_pixels")
        saved = (
            f'<details class="fold"><summary>{say_html("recipes.save_as")}</summary>'
            f'<div class="row">{links}</div></details>'
        )
    return (
        f'<li class="recipe" data-key="recipe-{kept.id}"><h4>{escape(kept.name)}</h4>{about}'
        f'<div class="row">{run}{button("rename-recipe", "text", "recipes.rename")}'
        f"{button('delete-recipe', 'trash', 'recipes.delete')}</div>{saved}</li>"
    )


def recipe_look(recipe: Recipe, missing: Mapping[str, str], text: str = "") -> str:
    """A recipe from elsewhere, before it is kept; `text` is what is kept of it."""
    made_for = ""
    if recipe.request:
        request = shorten(recipe.request, 300)
        made_for = f"<p>{say_html('recipes.look_request', request=request)}</p>"
    return (
        f'<div class="recipe-look"><h3>{escape(recipe.name)}</h3>{made_for}'
        f'<p class="quiet-words">{say_html("recipes.look_about")}</p>'
        f"<p>{chain(recipe.tools)}</p>"
        f'<div class="recipe-picture">{recipe_picture(recipe, False)}</div>'
        f"{_inputs(recipe)}{_missing(recipe, missing)}"
        f"{_keep_look(text)}</div>"
    )


def _keep_look(text: str) -> str:
    words = say_html("recipes.save")
    if not text:
        button = attributes(type="button", class_="primary", data_do="keep-look")
        return f'<div class="row"><button {button}>{words}</button></div>'
    return (
        f'<form data-do="keep-look" class="row"><textarea name="text" hidden>{escape(text)}'
        f'</textarea><button type="submit" class="primary">{words}</button></form>'
    )


def carried_notice(found: Mapping[str, Carried]) -> str:
    """Offers the plans that files carry, by the files' names in the conversation."""
    offers = "".join(_offer(value, carried) for value, carried in found.items())
    close = attributes(
        type="button", class_="quiet", data_do="close-notice", aria_label=say("page.close")
    )
    return (
        f'<div class="carried" role="status"><ul class="plain">{offers}</ul>'
        f"<button {close}>{icon('cross')}</button></div>"
    )


def _offer(value: str, carried: Carried) -> str:
    if carried.problem:
        told = say_html("recipes.carried_not", file=value, problem=carried.problem)
        return f"<li><span>{told}</span></li>"
    use = attributes(type="button", class_="small", data_do="use-carried", data_value=value)
    return (
        f"<li><span>{say_html('recipes.carried', file=value, name=carried.name)}</span>"
        f"<button {use}>{say_html('recipes.carried_use')}</button></li>"
    )


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
