"""Wishes that the reader heard become subtasks with files, earlier results and words."""

from __future__ import annotations

from dataclasses import replace

from controlllm.core.plans import Request
from controlllm.planning.graph import ToolGraph
from controlllm.planning.wish_decomposer import OUTSIDE, WishDecomposer
from controlllm.planning.wishes import Wish
from controlllm.resources import Resource
from controlllm.toolbox import Argument, Tool, Toolbox
from tests.every_case import every_case
from tests.planning.scripted_reader import TOOLBOX, Scripted, tool, wish

KINDS = {"jpg": "image", "wav": "audio", "txt": "text"}


def subtasks(text, names, *wishes, attached=None):
    resources = tuple(Resource(KINDS[name.rsplit(".", 1)[1]], name) for name in names)
    request = Request(text, resources, tuple(names if attached is None else attached))
    return WishDecomposer(ToolGraph(TOOLBOX), Scripted(*wishes)).decompose(request)


def values(subtask, role=""):
    return [item.value for item in subtask.args if item.role == role]


def test_a_wish_works_on_its_file_and_the_next_on_its_result():
    text = "Write it down, then shorten that"
    first, second = subtasks(
        text,
        ["talk.wav"],
        wish(text, "Write it down", {"transcribe": 0.9}, files=[0]),
        wish(text, "shorten that", {"shorten": 0.9}, wishes=[0]),
    )
    assert (first.description, second.description) == ("Write it down", "shorten that")
    assert values(first) == ["talk.wav"] and first.returns.type == "text"
    assert values(second) == ["<GEN>-0"] and second.deps == (0,)


def test_what_is_asked_of_several_files_is_asked_of_each_and_goes_on_for_each():
    text = "Describe both and say it"
    found = subtasks(
        text,
        ["a.jpg", "b.jpg"],
        wish(text, "Describe both", {"describe": 0.9}, files=[0, 1]),
        wish(text, "say it", {"speak": 0.9}, wishes=[0]),
    )
    assert [values(item) for item in found] == [["a.jpg"], ["b.jpg"], ["<GEN>-0"], ["<GEN>-1"]]
    assert [item.deps for item in found] == [(), (), (0,), (1,)]


def test_files_that_go_into_one_result_stay_together():
    text = "Put them side by side"
    (found,) = subtasks(text, ["a.jpg", "b.jpg"], wish(text, text, {"stitch": 0.9}, files=[0, 1]))
    assert values(found) == ["a.jpg", "b.jpg"]


def test_words_have_the_role_that_the_tools_want():
    text = "Crop the brown dog on the left"
    (found,) = subtasks(
        text,
        ["a.jpg"],
        wish(
            text,
            text,
            {"crop": 0.9},
            files=[0],
            steps={"find": 0.95},
            words={"object": "the brown dog on the left", "time": "left"},
        ),
    )
    assert [(item.role, item.value) for item in found.args if item.role] == [
        ("object", "the brown dog on the left")
    ]


def test_a_file_that_is_not_named_is_the_one_that_fits():
    text = "Describe it"
    (found,) = subtasks(text, ["talk.wav", "a.jpg"], wish(text, text, {"describe": 0.9}))
    assert values(found) == ["a.jpg"]


def test_a_result_before_is_meant_before_a_file():
    text = "Write it down and shorten it"
    _, second = subtasks(
        text,
        ["talk.wav", "a.txt"],
        wish(text, "Write it down", {"transcribe": 0.9}, files=[0]),
        wish(text, "shorten it", {"shorten": 0.9}, wishes=[0]),
    )
    assert values(second) == ["<GEN>-0"]


@every_case(
    ("says", "ends", "lacks"),
    [("Describe it", {"describe": 0.9}, ("image",)), ("Shorten it", {"shorten": 0.9}, ("text",))],
)
def test_what_is_missing_is_said(says, ends, lacks):
    (found,) = subtasks(says, [], wish(says, says, ends))
    assert found.lacks == lacks


def test_a_text_within_the_request_is_worked_on():
    text = "Shorten this: the meeting was moved to Friday and the room has changed as well"
    content = text.split(": ")[1]
    (found,) = subtasks(
        text, [], wish(text, "Shorten this", {"shorten": 0.9}, words={"content": content})
    )
    assert values(found, "content") == [content] and not found.lacks


