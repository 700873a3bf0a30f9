"""Tools, their implementations, and the toolbox that holds them."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from controlllm.resources import Image, Mask, Text
from controlllm.toolbox import (
    Cancelled,
    Context,
    DefinitionError,
    Tool,
    Toolbox,
    ToolDefinition,
    Unavailable,
    read_catalogue,
    tool,
)
from tests.every_case import every_case


def shout(text: Text, context: Context | None = None, *, marks: int = 1) -> Text:
    """Make a text loud.

    It is written in capitals.

    Args:
        text: what is to be loud
        marks: how many exclamation marks follow, where one alone
            would say too little
    """
    return text.upper() + "!" * marks


SHOUT = tool(domain="general", examples=["Say it louder"], aliases=["yell"])(shout)


class TestDefinition:
    def test_a_function_says_all_there_is_to_know(self):
        made = SHOUT.tool
        assert made.parameters[0].description.endswith("where one alone would say too little")
        assert made.name == "shout"
        assert made.description == "Make a text loud. It is written in capitals."
        assert [(item.name, item.type, item.optional) for item in made.args] == [
            ("text", "text", False)
        ]
        assert made.args[0].description == "what is to be loud"
        assert [(item.name, item.default) for item in made.parameters] == [("marks", 1)]
        assert made.returns.type == "text"
        assert made.examples == ("Say it louder",)

    def test_a_function_with_a_body_is_its_own_implementation(self):
        assert [item.name for item in SHOUT.implementations] == ["shout/embedded"]
        assert SHOUT("ho", marks=3) == "HO!!!"

    def test_a_docstring_alone_is_a_promise(self):
        @tool(domain="image-editing")
        def fill(image: Image, mask: Mask) -> Image:
            """Fill the masked area."""

        assert fill.implementations == []
        with pytest.raises(Unavailable, match="fill cannot run here"):
            fill(None, ())

    @every_case(
        ("body", "ways"),
        [
            *((body, 0) for body in ("...", "pass", "return None")),
            *((body, 1) for body in ("return text", "return 'words'", "raise ValueError")),
        ],
    )
    def test_any_work_is_an_implementation_and_nothing_is_none(self, body, ways, tmp_path):
        (tmp_path / "added.py").write_text(
            "from controlllm.resources import Text\n"
            "from controlllm.toolbox import tool\n"
            "@tool(domain='general')\n"
            "def works_here(text: Text) -> Text:\n"
            "    '''Do it.'''\n"
            f"    {body}\n"
        )
        assert len(Toolbox.load(tmp_path).implementations["works_here"]) == ways

    def test_lists_and_optional_arguments(self):
        @tool(domain="image-editing")
        def collage(
            images: list[Image], title: Text | None = None, mask: Mask | None = None
        ) -> Image:
            """Put pictures together."""
            return images[0], title, mask

        images, title, mask = collage.tool.args
        assert (images.type, images.many, images.optional) == ("image", True, False)
        assert (title.type, title.optional) == ("text", True)
        assert (mask.type, mask.many) == ("mask", False)
        assert [item.name for item in collage.tool.required] == ["images"]
        assert collage(["a"]) == ("a", None, None)

    def test_an_unknown_domain(self):
        with pytest.raises(DefinitionError, match="shout.*'noise'.*general"):
            tool(domain="noise")(shout)

    def test_no_docstring(self):
        def silent(text: Text) -> Text:
            return text

        with pytest.raises(DefinitionError, match="silent.*docstring"):
            tool(domain="general")(silent)

    @every_case(
        ("hints", "words"),
        [
            ({"size": bytes}, "careless.*'size'.*bytes"),
            ({"size": None}, "careless.*'size'"),
            ({"size": int}, "careless.*'size'.*default"),
            *(({"size": Image, "return": hint}, "careless.*returns") for hint in (str, None)),
            ({"size": Image, "return": list[Image]}, "careless.*returns"),
        ],
    )
    def test_a_type_that_is_no_resource(self, hints, words):
        def careless(size):
            """Make it smaller."""

        careless.__annotations__ = {"return": Image, **hints}
        with pytest.raises(DefinitionError, match=words):
            tool(domain="general")(careless)


class TestImplementations:
    def promise(self) -> ToolDefinition:
        @tool(domain="image-editing")
        def fill(image: Image, mask: Mask, radius: int = 3) -> Image:
            """Fill the masked area."""

        return fill

    def test_an_unknown_runtime(self):
        with pytest.raises(DefinitionError, match="fill.*'moon'.*embedded"):
            self.promise().implementation("moon")

    def test_arguments_must_be_those_of_the_tool(self):
        with pytest.raises(DefinitionError, match=r"fill.*embedded.*\['image'\].*'mask'"):

            @self.promise().implementation("embedded")
            def _(image):
                return image

    def test_the_context_is_handed_over_where_it_is_asked_for(self):
        fill = self.promise()

        @fill.implementation("embedded")
        def _(image, mask, radius, context):
            context.progress(0.5, "half")
            return image, mask, radius

        seen = []
        context = Context(lambda fraction, words: seen.append((fraction, words)))
        assert fill("picture", "mask", context=context) == ("picture", "mask", 3)
        assert seen == [(0.5, "half")]

    def test_the_first_that_can_run_here_does(self):
        fill = self.promise()

        @fill.implementation("hub", packages=["no_such_package_here"])
        def _(image, mask, radius):
            raise AssertionError

        @fill.implementation(
            "cloud", check=lambda capabilities: "needs a key; set one in the settings"
        )
        def _(image, mask, radius):
            raise AssertionError

        with pytest.raises(Unavailable) as caught:
            fill("picture", "mask")
        assert "no_such_package_here" in str(caught.value)
        assert "needs a key" in str(caught.value)

        @fill.implementation("embedded", check=lambda capabilities: None)
        def _(image, mask, radius):
            return "filled"

        assert fill("picture", "mask") == "filled"
        toolbox = Toolbox.of([fill])
        assert [item.runtime for item in toolbox.available("fill")] == ["embedded"]
        assert len(toolbox.implementations["fill"]) == 3

    def test_several_on_one_runtime_stay_in_order(self):
        fill = self.promise()

        @fill.implementation("embedded", version="1")
        def _(image, mask, radius):
            return "first"

        @fill.implementation("embedded", version="2")
        def _(image, mask, radius):
            return "second"

        available = Toolbox.of([fill]).available("fill")
        assert [item.version for item in available] == ["1", "2"]
        assert [
            item.run({"image": 0, "mask": 0, "radius": 0}, Context()) for item in available
        ] == [
            "first",
            "second",
        ]


class TestContext:
    def test_progress_stays_between_nothing_and_all(self):
        seen = []
        context = Context(lambda fraction, words: seen.append(fraction))
        for fraction in (-1, 0.25, 7):
            context.progress(fraction)
        assert seen == [0, 0.25, 1]

    def test_nobody_has_to_listen(self):
        Context().progress(0.5, "half")
        Context().check()

    def test_a_stop_is_noticed_at_the_next_progress_and_check(self):
        seen, stop = [], threading.Event()
        context = Context(lambda fraction, words: seen.append(fraction), stop)
        context.progress(0.1)
        stop.set()
        with pytest.raises(Cancelled):
            context.progress(0.2)
        with pytest.raises(Cancelled):
            context.check()
        assert seen == [0.1]

    def test_the_folder_is_made_when_it_is_wanted(self, tmp_path):
        context = Context(folder=tmp_path / "a" / "b")
        assert not (tmp_path / "a").exists()
        assert context.folder.is_dir()

    def test_a_folder_of_its_own(self):
        context = Context()
        folder = context.folder
        assert folder.is_dir()
        assert context.folder == folder
        folder.rmdir()


class TestToolbox:
    def test_names_and_aliases_find_the_same_tool(self):
        toolbox = Toolbox.of([SHOUT])
        assert toolbox["yell"] is toolbox["shout"]
        assert "yell" in toolbox
        assert "whisper" not in toolbox
        assert len(toolbox) == 1
        assert toolbox.available("yell")[0].tool == "shout"
        with pytest.raises(KeyError, match="whisper"):
            toolbox["whisper"]

    def test_two_tools_of_one_name(self):
        with pytest.raises(DefinitionError, match="'shout'.*rename"):
            Toolbox.of([SHOUT, tool(domain="general")(shout)])

    def test_an_alias_that_is_taken(self):
        def yell(text: Text) -> Text:
            """Yell."""
            return text

        with pytest.raises(DefinitionError, match="'yell'"):
            Toolbox.of([SHOUT, tool(domain="general")(yell)])

    def test_what_is_not_among_its_own_is_foreign(self):
        own = Toolbox((SHOUT.tool,))
        assert not own.is_foreign("shout") and not own.is_foreign("sea_tide")
        both = replace(own, own=own)
        assert both.is_foreign("sea_tide") and not both.is_foreign("yell")
        assert replace(own, own=Toolbox()).is_foreign("shout")

    def test_the_order_of_definitions_does_not_matter(self):
        def whisper(text: Text) -> Text:
            """Make a text quiet."""
            return text.lower()

        other = tool(domain="general")(whisper)
        assert Toolbox.of([SHOUT, other]).tools == Toolbox.of([other, SHOUT]).tools

    def test_tools_of_another_folder(self, tmp_path):
        (tmp_path / "mirror.py").write_text(
            "from PIL import ImageOps\n"
            "from controlllm.resources import Image\n"
            "from controlllm.toolbox import tool\n"
            "@tool(domain='image-editing', examples=['Mirror this photo'])\n"
            "def image_mirroring_for_test(image: Image) -> Image:\n"
            "    '''Swap left and right.'''\n"
            "    return ImageOps.mirror(image)\n"
        )
        (tmp_path / "_helper.py").write_text("raise RuntimeError('not a module of tools')")
        (tmp_path / "notes.txt").write_text("not Python")
        toolbox = Toolbox.load(tmp_path)
        assert "image_mirroring_for_test" in toolbox
        assert len(toolbox) == len(Toolbox.load()) + 1

    def test_our_own_tools(self):
        toolbox = Toolbox.load()
        assert len(toolbox) > 5
        for item in toolbox:
            assert item.description.endswith("."), item.name
            assert item.examples, item.name
            assert len(item.name) < 40
            for argument in (*item.args, item.returns):
                assert argument.type in toolbox.lattice, (item.name, argument.name)


ENTRY = {
    "name": "inpaint",
    "description": "Fill a hole.",
    "domain": "image-editing",
    "args": [
        {"name": "image", "type": "image", "description": "the picture"},
        {"name": "mask", "type": "image.mask", "description": "the hole"},
    ],
    "returns": [{"name": "result", "type": "image.painting", "description": "filled"}],
}


class TestCatalogue:
    def test_types_may_be_dotted(self):
        toolbox = Toolbox.from_catalogue([ENTRY])
        made = toolbox["inpaint"]
        assert isinstance(made, Tool)
        assert [item.type for item in made.args] == ["image", "mask"]
        assert made.returns.type == "painting"
        assert toolbox.lattice.is_a("painting", "image")
        assert toolbox.available("inpaint") == ()

    def test_a_domain_and_examples_are_optional(self):
        entry = {key: value for key, value in ENTRY.items() if key != "domain"}
        assert Toolbox.from_catalogue([entry])["inpaint"].domain == "general"

    @every_case(
        ("change", "words"),
        [
            ({"name": None}, "no 'name'"),
            ({"description": None}, "no 'description'"),
            ({"args": None}, "no 'args'"),
            ({"returns": None}, "no 'returns'"),
            ({"args": [{"name": "image"}]}, "no 'type'"),
            ({"returns": []}, "0 returns, expected one"),
            ({"returns": ENTRY["returns"] * 2}, "2 returns, expected one"),
            ({"args": [3]}, "Tool 1"),
        ],
    )
    def test_what_is_wrong_with_an_entry_and_which_one_it_is(self, change, words):
        entry = {key: value for key, value in {**ENTRY, **change}.items() if value is not None}
        with pytest.raises(ValueError, match="Tool 1 of the catalogue") as caught:
            Toolbox.from_catalogue([{**ENTRY, "name": "first"}, entry])
        assert words in str(caught.value)

    def test_an_entry_that_is_no_object(self):
        with pytest.raises(ValueError, match="Tool 0 of the catalogue"):
            Toolbox.from_catalogue(["inpaint"])

    def test_two_entries_of_one_name(self):
        with pytest.raises(DefinitionError, match="'inpaint'"):
            Toolbox.from_catalogue([ENTRY, ENTRY])

    def test_files(self, tmp_path: Path):
        path = tmp_path / "tools.json"
        path.write_text(json.dumps([ENTRY]))
        assert len(read_catalogue(path)) == 1
        for content, words in (
            ("{", "could not be read as a list of tools"),
            ("{}", "holds no list of tools"),
            ("[1]", "Tool 0"),
        ):
            path.write_text(content)
            with pytest.raises(ValueError, match=words):
                read_catalogue(path)
        with pytest.raises(ValueError, match="absent.json could not be read"):
            read_catalogue(tmp_path / "absent.json")
