"""Recipes: kept, listed, looked at, named, forgotten; those that files carry."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from controlllm.core.session import Session, Turn, handle_of
from controlllm.recipes import Recipe, book, recipe_in, recipe_of, travelling, words_of
from controlllm.recipes import batch as batches
from controlllm.recipes.book import Carried, KeptRecipe, carried_by
from controlllm.recipes.recipe import FORMAT, MOST_CHARACTERS
from controlllm.resources import Resource, decode
from controlllm.resources.probing import BadInput
from controlllm.runs.sent_plans import BadPlan
from controlllm.ui.calls import Call
from controlllm.ui.drawings.batch_view import batches_list
from controlllm.ui.drawings.markup import naming_form
from controlllm.ui.drawings.recipes_view import carried_notice, keep_form, recipe_look, recipes_list
from controlllm.ui.outcome import CLOSED, Outcome, Panel
from controlllm.ui.texts import say
from controlllm.ui.verbs.registry import verb

MOST_WORDS = 50
_LONGEST_NAME = 100


@verb("recipes")
def show_recipes(call: Call) -> Outcome:
    """Show all recipes of the visitor, and their batches."""
    return Outcome(panel=_listed(call))


def _listed(call: Call) -> Panel:
    return Panel("recipes", say("recipes.title"), listing(call), is_wide=True)


def listing(call: Call) -> str:
    """All recipes of the visitor, and their batches, drawn."""
    assistant = call.assistant
    kept = book.kept_by(assistant.store.shelf, call.owner, assistant.toolbox)
    base = f"/conversations/{handle_of(call.session_id)}/recipes"
    return recipes_list(kept, missing(call), batches_list(_batches(call)), base)


def _batches(call: Call) -> list[Any]:
    store, found = call.store, []
    for id, session_id in batches.sessions_of(store.shelf, call.owner):
        with suppress(KeyError):
            at_work = call.conversations.batches.find(id) is not None
            session = store.load(session_id)
            found.append((id, session.title, batches.states_of(session, at_work), at_work))
    return found


def missing(call: Call) -> Mapping[str, str]:
    """The tools that cannot run here, with the reasons."""
    settings = call.settings
    toolbox = call.assistant.toolbox
    return toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)


# Keeping.


@verb("keep-recipe")
def ask_how_to_keep(call: Call) -> Outcome:
    """Ask how a turn is to be kept as a recipe."""
    session = call.session()
    turn = call.turn(session, "recipes.no_request")
    html = keep_form(recipe_made(call, session, turn), words_of(turn), turn.number)
    return Outcome(panel=Panel("keep-recipe", say("recipes.keep_title"), html))


@verb("save-recipe")
def keep_turn(call: Call) -> Outcome:
    """Keep a turn as a recipe."""
    session = call.session()
    turn = call.turn(session, "recipes.no_request")
    words = [str(item) for item in call.field("words", list, [])[:MOST_WORDS]]
    return _kept(call, recipe_made(call, session, turn, name_sent(call), tuple(words)))


def _kept(call: Call, recipe: Recipe) -> Outcome:
    book.keep(call.store.shelf, call.owner, recipe)
    return Outcome(told=say("recipes.kept", name=recipe.name), panel=_listed(call), notice="")


def recipe_made(
    call: Call, session: Session, turn: Turn, name: str = "", words: tuple[str, ...] = ()
) -> Recipe:
    """The recipe of a turn, called after its request where it gets no name."""
    store = call.store

    def read(resource: Resource) -> Any:
        return decode(resource.type, store.path(resource.digest, resource.media_type))

    try:
        toolbox = call.assistant.toolbox
        recipe = recipe_of(session, turn, name, read, words, toolbox)
    except (ValueError, KeyError) as error:
        raise BadInput(str(error)) from None
    return recipe if name else recipe.named_after_request()


def name_sent(call: Call) -> str:
    """The name that was sent; raises BadInput where it is none for a recipe."""
    name = " ".join(call.field("name", str).split())
    if not 0 < len(name) <= _LONGEST_NAME:
        raise BadInput(say("recipes.name_it", most=_LONGEST_NAME))
    return name


# Those of elsewhere.


@verb("open-recipe")
def open_recipe(_: Call) -> Outcome:
    """Have a file chosen that is a recipe, or carries one."""
    return Outcome(panel=CLOSED, opens={"what": "recipe-file", "title": say("recipes.import")})


def look_at_file(call: Call, path: Path) -> Outcome:
    """Look at the recipe that a file is, or carries; raises BadInput where it is none."""
    text = recipe_text(path)
    if text is None and path.suffix.lower() == ".json" and path.stat().st_size > MOST_CHARACTERS:
        raise BadInput(say("recipes.too_long"))
    if text is None:
        text = travelling.read(path, path.name)
    if text is None:
        raise BadInput(say("recipes.no_recipe", file=path.name))
    return look_at(call, text)


def recipe_text(path: Path) -> str | None:
    """The text of a file that is a recipe, and not only something that carries one; None where it
    is none. Raises BadInput where it is too long for one."""
    if path.suffix.lower() != ".json":
        return None
    # A character of UTF-8 is at most four bytes.
    if path.stat().st_size > 4 * MOST_CHARACTERS:
        return None
    text = path.read_text("utf-8", "replace")
    if f'"{FORMAT}"' not in text:
        return None
    if len(text) > MOST_CHARACTERS:
        raise BadInput(say("recipes.too_long"))
    return text


def look_at(call: Call, text: str) -> Outcome:
    """Show a recipe from elsewhere before it is kept; nothing runs."""
    html = recipe_look(read_recipe(call, text), missing(call), text)
    return Outcome(panel=Panel("look-at-recipe", say("recipes.look"), html), notice="")


def read_recipe(call: Call, text: str) -> Recipe:
    """A recipe from elsewhere; raises BadInput where it is none that can be run here."""
    try:
        return recipe_in(text, call.assistant.toolbox)
    except BadPlan as problem:
        raise BadInput(book.told(problem)) from None


@verb("keep-look")
def keep_looked_at(call: Call) -> Outcome:
    """Keep a recipe from elsewhere."""
    return _kept(call, read_recipe(call, call.field("text", str)))


@verb("use-carried")
def look_at_carried(call: Call) -> Outcome:
    """Look at the plan that one of the conversation's files carries."""
    resource = call.session().resource(call.field("value", str))
    path = call.assistant.file(call.session_id, resource.value)[0]
    text = travelling.read(path, resource.value)
    if text is None:
        raise BadInput(say("recipes.no_recipe", file=resource.value))
    return look_at(call, text)


