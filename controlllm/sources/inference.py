"""Which resource types the arguments and results of foreign operations have, told from media types,
formats, names and schemas; each with its reason in words and how sure it is. What ties operations
together is told in ``entities``.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from controlllm.sources.naming import plain
from controlllm.sources.schemas import Schema
from controlllm.sources.source import ForeignArgument

_MEDIA_WORDS: Mapping[str, frozenset[str]] = {
    "image": frozenset(
        "image images img photo photos picture pictures pic avatar logo icon thumbnail png jpeg "
        "jpg screenshot portrait poster frame".split()
    ),
    "audio": frozenset(
        "audio sound voice speech recording music song wav mp3 podcast track sample".split()
    ),
    "video": frozenset("video clip film movie mp4 footage".split()),
}
#: Endings of components' names that say what a schema is for, not what it is of.
_ENDING = re.compile(
    r"_(?:out|read|response|dto|schema|public|model|in_db|details?|summary|results?|info|view|"
    r"entity|list_item|item|data|object|resource|record|ref)$"
)
#: A name of what tells one thing from others of its kind: what kind, and how it is told.
IDENTIFIER = re.compile(
    r"(.*?)_?(id|uuid|guid|code|key|slug|isbn|sku|ref|handle|number|symbol|ticker|iata|icao|isin)"
)
#: Names of lists in an answer, first that of a list that may as well be a part of one thing.
_LISTS = ("items", "results", "data", "records", "entries", "hits", "content", "values", "list")
_PAGES = frozenset(_LISTS[1:])
#: Names that tell a thing from others of its kind wherever they stand, those that tell it from
#: others unless a page of a list stands around them, and how a thing is called.
_OWN = frozenset("id uuid guid slug isbn sku iata icao isin ticker".split())
_OFTEN_OWN = frozenset("code key number symbol ref handle".split())
_CALLED = frozenset("name title".split())
#: What stands beside a list in an answer that is only around it.
_AROUND = re.compile(
    r"(?:.*_)?(?:totals?|counts?|pages?|per_page|limit|offset|next|"
    r"prev|previous|cursor|has_more|more|links?|meta|metadata|paging|pagination|message|msg|success|"
    r"errors?|ok)(?:_.*)?"
)
_WRAPPERS = ("data", "result", "response", "payload", "body", "item")
SEARCH = frozenset("q query search name text term keyword keywords title phrase".split())
#: Words that end in "ie" where there is one of them.
_WITH_IE = re.compile(
    r"(?:^|_)(?:mov|cook|calor|zomb|self|brown|hood|gen|rook|bird|budg|smooth|group|prair|t|p)ies$"
)
#: What an operation that is posted only computes or looks up. A word that may also mean a deed
#: ("check" out, "resolve" a ticket) is not among them: to be asked once too often harms nobody.
_READS = frozenset(
    "search query find lookup calculate compute translate detect classify predict analyze analyse "
    "estimate compare preview summarize summarise transcribe recognize recognise geocode".split()
)
#: With what a name begins that is of a read, whatever else stands in it ("get_update_status").
_ASKS = _READS | frozenset("get list read fetch show view describe count is has check".split())
#: What a name says of an act, whatever its server says: careless ones do it although they are only
#: asked, and lying ones call it a read. Words that are as often things ("order", "book", "post")
#: are not among them.
_DEEDS = frozenset(
    "delete remove send create update cancel pay publish submit reset restart shutdown unsubscribe "
    "purchase transfer execute trigger insert destroy drop kill revoke approve reject buy donate "
    "withdraw refund write overwrite edit modify rename upload add erase wipe purge install "
    "uninstall deploy enable disable grant invite ban".split()
)
_FURTHER = frozenset(("and", "or", "then"))


def betrays_act(name: str) -> bool:
    """Whether a tool's name, plain, says that it does something rather than tell something.

    Any word of it may, since names often begin with a service's ("bank_send_money"); in one that
    begins as a read only what it does besides ("get_or_create").
    """
    words = name.split("_")
    if words[0] in _ASKS:
        words = [word for before, word in pairwise(words) if before in _FURTHER]
    return not _DEEDS.isdisjoint(words)


@dataclass(frozen=True)
class Inferred:
    """A type with the reason in words and how sure it is, 0..1."""

    type: str
    why: str
    confidence: float
    part: str = ""
    take: tuple[str | int, ...] = ()

    def to_json(self, about: str) -> dict[str, Any]:
        """As it is kept with a tool; `about` is an argument's name, or ``result``."""
        told = {"about": about, "type": self.type, "why": self.why}
        return {**told, "confidence": self.confidence}


