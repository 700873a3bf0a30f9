"""Recipes: kept, listed, looked at, renamed, handed on."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from controlllm.recipes import book, words_of
from controlllm.recipes.script import as_script
from controlllm.ui.calls import OWN, Call, answer, in_thread, shown
from controlllm.ui.drawings.recipe_picture import recipe_picture
from controlllm.ui.drawings.recipes_view import keep_form, recipe_look
from controlllm.ui.texts import say
from controlllm.ui.verbs.recipes import (
    MOST_WORDS,
    kept_recipe,
    listing,
    missing,
    name_sent,
    read_recipe,
    recipe_made,
    turn_of,
    usable_recipe,
)


def listed(call: Call) -> Response:
    """All recipes of the visitor, and their batches."""
    return shown(listing(call))


def new(call: Call) -> Response:
    """How a turn is to be kept as a recipe."""
    number = call.request.query_params.get("turn", "")
    session, turn = turn_of(call, int(number) if number.isdecimal() else -1)
    return shown(keep_form(recipe_made(call, session, turn), words_of(turn), turn.number))


def keep(call: Call) -> Response:
    """Keep a turn of the conversation, or a recipe from elsewhere."""
    assistant = call.conversations.assistant
    if "text" in call.sent:
        recipe = read_recipe(call, call.field("text", str))
    else:
        session, turn = turn_of(call, call.field("turn", int))
        words = [str(item) for item in call.field("words", list, [])[:MOST_WORDS]]
        recipe = recipe_made(call, session, turn, name_sent(call), tuple(words))
    id = book.keep(assistant.store.shelf, call.visitor.owner, recipe)
    return answer({"id": id, "name": recipe.name})


def look(call: Call) -> Response:
    """A recipe from elsewhere, before it is kept."""
    return shown(recipe_look(read_recipe(call, call.field("text", str)), missing(call)))


def rename(call: Call) -> Response:
    """Give a recipe another name."""
    kept, name = kept_recipe(call, call.part("recipe")), name_sent(call)
    book.rename(call.conversations.assistant.store.shelf, kept, name)
    return answer({"name": name})


def delete(call: Call) -> Response:
    """Forget a recipe."""
    kept = kept_recipe(call, call.part("recipe"))
    call.conversations.assistant.store.shelf.remove(kept.id)
    return answer({})


def file(call: Call) -> Response:
    """A recipe to hand on: as JSON, as a script, as a picture."""
    recipe = usable_recipe(call, call.part("recipe"))
    stem = re.sub(r"[^\w -]+", "", recipe.name).strip() or "recipe"
    kinds = {
        "json": ("json", "application/json", lambda: json.dumps(recipe.to_json(), indent=1)),
        "python": ("py", "text/x-python", lambda: as_script(recipe, f"{stem}.py")),
        "svg": ("svg", "image/svg+xml", lambda: recipe_picture(recipe)),
    }
    wanted = call.request.query_params.get("as", "json")
    if wanted not in kinds:
        raise HTTPException(404, say("recipes.gone"))
    suffix, media_type, content = kinds[wanted]
    return handed_over(f"{stem}.{suffix}", media_type, content())


def handed_over(name: str, media_type: str, content: str) -> Response:
    """A text as a file to keep, never to be shown by a browser."""
    headers = {
        "content-disposition": f"attachment; filename*=utf-8''{quote(name)}",
        "cache-control": "no-store",
    }
    return Response(content, media_type=media_type, headers=headers)


_RECIPES = f"{OWN}/recipes"
ROUTES = (
    Route(_RECIPES, in_thread(listed), methods=["GET"]),
    Route(_RECIPES, in_thread(keep), methods=["POST"]),
    Route(f"{_RECIPES}/new", in_thread(new), methods=["GET"]),
    Route(f"{_RECIPES}/look", in_thread(look), methods=["POST"]),
    Route(f"{_RECIPES}/{{recipe}}", in_thread(rename), methods=["POST"]),
    Route(f"{_RECIPES}/{{recipe}}", in_thread(delete), methods=["DELETE"]),
    Route(f"{_RECIPES}/{{recipe}}/file", in_thread(file), methods=["GET"]),
)
