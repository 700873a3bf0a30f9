"""Recipes: kept, listed, looked at, renamed, handed on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from controlllm.core.session import Session, Turn
from controlllm.recipes import Recipe, book, recipe_in, recipe_of, words_of
from controlllm.recipes import batch as batches
from controlllm.recipes.book import KeptRecipe
from controlllm.recipes.script import as_script
from controlllm.resources import Resource, decode
from controlllm.resources.probing import BadInput
from controlllm.runs.sent_plans import BadPlan
from controlllm.ui.calls import OWN, Call, answer, in_thread, shown
from controlllm.ui.drawings.batch_view import batches_list
from controlllm.ui.drawings.recipe_picture import recipe_picture
from controlllm.ui.drawings.recipes_view import keep_form, recipe_look, recipes_list
from controlllm.ui.texts import say

_MOST_WORDS = 50
_LONGEST_NAME = 100


def listing(call: Call) -> Response:
    """All recipes of the visitor, and their batches."""
    assistant = call.conversations.assistant
    kept = book.kept_by(assistant.store.shelf, call.visitor.owner, assistant.toolbox)
    base = call.request.url.path.rpartition("/")[0]
    return shown(
        recipes_list(kept, _missing(call), batches_list(_batches(call)), f"{base}/recipes")
    )


def _batches(call: Call) -> list[Any]:
    store, found = call.conversations.assistant.store, []
    for id, session_id in batches.sessions_of(store.shelf, call.visitor.owner):
        with suppress(KeyError):
            at_work = call.conversations.batches.find(id) is not None
            session = store.load(session_id)
            found.append((id, session.title, batches.states_of(session, at_work), at_work))
    return found


def _missing(call: Call) -> Mapping[str, str]:
    """The tools that cannot run here, with the reasons."""
    settings = call.conversations.settings(call.session_id)
    toolbox = call.conversations.assistant.toolbox
    return toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)


def new(call: Call) -> Response:
    """How a turn is to be kept as a recipe."""
    session, turn = _turn(call, call.request.query_params.get("turn", ""))
    return shown(keep_form(_made(call, session, turn), words_of(turn), turn.number))


def _turn(call: Call, number: str) -> tuple[Session, Turn]:
    session = call.session()
    for turn in session.turns:
        if str(turn.number) == number:
            return session, turn
    raise HTTPException(404, say("recipes.no_request"))


def _made(
    call: Call, session: Session, turn: Turn, name: str = "", words: tuple[str, ...] = ()
) -> Recipe:
    store = call.conversations.assistant.store

    def read(resource: Resource) -> Any:
        return decode(resource.type, store.path(resource.digest, resource.media_type))

    try:
        toolbox = call.conversations.assistant.toolbox
        recipe = recipe_of(session, turn, name, read, words, toolbox)
    except (ValueError, KeyError) as error:
        raise BadInput(str(error)) from None
    return recipe if name else recipe.named_after_request()


def keep(call: Call) -> Response:
    """Keep a turn of the conversation, or a recipe from elsewhere."""
    assistant = call.conversations.assistant
    if "text" in call.sent:
        recipe = read_recipe(call, call.field("text", str))
    else:
        session, turn = _turn(call, str(call.field("turn", int)))
        words = [str(item) for item in call.field("words", list, [])[:_MOST_WORDS]]
        recipe = _made(call, session, turn, _name(call), tuple(words))
    id = book.keep(assistant.store.shelf, call.visitor.owner, recipe)
    return answer({"id": id, "name": recipe.name})


def _name(call: Call) -> str:
    name = " ".join(call.field("name", str).split())
    if not 0 < len(name) <= _LONGEST_NAME:
        raise BadInput(say("recipes.name_it", most=_LONGEST_NAME))
    return name


def read_recipe(call: Call, text: str) -> Recipe:
    """A recipe from elsewhere; raises BadInput where it is none that can be run here."""
    try:
        return recipe_in(text, call.conversations.assistant.toolbox)
    except BadPlan as problem:
        raise BadInput(book.told(problem)) from None


def look(call: Call) -> Response:
    """A recipe from elsewhere, before it is kept."""
    return shown(recipe_look(read_recipe(call, call.field("text", str)), _missing(call)))


def kept_recipe(call: Call, id: str) -> KeptRecipe:
    """One of the visitor's recipes; raises HTTPException (404) where it is none of theirs."""
    assistant = call.conversations.assistant
    try:
        return book.find(assistant.store.shelf, call.visitor.owner, id, assistant.toolbox)
    except KeyError:
        raise HTTPException(404, say("recipes.gone")) from None


def usable_recipe(call: Call, id: str) -> Recipe:
    """The same where it can be run; raises BadInput where it cannot."""
    kept = kept_recipe(call, id)
    if kept.recipe is None:
        raise BadInput(say("recipes.cannot", problem=kept.problem))
    return kept.recipe


def rename(call: Call) -> Response:
    """Give a recipe another name."""
    kept, name = kept_recipe(call, call.part("recipe")), _name(call)
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
    Route(_RECIPES, in_thread(listing), methods=["GET"]),
    Route(_RECIPES, in_thread(keep), methods=["POST"]),
    Route(f"{_RECIPES}/new", in_thread(new), methods=["GET"]),
    Route(f"{_RECIPES}/look", in_thread(look), methods=["POST"]),
    Route(f"{_RECIPES}/{{recipe}}", in_thread(rename), methods=["POST"]),
    Route(f"{_RECIPES}/{{recipe}}", in_thread(delete), methods=["DELETE"]),
    Route(f"{_RECIPES}/{{recipe}}/file", in_thread(file), methods=["GET"]),
)