def offered(call: Call, taken: Mapping[str, Path]) -> str:
    """What is said of the plans that files which were just taken in carry, drawn; empty where none
    carries one. `taken` are the names of the files in the conversation, and where each lies."""
    toolbox = call.assistant.toolbox
    found: dict[str, Carried] = {}
    for value, path in taken.items():
        carried = carried_by(path, path.name, toolbox)
        if carried is not None:
            found[value] = carried
    return carried_notice(found) if found else ""


@verb("close-notice")
def close_notice(_: Call) -> Outcome:
    """Leave a plan that a file carries where it is."""
    return Outcome(notice="")


# Those that are kept.


def kept_recipe(call: Call, id: str) -> KeptRecipe:
    """One of the visitor's recipes; raises HTTPException (404) where it is none of theirs."""
    assistant = call.assistant
    try:
        return book.find(assistant.store.shelf, call.owner, id, assistant.toolbox)
    except KeyError:
        raise HTTPException(404, say("recipes.gone")) from None


def usable_recipe(call: Call, id: str) -> Recipe:
    """The same where it can be run; raises BadInput where it cannot."""
    kept = kept_recipe(call, id)
    if kept.recipe is None:
        raise BadInput(say("recipes.cannot", problem=kept.problem))
    return kept.recipe


@verb("rename-recipe")
def ask_for_name(call: Call) -> Outcome:
    """Ask for another name of a recipe."""
    kept = kept_recipe(call, call.field("recipe", str))
    given = {"recipe": kept.id}
    words, action = say("recipes.new_name"), say("recipes.rename")
    html = naming_form("name-recipe", words, kept.name, action, given)
    return Outcome(panel=Panel("rename-recipe", say("recipes.rename"), html))


@verb("name-recipe")
def name_recipe(call: Call) -> Outcome:
    """Give a recipe another name."""
    kept, name = kept_recipe(call, call.field("recipe", str)), name_sent(call)
    book.rename(call.store.shelf, kept, name)
    return Outcome(told=say("recipes.renamed", name=name), panel=_listed(call))


@verb("delete-recipe")
def delete_recipe(call: Call) -> Outcome:
    """Forget a recipe; batches that were made with it stay."""
    kept = kept_recipe(call, call.field("recipe", str))
    call.store.shelf.remove(kept.id)
    return Outcome(told=say("recipes.deleted"), panel=_listed(call))


@verb("run-recipe")
def run_recipe(call: Call) -> Outcome:
    """Ask for what a batch with a recipe needs to begin."""
    id = call.field("recipe", str)
    opens = {"what": "batch", "recipe": id, **needs_of(usable_recipe(call, id))}
    return Outcome(panel=CLOSED, opens=opens)


def needs_of(recipe: Recipe) -> dict[str, Any]:
    """What a batch needs to begin, for the form that asks for it: the label of what is different
    each time (empty where that is nothing), the files that are the same, words, and the choices of
    where something is meant, with the usual one."""
    files, places = recipe.files, recipe.of_kind("place")
    choices = ("same", "anew") if all(item.type == "point" for item in places) else ("same",)
    usual = "same" if all(item.marks for item in places) else choices[-1]
    return {
        "title": say("batch.title", name=recipe.name),
        "each": say("batch.files", label=files[0].label) if files else "",
        "others": [
            {"name": item.name, "label": say("batch.same_each_time", label=item.label)}
            for item in files[1:]
        ],
        "words": [
            {"name": item.name, "label": say("batch.words", label=item.label), "given": item.given}
            for item in recipe.of_kind("words")
        ],
        "places": [[say(f"batch.place_{value}"), value] for value in choices] if places else [],
        "place": usual,
    }
