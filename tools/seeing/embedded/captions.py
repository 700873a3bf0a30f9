"""A caption made of what the models see: what there is, how it stands together, where, and text."""

from __future__ import annotations

from controlllm.resources import Box

from ...shared.boxes import area, centre, distance, inside
from . import (
    clothing,
    colours,
    imagenet,
    relations,
    setting,
    things,
)
from .grammar import (
    counted,
    grouped,
    listed,
    sentence,
    with_article,
)
from .imagenet import in_sentence
from .scene import Scene

_ANIMALS = things.GROUPS["animal"]
_LARGE_VEHICLES = frozenset({"car", "truck", "bus", "train"})
#: Of animals only these have one colour; food and plants have none that is worth a word.
_ONE_COAT = frozenset({"dog", "cat", "horse", "bear"})
_BUILDINGS = (497, 483, 698, 663, 668, 832, 442, 425, 437, 449, 580, 682, 873, 900)
_LIKE_SKIN = frozenset({"beige", "brown", "pink"})
_BARELY, _DOUBTED = 0.5, 0.45
#: The name of what the classifier sees in the whole picture is said from here on.
_WHOLE_SURE = 0.8


def describe_scene(scene: Scene, *, read_text: bool = True) -> str:
    """One to three sentences on what the picture shows; nothing that the models do not see.

    `read_text` also looks for text, which takes most of the time.
    """
    cover = setting.surroundings(scene) if scene.objects else ""
    place = setting.room_or_open_air(scene)
    contents = _contents(scene, read_text, cover)
    sentences = [contents]
    if read_text and scene.legible and "A picture of text" not in contents:
        text = " / ".join(line.label for line in scene.legible[:4])
        sentences.append(f"The text in it reads “{text}”.")
    elif read_text and scene.legible:
        sentences.append(f"It begins “{scene.legible[0].label}”.")
    about = []
    if place and not cover:
        about.append(f"it was probably taken {place}")
    if place == "outdoors" and setting.blue_sky(scene) and "sky" not in contents:
        about.append("the sky is blue")
    if scene.brightness < 0.2:
        about.append("it is dark")
    if scene.is_grey and scene.objects:
        about.append("it is in black and white")
    if about:
        sentences.append(sentence(listed(about)) + ".")
    return " ".join(sentences)


def _contents(scene: Scene, read_text: bool, cover: str) -> str:
    shown = _worth_telling(scene)
    if not shown:
        return _without_objects(scene, read_text)
    groups = grouped(shown)
    main = _subject(groups, scene)
    words = _named_group(main, scene, subject=True)
    if _side_by_side(main):
        words += " side by side"
    phrases, used = _doings(main, [box for box in shown if box not in main], scene)
    words += "".join(f" {phrase}" for phrase in phrases).replace(" ,", ",")
    portrait = words.startswith("a portrait")
    if not phrases and len(main) == 1 and not portrait and scene.share(main[0]) < 0.45:
        words += f" {scene.place(main[0])}"
    rest = [[box for box in group if box not in [*main, *used]] for group in groups]
    rest = [group for group in rest if group][:3]
    if rest:
        named, rest = _riders(rest, scene)
        for group in rest:
            place = f" {scene.place(group[0])}" if len(group) == 1 else ""
            named.append(_named_group(group, scene) + (place if len(rest) < 3 else ""))
        joint = ", with" if phrases else " and" if len(named) == 1 else ","
        words += f"{joint} {listed(named)}"
    extra = _more_in_all(shown, scene)
    if extra:
        words += f", and {'most likely' if scene.whole.score > 0.9 else 'perhaps'} "
        words += with_article(extra)
    if cover:
        words += f"{',' if phrases or rest or extra else ''} {cover}"
    return sentence(f"{words}.")