@dataclass(frozen=True)
class Wanted:
    """An argument of an operation: its name here and on the wire, where it goes, its schema."""

    name: str
    wire: str
    where: str
    schema: Schema
    is_required: bool


@dataclass(frozen=True)
class Operation:
    """What types are told from: a method and path, what is wanted, what comes back.

    `result` is the schema of the answer, `fields` those of the object in it, and `take` the way to
    that object: empty where the answer itself is it, else names and places of lists.
    """

    name: str
    method: str
    path: str
    wanted: tuple[Wanted, ...]
    media_type: str = ""
    result: Schema | None = None
    fields: Mapping[str, Schema] = field(default_factory=dict)
    take: tuple[str | int, ...] = ()
    entity: str = ""

    @property
    def is_list(self) -> bool:
        return 0 in self.take

    @property
    def called(self) -> tuple[str, str]:
        """What it is called, plain: by its name, and by the last part of its path."""
        last = next((part for part in reversed(self.path.split("/")) if part), "")
        return self.name, plain(last)


def value_type(name: str, schema: Schema, media_type: str = "", about: str = "") -> Inferred:
    """The type of a value by itself.

    `media_type` is that of the whole content it is; `about` are words of the operation, which count
    where nothing nearer says which kind of file it is.
    """
    told = media_type or schema.media_type
    medium = told.partition("/")[0]
    if medium in _MEDIA_WORDS:
        return Inferred(medium, f"Its media type is {told}.", 0.95)
    if told in ("text/html", "application/xhtml+xml"):
        return Inferred("html", f"Its media type is {told}.", 0.95)
    if schema.is_binary or schema.is_base64 or told == "application/octet-stream":
        nearest = ((name, 0.8), (schema.title, 0.7), (schema.description, 0.6), (about, 0.5))
        for text, sure in nearest:
            said = set(plain(text or "x", most=1000).split("_"))
            for medium, words in _MEDIA_WORDS.items():
                if found := sorted(words & said):
                    why = f"It is a file, and {found[0]!r} is said of it."
                    return Inferred(medium, why, sure)
        return Inferred("text", "It is a file, and nothing says of which kind.", 0.3)
    if schema.type in ("number", "integer"):
        return Inferred("number", f"Its schema says {schema.type}.", 0.95)
    if schema.type == "boolean":
        return Inferred("text", "Its schema says true or false.", 0.8)
    if schema.type in ("object", "array"):
        return Inferred("text", f"It is JSON ({schema.type}).", 0.8)
    if told.startswith("text/") or schema.type == "string":
        if "html" in plain(name or "x").split("_"):
            return Inferred("html", "Its name says HTML.", 0.6)
        return Inferred("text", f"Its {'media type' if told else 'schema'} says text.", 0.9)
    return Inferred("text", "Nothing says what it is, so it is taken as text.", 0.4)


def argument_type(wanted: Wanted, media_type: str = "", about: str = "") -> Inferred:
    """The type of an argument, entities aside; see `value_type`.

    A number that has to be given is said in words, and words are what a text argument takes; it is
    sent as the number that they say.
    """
    found = value_type(wanted.wire, wanted.schema, media_type, about)
    if found.type == "number" and wanted.is_required:
        why = f"Its schema says {wanted.schema.type}, and a request says it in words."
        return Inferred("text", why, 0.8)
    return found


def typed_arguments(
    operation: Operation,
    arguments: Sequence[ForeignArgument],
    taken: Mapping[tuple[str, str], Inferred],
    about: str,
    reasons: list[dict[str, Any]],
) -> tuple[ForeignArgument, ...]:
    """An operation's arguments with their types, the reasons of which are added to `reasons`;
    `taken` are those that take a part of an entity."""
    typed = []
    for argument, wanted in zip(arguments, operation.wanted, strict=True):
        media_type = str(argument.call.get("media_type") or "")
        found = taken.get((operation.name, argument.name))
        found = found or argument_type(wanted, media_type, about)
        reasons.append(found.to_json(argument.name))
        typed.append(replace(argument, type=found.type, part=found.part))
    return tuple(typed)