def test_a_long_text_is_worked_on_whole():
    body = "The meeting went on and on, and nobody knew why it had been called. " * 80
    text = f"Shorten this for me:\n{body}"
    (found,) = subtasks(text, [], wish(text, "Shorten this for me", {"shorten": 0.9}))
    assert values(found, "content") == [body.strip()]


def test_what_stands_between_two_parts_of_a_wish_is_told_to_the_tool():
    toolbox = Toolbox.from_catalogue(
        [tool("change", [("table", "table"), ("prompt", "text")], "table")]
    )
    text = "Add a price 5% dearer, and rounded up to ten, to the list"
    parts = tuple((text.index(one), text.index(one) + len(one)) for one in ("Add", "to the list"))
    heard = Wish(parts, (0,), (), {"change": 0.9}, 0.0, {}, {}, 1.0)
    request = Request(text, (Resource("table", "a.csv"),), ("a.csv",))
    (found,) = WishDecomposer(ToolGraph(toolbox), Scripted(heard)).decompose(request)
    assert values(found, "prompt") == [text]


def test_what_no_tool_does_is_told_apart():
    text = "Print it"
    (found,) = subtasks(text, ["a.jpg"], wish(text, text, {"draw": 0.1}, files=[0], impossible=0.8))
    assert found.returns.type == OUTSIDE


def test_greetings_ask_for_nothing():
    text = "Thanks a lot!"
    assert subtasks(text, [], wish(text, text, {"speak": 0.9})) == ()


def test_what_is_spoken_is_the_text_before_and_not_the_picture():
    text = "Describe a.jpg and speak the description"
    _, second = subtasks(
        text,
        ["a.jpg"],
        wish(text, "Describe a.jpg", {"describe": 0.9}, files=[0]),
        wish(text, "speak the description", {"speak": 0.9}, files=[0]),
    )
    assert values(second) == ["<GEN>-0"] and second.deps == (0,)


def test_a_picture_is_still_spoken_of_where_a_step_reads_it():
    text = "Describe a.jpg. Say what is written on it"
    _, second = subtasks(
        text,
        ["a.jpg"],
        wish(text, "Describe a.jpg", {"describe": 0.9}, files=[0]),
        wish(text, "Say what is written on it", {"speak": 0.9}, files=[0], steps={"describe": 0.8}),
    )
    assert values(second) == ["a.jpg"]


def test_it_is_the_thing_where_it_was_only_marked():
    text = "Mark the dog, then crop it"
    marked = wish(
        text, "Mark the dog", {"brighten": 0.9}, files=[0], steps={"find": 0.9},
        words={"object": "dog"},
    )  # fmt: skip
    cropped = wish(text, "crop it", {"crop": 0.9}, wishes=[0], steps={"find": 0.1})
    _, second = subtasks(text, ["a.jpg"], marked, cropped)
    assert values(second) == ["a.jpg"] and values(second, "object") == ["the dog"]
    # Heard of both, the photo and its marked copy, it is done once, to the photo.
    of_both = replace(cropped, files=(0,))
    found = subtasks(text, ["a.jpg"], marked, of_both)
    assert [values(item) for item in found] == [["a.jpg"], ["a.jpg"]]
    changed = text.replace("Mark", "Soak")
    _, second = subtasks(changed, ["a.jpg"], marked, cropped)
    assert values(second) == ["<GEN>-0"] and values(second, "object") == ["the dog"]


@every_case(
    ("text", "heard", "given"),
    [
        ("Crop to the stain on the carpet", "stain on the", "the stain"),
        ("Crop to the two lads (the tall ones) please", "two lads (the tall ones", "the two lads"),
        ("Crop to the cow's silhouette", "cow's", "the cow"),
        ("Crop to the lamp in my room", "lamp in my", "the lamp"),
        ("Crop to all that isn't the tractor", "all that isn't the tractor", "the tractor"),
        ("Crop everything that's not the dog", "everything that's not the dog", "the dog"),
    ],
)
def test_words_for_an_object_end_where_its_name_does(text, heard, given):
    likely = wish(text, text, {"crop": 0.9}, files=[0], words={"object": heard})
    (found,) = subtasks(text, ["a.jpg"], likely)
    assert values(found, "object") == [given]


def test_an_object_reaches_the_tool_that_has_to_find_it_however_unlikely_that_tool():
    text = "Crop my brown dog"
    (found,) = subtasks(
        text, ["a.jpg"], wish(text, text, {"crop": 0.9}, files=[0], words={"object": "brown dog"})
    )
    assert values(found, "object") == ["my brown dog"]


