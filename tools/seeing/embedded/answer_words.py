"""The wording that answers about a picture share: names, what is seen, and what is not."""

from __future__ import annotations

import re

from tools.seeing.embedded import imagenet, phrases
from tools.seeing.embedded.scene import Scene
from tools.seeing.embedded.scene_description import describe_scene, with_article
from tools.seeing.embedded.vocabulary import COCO_CLASSES, GROUPS, classes_of, is_plural

#: Small things that detectors overlook more often than they see them.
_SMALL = frozenset(
    "spoon fork knife cup bottle remote mouse tie book clock toothbrush scissors handbag backpack "
    "vase bowl keyboard frisbee skis kite banana apple orange carrot sandwich donut bird".split()
    + ["cell phone", "sports ball", "wine glass", "baseball bat", "baseball glove", "hot dog"]
    + ["hair drier", "traffic light", "parking meter", "potted plant", "umbrella"]
)
_OWNERS = r"(?:his|her|their|its|my|your|our|(?:the |an? |this |that )?(?:[a-z-]+ ){0,2}[a-z-]+'s?)"
_ARTICLE = re.compile(r"^(?:the|an?|this|that|these|those|any|some|all)\s+")
_ANYBODY = re.compile(r"^(?:any|some)(?:one|body)\b")
_PRONOUN = re.compile(r"^(?:he|she|they|him|her|them)$")


def seen(scene: Scene, *, read_text: bool = True) -> str:
    """The caption as something said: "I see a dog in the middle"."""
    caption = describe_scene(scene, read_text=read_text)
    if not scene.objects:
        return caption
    caption = re.sub(r"^A portrait of ", "", caption)
    return f"I see {caption[0].lower()}{caption[1:]}"


def absent(scene: Scene, thing: str) -> str:
    """That a thing is not seen, and what is."""
    return f"I see no {bare(thing)} in the picture. {seen(scene, read_text=False)}"


def not_there(thing: str) -> str:
    """The answer where something asked for is not seen: a "no" only for what is hard to miss."""
    noun = phrases.parse(thing).noun
    kinds = classes_of(noun)
    known = kinds & {*COCO_CLASSES, *imagenet.members()} or noun in GROUPS
    if known and not kinds & _SMALL:
        return f"No, I see no {re.sub(r'^(?:an?|any|some) ', '', thing)} in the picture."
    one = bare(thing) if is_plural(thing.split()[-1]) else with_article(bare(thing))
    why = "something so small is easily missed" if known else "it is nothing I know well by sight"
    return f"I do not see {one}, but I cannot be sure: {why}."


def bare(thing: str) -> str:
    """A thing without its article and owner: "suit" for "the woman's suit"."""
    thing = re.sub(rf"^{_OWNERS}\s+", "", thing)
    return _ARTICLE.sub("", thing)


def owner(thing: str) -> str:
    """Whom a thing belongs to, as words to look for: "the woman", "person"; else nothing."""
    of = re.search(r"\b(?:of|on|worn by) ((?:the|this|that|an?) .+)$", thing)
    if of:
        return of[1]
    by = re.match(rf"^({_OWNERS})\s+", thing)
    if by is None:
        return ""
    who = re.sub(r"'s?$", "", by[1])
    return who if by[1] not in "his her their its my your our".split() else "person"


def someone(thing: str) -> str:
    """The words to look for where a pronoun stands for a person."""
    return "person" if _PRONOUN.match(thing) else _ANYBODY.sub("person", thing)


def named(thing: str) -> str:
    """The thing with "a" before it, unless it is plural."""
    words = re.sub(r"^(?:the|an?|any|some)\s+", "", thing)
    return words if is_plural(words.split()[-1]) else with_article(words)


def definite(thing: str) -> str:
    """The thing with "the" before it, unless somebody's name stands there."""
    if re.match(rf"^(?:the|these|those|this|that)\b|^{_OWNERS} ", thing):
        return thing
    return f"the {re.sub(r'^an? ', '', thing)}"


def tidy(thing: str) -> str:
    """What a question names, without "in the picture" and the like after it."""
    thing = re.sub(
        r"\s+(?:(?:in|on|of|from) (?:the|this|that|my|it)(?: (?:picture|image|photo|photograph|"
        r"scene|shot))?|here|there|visible|present|shown|seen|in total|altogether|can you see|"
        r"do you see|are there|is there|are visible|is visible|are|is)$",
        "",
        thing.strip(" ,?"),
    )
    return re.sub(r"\s+(?:are|is) (?:there|in|on|visible|shown).*$", "", thing).strip()