def _more_in_all(shown: list[Box], scene: Scene) -> str:
    """What the classifier is sure to see in the whole picture and no box shows."""
    best = scene.whole
    number = imagenet.class_names().index(best.name)
    known = {box.label for box in scene.doubtful}
    if best.score < _WHOLE_SURE + 0.05 or number in imagenet.SCENERY or len(shown) > 1:
        return ""
    named_alike = {*best.name.lower().split()} & {*" ".join(known).split()}
    told = named_alike or imagenet.everyday_names()[number] in known
    return "" if told else in_sentence(best.name)


def _worth_telling(scene: Scene) -> list[Box]:
    """The objects without small doubtful ones, and without a second name for the same thing."""
    kept: list[Box] = []
    for box in scene.objects:
        if (scene.share(box) < 0.02 and box.score < _BARELY) or _only_guessed(box, scene):
            continue
        double = any(
            inside(box, other) > 0.8
            and any({box.label, other.label} <= kind for kind in (_ANIMALS, _LARGE_VEHICLES))
            and (box.label != other.label or box.score < 0.6)
            for other in kept
        )
        if not double:
            kept.append(box)
    large = [box for box in kept if scene.share(box) > 0.004]
    return large or kept


def _only_guessed(box: Box, scene: Scene) -> bool:
    """Whether only the classifier sees it, and not in the picture as a whole."""
    if box.label in things.COCO_CLASSES or box.score >= 0.7 or scene.share(box) < 0.05:
        return False
    numbers = things.IMAGENET.get(box.label, ())
    return float(scene.likely[list(numbers)].sum()) < 0.15


def _subject(groups: list[list[Box]], scene: Scene) -> list[Box]:
    """The group that the picture is about: living things before furniture, large before small."""

    def weight(group: list[Box]) -> float:
        box = group[0]
        large = max(sum(scene.share(one) for one in group), 0.001) ** 0.5
        alive = 2.4 if box.label in things.ALIVE else 1.0
        furniture = 0.4 if box.label in relations.SUPPORTS - relations.RIDDEN else 1.0
        middle = sum(centre(one)[0] for one in group) / len(group)
        across = abs(middle / scene.image.width - 0.5)
        return box.score * large * alive * furniture * (1 - 0.6 * across)

    best = max(groups, key=weight)
    riders = [g for g in groups if any(relations.rides(a, b) for a in g for b in best)]
    return riders[0] if riders else best


def _riders(groups: list[list[Box]], scene: Scene) -> tuple[list[str], list[list[Box]]]:
    """Of other things in the picture, who rides what, in words, and the groups that are left."""
    boxes = [box for group in groups for box in group]
    words: list[str] = []
    used: list[Box] = []
    for one in boxes:
        for other in boxes:
            if one not in used and other not in used and relations.rides(one, other):
                words.append(f"a person riding {_named_group([other], scene)}")
                used += [one, other]
    left = [[box for box in group if box not in used] for group in groups]
    return words[:2], [group for group in left if group]


def _side_by_side(group: list[Box]) -> bool:
    """Whether two to six people of about one size stand or sit close together."""
    if group[0].label != "person" or not 2 <= len(group) <= 6:
        return False
    heights = [box.bottom - box.top for box in group]
    row = sorted(group, key=lambda box: box.left)
    pairs = list(zip(row, row[1:], strict=False))
    close = all(distance(a, b) < 0.25 * (a.right - a.left) for a, b in pairs)
    level = all(abs(a.bottom - b.bottom) < 0.15 * max(heights) for a, b in pairs)
    apart = all(inside(a, b) < 0.6 and inside(b, a) < 0.6 for a, b in pairs)
    return close and level and apart and min(heights) > 0.65 * max(heights)