def test_words_in_quotation_marks_are_told_beside_a_file():
    text = 'Have a voice say "Welcome" over a.jpg'
    (found,) = subtasks(text, ["a.jpg"], wish(text, text, {"stitch": 0.9}, files=[0]))
    assert values(found, "content") == ["Welcome"]


def test_what_is_made_of_words_alone_needs_no_picture():
    text = "Draw a ship on the sea"
    (found,) = subtasks(text, ["a.jpg"], wish(text, text, {"draw": 0.9}, files=[0]))
    assert values(found) == [] and values(found, "prompt")


def test_a_text_that_came_with_the_request_is_what_is_meant():
    text = "This is my report for the newsletter of our club and it is far too long. Speak it"
    (found,) = subtasks(text, ["note.txt"], wish(text, "Speak it", {"speak": 0.9}))
    assert values(found) == ["note.txt"]


def test_it_is_the_last_result_where_the_reader_heard_nothing_to_work_on():
    text = 'Speak "The meeting is at four" and transcribe it'
    _, second = subtasks(
        text,
        [],
        wish(text, "Speak", {"speak": 0.9}, words={"content": "The meeting is at four"}),
        wish(text, "transcribe it", {"answer": 0.3, "transcribe": 0.2}),
    )
    assert values(second) == ["<GEN>-0"] and second.returns.type == "text"


@every_case(
    ("says", "attached", "about"),
    [
        ("speak it", [], ["<GEN>-0"]),
        ("speak it over old.wav", [], ["old.wav", "<GEN>-0"]),
        ("speak it", ["old.wav"], ["old.wav", "<GEN>-0"]),
    ],
)
def test_an_earlier_result_gives_way_to_what_is_made_now_unless_it_is_meant(says, attached, about):
    text = f"Is it raining in Bath? Then {says}"
    shown = text.replace("old.wav", "audio1")
    _, second = subtasks(
        text,
        ["old.wav"],
        wish(shown, "Is it raining in Bath", {"weather": 0.9}, words={"place": "Bath"}),
        wish(shown, says.replace("old.wav", "audio1"), {"speak": 0.9}, files=[0], wishes=[0]),
        attached=attached,
    )
    assert values(second) == about


@every_case("attached", [["a.jpg"], []])
def test_a_file_is_meant_before_a_result_that_would_have_to_become_one_first(attached):
    text = "Describe the picture and crop the cup"
    for names in (["a.jpg"], ["b.jpg", "a.jpg"], ["a.jpg", "talk.wav"]):
        _, second = subtasks(
            text,
            names,
            wish(text, "Describe the picture", {"describe": 0.9}, files=[names.index("a.jpg")]),
            wish(
                text,
                "crop the cup",
                {"crop": 0.9},
                wishes=[0],
                steps={"find": 0.95},
                words={"object": "the cup"},
            ),
            attached=attached,
        )
        assert values(second) == ["a.jpg"] and second.deps == ()


def test_it_is_nothing_where_what_is_asked_needs_no_such_thing():
    text = "Write that down. Is it raining in Bath?"
    _, second = subtasks(
        text,
        ["talk.wav"],
        wish(text, "Write that down", {"transcribe": 0.9}, files=[0]),
        wish(text, "Is it raining in Bath", {"weather": 0.9}, words={"place": "Bath"}),
    )
    assert values(second) == [] and values(second, "place") == ["Bath"]


def test_a_kind_called_by_its_name_is_not_what_it_was_made_from():
    toolbox = Toolbox.from_catalogue([
        tool("entitle", [("text", "text")], "title"),
        tool("page", [("text", "text")], "html"),
        tool("transcribe", [("audio", "audio")], "text"),
    ])  # fmt: skip

    def wishes(text):
        ends = [{"transcribe": 0.9}, {"entitle": 0.9}, {"page": 0.9}]
        for place, (says, likely) in enumerate(zip(text.split(", "), ends, strict=True)):
            start = text.index(says)
            span = (start, start + len(says))
            files, before = ((), tuple(range(place))) if place else ((0,), ())
            yield Wish((span,), files, before, likely, 0.0, {}, {}, 0.9)

    for said, meant in (("a page with this title", "<GEN>-1"), ("a page of it", "<GEN>-0")):
        text = f"Write it down, find a title, {said}"
        request = Request(text, (Resource("audio", "talk.wav"),), ("talk.wav",))
        found = WishDecomposer(ToolGraph(toolbox), Scripted(*wishes(text))).decompose(request)
        assert values(found[2]) == [meant]


