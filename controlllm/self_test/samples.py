"""Something to work on for every tool: real input of each type, made of what ships with the
project and its packages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from controlllm.layout import ASSETS
from controlllm.resources import Box, ClickedPoint, Clip, DocumentFile, Label, Region, Sound
from controlllm.resources.animations import MOVING, MovingFile
from controlllm.toolbox import Argument, Context, Tool, Toolbox

PICTURES = ASSETS / "examples"

#: A made-up report, so that it belongs to nobody.
PASSAGE = (
    "The night train from Hamburg to Vienna was cancelled on Monday after a storm brought down "
    "trees near Passau. About two hundred passengers waited in the station hall, where Maria "
    "Huber, who runs the bakery, handed out tea and bread free of charge. A replacement bus left "
    "at two in the morning. The railway apologised and said that the line would be open again by "
    "noon; it will pay back every ticket. Many travellers praised the helpers and complained "
    "about the railway's silence."
)

#: What other texts than passages are, by the argument's name; a tool's own first example where
#: there is nothing here.
_TEXTS: Mapping[str, str] = {
    "text": PASSAGE,
    "description": PASSAGE,
    "title": "A night at the station",
    "language": "German",
    "labels": "travel, cooking, sport",
    "condition": "the cat",
    "query": "cat",
}
_TEXTS_OF_TOOL: Mapping[tuple[str, str], str] = {
    ("image_question_answering", "question"): "What animal is in the picture?",
    ("video_question_answering", "question"): "What can be seen in this video?",
    ("question_answering", "question"): "Who handed out tea?",
    ("wikipedia_simple_search", "text"): "Ada Lovelace",
    ("text_to_speech", "text"): "The night train leaves at nine, and the bus at two.",
    ("search_movie", "title"): "Casablanca",
    ("select_category", "condition"): "animals",
    ("get_location", "place"): "Where is Vienna?",
    ("video_cutting", "prompt"): "Keep the first two seconds.",
    ("cut_audio", "prompt"): "Keep the first two seconds.",
    ("burn_subtitles", "subtitles"): "1\n00:00:00,500 --> 00:00:02,500\nThe night train leaves.\n",
    ("change_subtitles", "text"): "1\n00:00:00,500 --> 00:00:02,500\nThe night train leaves.\n",
    ("change_subtitles", "prompt"): "They come 2 seconds too early; shift them.",
    ("protect_pdf", "words"): "The password is tulip7.",
    ("unlock_pdf", "words"): "The password is tulip7.",
    ("write_on_image", "words"): "The station cat",
    ("add_watermark", "words"): "The station cat",
    ("write_on_video", "words"): "The station cat",
    ("replace_words", "prompt"): "replace train by bus",
    ("count_words", "word"): "the",
    ("compare_texts", "other"): PASSAGE.replace("Monday", "Tuesday"),
    ("make_qr_code", "text"): "https://example.org/night-train",
    ("make_tone", "text"): "a 440 Hz tone for one second",
    ("extract_contacts", "text"): "Write to maria.huber@example.org or call +43 1 234 56 78.",
    ("table_question", "question"): "What is the total of tickets?",
    ("check_sums", "text"): "2 x Coffee 7.60\n1 x Croissant 2.40\nTotal 10.00\n",
    ("sort_table", "prompt"): "Sort it by tickets, the most first.",
    ("filter_table", "prompt"): "Only the rows with Vienna.",
    ("group_table", "prompt"): "The total of tickets for each town.",
    ("add_column", "prompt"): "Add a running total of the tickets.",
    ("change_columns", "prompt"): "Rename tickets to Sold and put the town first.",
    ("compare_tables", "prompt"): "Which days are in both tables?",
    ("draw_chart", "prompt"): "A bar chart of tickets by town.",
    ("cover_words", "words"): "Black out all the text.",
    ("zip_texts", "texts"): PASSAGE,
}

#: Settings without which a tool does not know what to do.
_SETTINGS_OF_TOOL: Mapping[str, Mapping[str, Any]] = {
    "resize_image": {"size": "50%"},
    "crop_to_shape": {"shape": "1:1"},
    "resize_video": {"size": "50%"},
    "convert_image": {"format": "jpeg"},
    "cover_passage": {"passage": "0..0.5"},
    "tint_image": {"style": "sepia"},
    "recolor_video": {"look": "grey"},
    "change_video_volume": {"way": "louder"},
    "extract_pages": {"pages": "1"},
    "split_pdf": {"every": 1},
    "change_animation": {"speed": 2.0},
}

#: A made-up table, as a person hands one over.
_TABLE = (
    "day,town,tickets\n2026-03-02,Vienna,120\n2026-03-02,Hamburg,85\n2026-03-03,Vienna,97\n"
    "2026-03-03,Passau,12\n2026-04-01,Hamburg,140\n"
)

#: Where a cat would show nothing.
_PHOTOS_OF_TOOL = {"image_to_pose": "astronaut.jpg", "optical_character_recognition": "sign.png"}
#: Where the eyes of astronaut.jpg are, in pixels.
_EYES = ((203, 100), (246, 102))


class Samples:
    """Inputs for the tools of a toolbox, made of what ships; each is made once.

    `folder` is where files that have to be made are written.
    """

    def __init__(self, toolbox: Toolbox, folder: Path) -> None:
        self._toolbox = toolbox
        self._folder = folder
        self._made: dict[str, Any] = {}

    def of(self, tool: Tool) -> dict[str, Any]:
        """Inputs for a tool by the names of its arguments and parameters, optional ones too."""
        inputs: dict[str, Any] = {item.name: item.default for item in tool.parameters}
        inputs.update(_SETTINGS_OF_TOOL.get(tool.name, {}))
        for argument in tool.args:
            special = self._special(tool, argument)
            if special is not None:
                value: Any = special
            elif argument.type in ("text", "title"):
                value = _text(tool, argument)
            else:
                if argument.type not in self._made:
                    self._made[argument.type] = self._make(argument.type)
                value = self._made[argument.type]
            if argument.type == "image" and tool.name in _PHOTOS_OF_TOOL:
                value = _photo(_PHOTOS_OF_TOOL[tool.name])
            inputs[argument.name] = [value, value] if argument.many else value
        return inputs

    def _special(self, tool: Tool, argument: Argument) -> Any:
        """What a tool finds something in where the cat, or another sample, has none of it."""
        match tool.name, argument.type:
            case "document_to_table", "document":
                return self._printed_table()
            case "split_pdf", "document":
                return self._two_pages()
            case "unlock_pdf", "document":
                return self._locked()
            case "split_audio" | "split_video", "table":
                return "start,title\n0:00,Opening\n0:01,Departures\n"
            case "split_channels", "audio":
                spoken = self._speech()
                return Sound(np.repeat(spoken.samples, 2, axis=1) * (1, 0.5), spoken.rate)
        if argument.type != "image":
            return None
        match tool.name, argument.name:
            case "read_qr_code", _:
                return self._run("make_qr_code", text="https://example.org/night-train")
            case "image_difference", "other":
                return _with_spot(_cat())
            case "remove_red_eyes", _:
                return _with_red_eyes(_photo("astronaut.jpg"))
            case "change_animation", _:
                return self._moving()
            case "cover_words", _:
                return _photo("sign.png")
            case "straighten_image", _:
                return _photo("sign.png").rotate(3)
        return None

    def _make(self, type_name: str) -> Any:
        match type_name:
            case "table":
                return _TABLE
            case "document":
                return self._document()
            case "tags":
                return ("train", "storm", "Vienna")
            case "number":
                return 3
            case "category":
                return (Label("tabby cat", 0.8), Label("sofa", 0.1))
            case "point":
                return (ClickedPoint(225, 130),)
            case "bbox":
                return (Box(105, 15, 380, 275, "cat", 0.9),)
            case "mask":
                return (Region(_cat_shape(), "cat", 0.9),)
            case "audio":
                return self._speech()
            case "video":
                return self._clip()
        return self._picture(type_name)

    def _document(self) -> DocumentFile:
        """A page with the passage."""
        path = self._folder / "passage.pdf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self._run("text_to_pdf", text=PASSAGE).content)
        return DocumentFile(path)

    def _printed_table(self) -> DocumentFile:
        path = self._folder / "table.pdf"
        table = "item,price\n" + "".join(f"item {number},{number}.50\n" for number in range(9))
        path.write_bytes(self._run("table_to_pdf", table=table).content)
        return DocumentFile(path)

    def _two_pages(self) -> DocumentFile:
        page = self._document()
        path = self._folder / "passages.pdf"
        path.write_bytes(self._run("merge_pdfs", documents=[page, page]).content)
        return DocumentFile(path)

    def _locked(self) -> DocumentFile:
        page, path = self._document(), self._folder / "locked.pdf"
        said = _TEXTS_OF_TOOL["unlock_pdf", "words"]
        path.write_bytes(self._run("protect_pdf", document=page, words=said).content)
        return DocumentFile(path)

    def _speech(self) -> Sound:
        """A spoken sentence with some noise in it."""
        said = "The night train leaves at nine, and the bus at two."
        spoken: Sound = self._run("text_to_speech", text=said)
        noise = np.random.default_rng(5).normal(0.0, 0.01, spoken.samples.shape)
        return Sound((spoken.samples + noise).astype(np.float32), spoken.rate)

    def _clip(self) -> Clip:
        """The camera moves over the cat for four seconds, while the sentence is spoken."""
        moving = self._run(
            "image_to_video", image=_cat(), prompt="pan to the right for four seconds"
        )
        clip: Clip = self._run("dub_video", video=moving, audio=self._speech())
        return clip

    def _moving(self) -> Any:
        """An animation in which the cat turns round."""
        import PIL.Image

        cat = _cat()
        path = self._folder / "cat.gif"
        path.parent.mkdir(parents=True, exist_ok=True)
        turned = cat.transpose(PIL.Image.Transpose.FLIP_LEFT_RIGHT)
        cat.save(path, save_all=True, append_images=[turned], duration=200, loop=0)
        cat.info[MOVING] = MovingFile(path)
        return cat

    def _picture(self, type_name: str) -> Any:
        """The cat, or what a tool here makes of it; the cat itself where none makes such a thing.
        For a pose it is a person.
        """
        photo = _photo("astronaut.jpg") if type_name == "pose" else _cat()
        for tool in self._toolbox:
            makes = (tool.returns.type, [item.type for item in tool.required])
            if makes != (type_name, ["image"]) or type_name == "image":
                continue
            if self._toolbox.available(tool.name):
                return self._run(tool.name, **{tool.required[0].name: photo})
        return photo

    def _run(self, name: str, **inputs: Any) -> Any:
        tool = self._toolbox[name]
        way = self._toolbox.available(name)[0]
        rest = {item.name: item.default for item in tool.parameters}
        rest.update({item.name: None for item in tool.args if item.optional})
        return way.run({**rest, **inputs}, Context(folder=self._folder / name))


def _text(tool: Tool, argument: Argument) -> str:
    named = _TEXTS_OF_TOOL.get((tool.name, argument.name))
    if named is None and tool.domain != "public-api":
        named = _TEXTS.get(argument.name)
    return named or (tool.examples[0] if tool.examples else PASSAGE)


def _with_spot(picture: Any) -> Any:
    """A picture with something in it that was not there."""
    from PIL import ImageDraw

    ImageDraw.Draw(picture).ellipse((40, 40, 110, 110), fill=(40, 90, 220))
    return picture


def _with_red_eyes(picture: Any) -> Any:
    """The astronaut as a flash might have shown her."""
    from PIL import ImageDraw

    draw = ImageDraw.Draw(picture)
    for x, y in _EYES:
        draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=(225, 35, 40))
    return picture


def _cat() -> Any:
    return _photo("chelsea.jpg")


def _photo(name: str) -> Any:
    import PIL.Image

    return PIL.Image.open(PICTURES / name).convert("RGB")


def _cat_shape() -> np.ndarray:
    """An ellipse over the cat of chelsea.jpg, which is 451 by 300."""
    rows, columns = np.mgrid[0:300, 0:451]
    inside: np.ndarray = ((rows - 150) / 120) ** 2 + ((columns - 240) / 130) ** 2 < 1
    return inside