def _doings(main: list[Box], others: list[Box], scene: Scene) -> tuple[list[str], list[Box]]:
    """How the subject stands to the other things, in words, and which things those are."""
    tests = (
        ("riding", relations.rides),
        ("holding", lambda one, other: other.label in relations.HELD and relations.has(one, other)),
        ("with", relations.has),
        ("on", relations.rests_on),
    )
    phrases: list[str] = []
    used: list[Box] = []
    for word, holds in tests:
        if word == "on" and any(phrase.startswith("riding") for phrase in phrases):
            continue
        found = [box for box in others if box not in used and any(holds(one, box) for one in main)]
        if not found:
            continue
        used += found
        names = [_named_group(group, scene) for group in grouped(found)][:3]
        verb = "wearing" if word == "with" and found[0].label == "tie" else word
        # Whose a bag or an umbrella is cannot be told of people who stand close together.
        if word == "holding" and len(main) > 1 and found[0].label == "umbrella":
            verb = "with"
        if verb in ("riding", "holding", "wearing") and len(found) < len(main) <= 6:
            verb = f", one of them {verb}"
        verb = "on" if word == "riding" and found[0].label in ("skis", "skateboard") else verb
        phrases.append(f"{verb} {listed(names)}")
    if phrases or len(main) > 3 or not others:
        return phrases, used
    near = max(others, key=area)
    if any(relations.rides(one, near) for one in others):
        return phrases, used
    words = {relations.relation(one, near) for one in main}
    if len(words) == 1 and words <= {"in front of", "behind", "beside"}:
        group = [box for box in others if box.label == near.label]
        if len(group) == 1:
            return [f"{words.pop()} {_named_group(group, scene)}"], group
    return [], []


def _named_group(group: list[Box], scene: Scene, *, subject: bool = False) -> str:
    label = group[0].label
    count = max(len(group), scene.people) if label == "person" and subject else len(group)
    doubted = subject and max(box.score for box in group) < _DOUBTED and label != "person"
    if count > 1:
        more = " or more" if count > 6 else ""
        words = counted(count, label).replace(" ", f"{more} ", 1)
        return f"what may be {words}" if doubted else words
    box = group[0]
    if label == "person" and subject and not scene.is_grey:
        worn = clothing.colours_of(scene, box, "clothes")
        sure = len(worn) == 1 and worn[0] not in _LIKE_SKIN and scene.brightness > 0.2
        person = f"a person in {worn[0]}" if sure else "a person"
        face = max(map(scene.share, scene.faces), default=0.0)
        return f"a portrait of {person}" if scene.people == 1 and face > 0.03 else person
    colour = ""
    plain = label in things.that_are("painted") or (subject and label in _ONE_COAT)
    if plain and scene.share(box) >= 0.02 and not scene.is_grey:
        colour = colours.sure_in_box(scene.image, box)
    text = with_article(f"{colour} {label}".strip())
    text = f"what may be {text}" if doubted else text
    # Of vehicles the classifier is often sure of a wrong kind.
    kind = scene.kind(box) if subject and label not in things.GROUPS["vehicle"] else None
    if kind is not None and kind.score >= 0.8 and (label, kind.name) == ("cup", "espresso"):
        return f"{text} of coffee"
    if kind is not None and kind.score >= 0.6 and label not in kind.name.split()[0]:
        certainty = "most likely" if kind.score >= 0.8 else "perhaps"
        text += f" ({certainty} {with_article(kind.name)})"
    return text


def _without_objects(scene: Scene, read_text: bool) -> str:
    if read_text and len(scene.legible) >= 4:
        return f"A picture of text, {counted(len(scene.lines), 'line')} of it."
    if scene.faces:
        if len(scene.faces) == 1 and scene.share(scene.faces[0]) > 0.08:
            return "A face, seen close up."
        return sentence(f"{counted(len(scene.faces), 'face')} can be seen.")
    best = scene.whole
    if best.score >= _WHOLE_SURE:
        name = with_article(in_sentence(best.name))
        return f"The picture most likely shows {name} ({best.score:.0%} sure)."
    before = " before a blue sky" if setting.blue_sky(scene) else ""
    building = float(scene.likely[list(_BUILDINGS)].sum())
    if building > 0.45:
        perhaps = f", perhaps {with_article(in_sentence(best.name))}" if best.score > 0.35 else ""
        return f"A building{perhaps}{before}."
    if before:
        return "A mostly blue picture, perhaps of the sky; I recognise no object in it for sure."
    names = listed(colours.main_colours(scene.image))
    return f"A mostly {names} picture in which I recognise no object for sure."
