"""A caption made of what the models see: what there is, where, in which colours, and text."""

from __future__ import annotations

from collections.abc import Sequence

import PIL.Image

from controlllm.resources import Box
from tools.models import colours
from tools.models.boxes import area
from tools.models.scene import Scene, in_sentence

_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()
_IRREGULAR = {
    "person": "people", "sheep": "sheep", "mouse": "mice", "knife": "knives", "bus": "buses",
    "skis": "skis", "scissors": "scissors", "fish": "fish", "wolf": "wolves", "bench": "benches",
    "couch": "couches", "wine glass": "wine glasses", "toothbrush": "toothbrushes",
    "sandwich": "sandwiches", "butterfly": "butterflies", "tv": "TVs",
}  # fmt: skip
#: Objects whose main colour is worth a word; of a person it would be the clothes.
_COLOURLESS = frozenset({"person", "face", "sign", "tv", "laptop", "zebra", "oven", "microwave"})


def describe(image: PIL.Image.Image, *, read_text: bool = True) -> str:
    """One to three sentences on what the picture shows; nothing that the models do not see.

    `read_text` also looks for text, which takes most of the time.
    """
    return describe_scene(Scene(image), read_text=read_text)


def describe_scene(scene: Scene, *, read_text: bool = True) -> str:
    """The caption of a scene; see `describe`."""
    sentences = [_contents(scene, read_text)]
    text = " / ".join(line.text for line in scene.lines[:4]) if read_text else ""
    if text:
        sentences.append(f"The text in it reads “{text}”.")
    setting = []
    if scene.setting and "landscape" not in sentences[0]:
        setting.append(f"it was probably taken {scene.setting}")
    if scene.brightness < 0.2:
        setting.append("it is dark")
    if setting:
        sentences.append(" and ".join(setting).capitalize() + ".")
    return " ".join(sentences)


def _contents(scene: Scene, read_text: bool) -> str:
    groups = grouped(scene.objects)
    if not groups:
        return _without_objects(scene, read_text)
    large = [g for g in groups if area(g[0]) > 0.01 * scene.image.width * scene.image.height]
    main = (large or groups)[:5]
    parts = [_group_in_words(group, scene, first=position == 0) for position, group in
             enumerate(main)]  # fmt: skip
    return sentence(f"{listed(parts)}.")


def _without_objects(scene: Scene, read_text: bool) -> str:
    if read_text and len(scene.lines) >= 4:
        return f"A picture of text, {counted(len(scene.lines), 'line')} of it."
    best = scene.whole[0]
    if best.score >= 0.6:
        name = with_article(in_sentence(best.name))
        return f"The picture most likely shows {name} ({best.score:.0%} sure)."
    if scene.faces:
        return sentence(f"{counted(len(scene.faces), 'face')} can be seen.")
    names = colours.in_words(colours.main_colours(scene.image))
    return f"A mostly {names} picture in which I recognise no object for sure."


def grouped(boxes: Sequence[Box]) -> list[list[Box]]:
    """The boxes of each label together, in the order of their first one."""
    groups: dict[str, list[Box]] = {}
    for box in boxes:
        groups.setdefault(box.label, []).append(box)
    return list(groups.values())


def _group_in_words(group: list[Box], scene: Scene, *, first: bool) -> str:
    label = group[0].label
    if len(group) > 1:
        return counted(len(group), label)
    box = group[0]
    share = area(box) / (scene.image.width * scene.image.height)
    plain = label in _COLOURLESS or share < 0.02
    names = () if plain else colours.main_colours(scene.image, box)[:2]
    words = f"{colours.in_words(names)} {label}".strip()
    text = with_article(words)
    kind = scene.kind(box) if first else None
    if kind is not None and kind.score >= 0.6 and label not in kind.name.split()[0]:
        certainty = "most likely" if kind.score >= 0.8 else "perhaps"
        text += f" ({certainty} {with_article(kind.name)})"
    return text if share > 0.45 else f"{text} {scene.place(box)}"


def with_article(words: str) -> str:
    """The words with "a" or "an" before them, where they take one."""
    if words.endswith(("skis", "scissors", "sunglasses")):
        return words
    silent = words.lower().startswith(("hour", "honest"))
    vowel = words[:1].lower() in "aeiou" and not words.lower().startswith(("uni", "one", "use"))
    return f"{'an' if vowel or silent else 'a'} {words}"


def plural(label: str) -> str:
    """The plural of a class name."""
    if label in _IRREGULAR:
        return _IRREGULAR[label]
    if label.endswith(("s", "x", "ch", "sh")):
        return label + "es"
    if label.endswith("y") and label[-2] not in "aeiou":
        return label[:-1] + "ies"
    return label + "s"


def counted(count: int, label: str) -> str:
    """ "one dog", "two dogs", "14 dogs"."""
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    return f"{number} {label if count == 1 else plural(label)}"


def listed(parts: Sequence[str]) -> str:
    """ "a, b and c"."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def sentence(words: str) -> str:
    """The words with a capital letter at the start."""
    return words[:1].upper() + words[1:]