def test_a_name_is_no_text_to_find_an_answer_in():
    text = "What is the plot of Metropolis?"
    ends = {"answer": 0.4, "weather": 0.3}
    for says, likely in ((text, "weather"), (f"{text} It is a long film about a city", "answer")):
        heard = "Metropolis" if says == text else "It is a long film about a city"
        (found,) = subtasks(says, [], wish(says, text, ends, words={"content": heard}))
        assert max(found.ends, key=lambda name: found.ends[name]) == likely


_RECKONED = (Argument("question", "text"), Argument("text", "text", optional=True))
#: Tools of this toolbox that take a text and are told in words what to do with it.
_TOLD = Toolbox([*Toolbox.from_catalogue([
    tool("count", [("text", "text")], "text"),
    tool("rewrite", [("prompt", "text"), ("text", "text")], "text"),
    tool("compose", [("prompt", "text")], "text"),
    tool("translate", [("text", "text"), ("language", "text")], "text"),
    tool("match", [("names", "text")], "text"),
    tool("day", [("date", "text")], "text"),
    tool("number", [("number", "text")], "text"),
    tool("shift", [("text", "text"), ("prompt", "text")], "text"),
    tool("tally", [("text", "text"), ("query", "text")], "text"),
]), Tool("reckon", "Reckon.", "general", _RECKONED, Argument("result", "text"))])  # fmt: skip


def told(text, tool_name, words, names=(), *, says="", count=1):
    """The words that each subtask of one wish over `_TOLD` is given, by their roles."""
    says = says or text
    spans = {role: (text.index(said), text.index(said) + len(said)) for role, said in words.items()}
    start = text.index(says)
    ends = {one.name: 0.001 for one in _TOLD} | {tool_name: 0.9}
    heard = Wish(
        ((start, start + len(says)),), tuple(range(len(names))), (), ends, 0.0, {}, spans, 0.9
    )
    resources = tuple(Resource("text", name) for name in names)
    request = Request(text, resources, tuple(names))
    found = WishDecomposer(ToolGraph(_TOLD), Scripted(heard)).decompose(request)
    assert len(found) == count
    return [{item.role: item.value for item in one.args if item.role} for one in found]


def test_texts_are_each_worked_on_where_the_rest_only_says_what_to_do():
    text = "make a.txt and b.txt ruder"
    found = told(text, "rewrite", {}, ["a.txt", "b.txt"], count=2)
    assert [one["prompt"] for one in found] == [text, text]


@every_case(
    ("text", "words"),
    [
        (
            "write an excuse for the gym class",
            {"prompt": "an excuse for the gym", "content": "class"},
        ),
        (
            "thank my aunt for the pearls, will you?",
            {"prompt": "for the pearls", "content": "pearls"},
        ),
        ("a toast to Ada, brief, with a joke about cats", {"prompt": "Ada, brief", "query": "Ada"}),
    ],
)
def test_an_order_to_write_is_handed_over_whole(text, words):
    (found,) = told(text, "compose", words)
    assert found["prompt"].rstrip("?") == text.rstrip("?")


@every_case(
    ("text", "tool_name", "words", "wanted"),
    [("do Christopher and Leonie go together", "match",
     {"content": "Christopher", "query": "Christopher and Leonie"}, "Christopher and Leonie"),
    ("sth weird about nr 42", "number", {"query": "nr", "other": "nr 42"}, "nr 42"),
    ("in the orchard on 27 June, will the moon help", "day",
     {"place": "the orchard", "time": "on 27 June"}, "on 27 June"),
    ("what was on 4 May", "day", {"time": "4 May", "query": "what"}, "4 May"),],
)  # fmt: skip
def test_what_a_tool_wants_to_know_is_heard_whole_and_by_its_kind(text, tool_name, words, wanted):
    (found,) = told(text, tool_name, words)
    assert (found.get("content") or next(iter(found.values()))) == wanted