def result_type(operation: Operation) -> Inferred:
    """The type of what an operation returns, entities aside."""
    schema = operation.result
    if schema is None:
        if operation.media_type:
            return value_type("", Schema(), operation.media_type)
        return Inferred("text", "It returns no content.", 0.9)
    if "json" not in operation.media_type:
        return value_type(operation.name, schema, operation.media_type)
    for name, item in operation.fields.items():
        if not operation.is_list and (item.is_base64 or item.media_type):
            found = value_type(name, item)
            if found.type in _MEDIA_WORDS:
                why = f"{name!r} of its answer is it. {found.why}"
                return Inferred(found.type, why, found.confidence, take=(*operation.take, name))
    if schema.is_base64:
        return value_type(operation.name, schema)
    return value_type("", schema)


def acts_outside(operation: Operation) -> bool:
    """Whether an operation may do what cannot be taken back: all that are not clearly reads."""
    betrayed = any(map(betrays_act, operation.called))
    if operation.method in ("get", "head"):
        return betrayed
    if operation.method == "post" and operation.media_type.partition("/")[0] in _MEDIA_WORDS:
        return False  # what answers with a picture has made it, and nothing else
    is_read = any(name.split("_")[0] in _READS for name in operation.called)
    return operation.method != "post" or not is_read or betrayed


def entity_of(component: str, path: str, things: Container[str] = ()) -> str:
    """What an object is, from its component's name or else its path: ``CityOut`` is a city.

    `things` are what the document has components of, see `things_of`: where there are orders, an
    ``OrderItem`` is no order.
    """
    name = _without_endings(component, things)
    if not name or name.startswith(("response_", "page_", "paginated_", "list_")):
        parts = [plain(part) for part in path.split("/") if part and not part.startswith("{")]
        if len(parts) > 1 and parts[-1] in _READS | SEARCH:
            parts.pop()  # of "/films/search" the films are what is found
        name = singular(parts[-1]) if parts else ""
    return name


def things_of(components: Iterable[str]) -> frozenset[str]:
    """What a document has components of, items of something else aside."""
    told = (_without_endings(name, None) for name in components)
    return frozenset(name for name in told if name and not name.endswith("_item"))


def _without_endings(component: str, things: Container[str] | None) -> str:
    """A component's name without what says what it is for; an item of one of the `things`, or of
    anything where they are None, stays one."""
    name = plain(component, "") if component else ""
    while found := _ENDING.search(name):
        before = name[: found.start()]
        if found[0] == "_item" and (things is None or before in things):
            break
        name = before
    return name


def list_in(fields: Mapping[str, Schema], component: str = "") -> str:
    """The field of an object that holds the list which is asked for; empty where none does.

    An object that is one thing, told from others by an identifier of its own or called by a name,
    has its lists for itself. `component` is what the object's component is called.
    """
    if _is_one_thing(fields, component):
        return ""
    lists = [name for name, item in fields.items() if item.type == "array"]
    usual = [name for name in lists if plain(name, "") in _LISTS]
    return (usual or (lists if len(lists) == 1 and len(fields) <= 4 else [""]))[0]


def _is_one_thing(fields: Mapping[str, Schema], component: str) -> bool:
    spelt = {plain(name, ""): item for name, item in fields.items()}
    single = {name for name, item in spelt.items() if item.type not in ("object", "array")}
    entity = _without_endings(component, ())
    own = {f"{entity}_{name}" for name in _OWN | _OFTEN_OWN} if entity else set()
    if single & (_OWN | own):
        return True
    if "code" in single and ("status" in single or spelt["code"].type != "string"):
        single.discard("code")  # how it went
    is_page = any(item.type == "array" and name in _PAGES for name, item in spelt.items())
    is_around = any(
        item.type != "array" and _AROUND.fullmatch(name) for name, item in spelt.items()
    )
    return not is_page and not is_around and bool(single & (_OFTEN_OWN | _CALLED))


def wrapped_in(fields: Mapping[str, Schema]) -> str:
    """The field of an object under which the thing itself lies; empty where it is the thing."""
    known = {plain(name, ""): name for name, item in fields.items() if item.properties}
    if any(IDENTIFIER.fullmatch(plain(name, "")) for name in fields):
        return ""
    return next((known[name] for name in _WRAPPERS if name in known), "")


def singular(word: str) -> str:
    """An English word for one of what it is a word for many of."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-1] if _WITH_IE.search(word) else f"{word[:-3]}y"
    if re.search(r"(?:ss|sh|ch|x|z)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