@every_case(
    ("text", "heard", "wanted"),
    [("She writes in Dutch, could I have that in English?", "Dutch", "English"),
    ("It came with instructions in Swedish. My aunt reads Polish only.", "Swedish", "Polish"),
    ("What does he say there, my German is poor?", "German", "English"),
    ("It is in Chinese or Japanese. What is it in French?", "Chinese or Japanese", "French"),
    ("Hungarian to Danish, please", "Hungarian to Danish", "Danish"),
    ("Turn it from Dutch to Swiss German", "Swiss German", "Swiss German"),
    ("My uncle speaks Spanish only, translate the letter", "Spanish", "Spanish"),
    ("Put it into Italian for my Greek friend", "Italian", "Italian"),
    ("I don't understand Finnish, give me it in Czech", "Finnish", "Czech"),],
)  # fmt: skip
def test_a_text_is_translated_into_the_language_that_it_is_not_in(text, heard, wanted):
    (found,) = told(text, "translate", {"language": heard}, ["a.txt"])
    assert found["language"] == wanted


@every_case(
    ("text", "says", "wanted"),
    [
        ("shift it by 1.4 s, please", "shift it by 1.", "shift it by 1.4"),
        ("turn our chair's notes into prose", "'s notes into prose", "chair's notes into prose"),
        ("shorten the older, it's the first", "shorten the older, it", "shorten the older, it's"),
    ],
)
def test_no_word_is_cut_where_the_reader_ended_in_it(text, says, wanted):
    (found,) = told(text, "rewrite", {}, ["a.txt"], says=says)
    assert found["prompt"] == wanted


@every_case(
    ("text", "words", "wanted"),
    [
        ("how often did I write 'actually' in a.txt", {"content": "actually"}, "actually"),
        ("how often does owl occur in a.txt", {"content": "owl", "other": "often"}, "owl"),
        ('count "very" in a.txt', {}, "very"),
    ],
)
def test_what_is_looked_for_in_a_text_is_no_text(text, words, wanted):
    (found,) = told(text, "tally", words, ["a.txt"])
    assert found == {"object": wanted}


def test_words_of_another_wish_are_no_order():
    text = "Correct the spelling in a.txt and say how long it is"
    request = Request(text, (Resource("text", "a.txt"),), ("a.txt",))
    spelling = (text.index("spelling"), text.index("spelling") + 8)
    wishes = [
        Wish(((0, 28),), (0,), (), {"rewrite": 0.9}, 0.0, {}, {}, 0.9),
        Wish(((33, 51),), (), (0,), {"tally": 0.9}, 0.0, {}, {"prompt": spelling}, 0.9),
    ]
    _, found = WishDecomposer(ToolGraph(_TOLD), Scripted(*wishes)).decompose(request)
    assert "spelling" not in values(found, "prompt")


@every_case(
    ("text", "says", "told_it"),
    [
        ("move a.txt by 2 s earlier", "move a.txt by 2", "move a.txt by 2 s earlier"),
        ("sort a.txt, fastest first, and so on", "sort a.txt", "sort a.txt, fastest first, and"),
    ],
)
def test_an_order_goes_on_where_the_wish_was_heard_to_end(text, says, told_it):
    (found,) = told(text, "shift", {"prompt": told_it}, ["a.txt"], says=says)
    assert found["prompt"] == told_it.removesuffix(", and")


def test_quoted_words_are_translated_rather_than_a_text_at_hand():
    text = "how do I say 'thank you' in Danish"
    words = {"content": "thank you", "language": "Danish"}
    for names in ((), ("a.txt",)):
        assert told(text, "translate", words, names) == [words]
    spans = {role: (text.index(said), text.index(said) + len(said)) for role, said in words.items()}
    heard = Wish(((0, len(text)),), (0,), (), {"translate": 0.9}, 0.0, {}, spans, 0.9)
    request = Request(text, (Resource("text", "a.txt"),), ("a.txt",))
    (found,) = WishDecomposer(ToolGraph(_TOLD), Scripted(heard)).decompose(request)
    assert values(found) == []


@every_case(
    ("text", "words"),
    [
        ("what is 12 % of 80", {"query": "12 % of 80", "prompt": "80"}),
        ("how many days until 4 May", {"time": "4 May", "content": "until 4 May"}),
    ],
)
def test_what_stands_in_a_question_is_no_text_that_it_is_about(text, words):
    assert told(text, "reckon", words) == [{"question": text}]
    assert told(text, "reckon", words, ["notes.txt"]) == [{"question": text}]
