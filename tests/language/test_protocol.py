"""What a model says the subtasks are: checked, put right where that is certain, else refused."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.core.plans import OUTSIDE, Request, TypedValue
from controlllm.language.protocol import SubtaskReader
from controlllm.language.reading import Unusable
from controlllm.resources import Resource, TypeLattice
from tests.every_case import every_case
from tests.language.conftest import kinds_of

DOMAINS = ("image-editing", "image-perception", "question-answering")


KINDS = kinds_of(
    ("draw", DOMAINS[0], ["image", "text"], "image"),
    ("tell", DOMAINS[1], ["image"], "text"),
    ("say", DOMAINS[2], ["text"], "text"),
)
REQUEST = Request(
    "cut out the dog and describe the rest",
    (
        Resource("image", "dog.jpg"),
        Resource("mask", "Outline.png"),
        Resource("text", "notes.txt"),
        Resource("audio", "talk.mp3"),
    ),
    ("dog.jpg",),
)
CUT = {
    "id": 0,
    "description": "Cut out the dog.",
    "domains": ["image-editing"],
    "deps": [],
    "args": [
        {"type": "image", "value": "dog.jpg", "role": ""},
        {"type": "text", "value": "the dog", "role": "object"},
    ],
    "returns": {"type": "image", "value": "<GEN>-0"},
}
TELL = {
    "id": 1,
    "description": "Describe it.",
    "domains": ["image-perception"],
    "deps": [0],
    "args": [{"type": "image", "value": "<GEN>-0", "role": ""}],
    "returns": {"type": "text", "value": "<GEN>-1"},
}


def read(*entries, request=REQUEST, kinds=KINDS):
    return SubtaskReader(request, kinds).read({"subtasks": list(entries)})


def changed(entry, **fields):
    return {**copy.deepcopy(entry), **fields}


def arg(value, kind="image", role=""):
    return {"type": kind, "value": value, "role": role}


def test_what_is_right_stays_as_it_is():
    checked = read(CUT, TELL)
    assert checked.repairs == ()
    cut, tell = checked.value
    assert cut.args == (TypedValue("image", "dog.jpg"), TypedValue("text", "the dog", "object"))
    assert cut.returns == TypedValue("image", "<GEN>-0")
    assert (cut.domains, cut.deps, cut.lacks) == (("image-editing",), (), ())
    assert tell.args == (TypedValue("image", "<GEN>-0"),)
    assert (tell.deps, tell.returns.type) == ((0,), "text")


def test_nothing_asked_is_no_subtask():
    assert read().value == ()


@every_case(
    "returns", [[{"type": "image", "value": "<GEN>-0"}], {"image": "<GEN>-0"}, "image", "Image"]
)
def test_the_papers_ways_to_write_a_return(returns):
    (subtask,) = read(changed(CUT, returns=returns)).value
    assert subtask.returns == TypedValue("image", "<GEN>-0")


def test_the_papers_other_names():
    entry = {key: value for key, value in TELL.items() if key not in ("deps", "domains", "returns")}
    entry.update(dep=[0], task=["image-perception"])
    entry["return"] = {"text": "<GEN>-1"}
    subtask = read(CUT, entry).value[1]
    assert (subtask.deps, subtask.domains) == ((0,), ("image-perception",))


def test_a_list_alone_and_a_single_subtask_alone_are_read():
    reader = SubtaskReader(REQUEST, KINDS)
    assert reader.read([CUT]).value == reader.read(CUT).value == read(CUT).value


@every_case(
    ("entry", "found", "words"),
    [
        (changed(CUT, args=[arg("DOG.JPG")]), TypedValue("image", "dog.jpg"), "called dog.jpg"),
        (changed(CUT, args=[arg("/tmp/dog.jpg")]), TypedValue("image", "dog.jpg"), "called dog"),
        (changed(CUT, args=[arg("dog.jpg", "audio")]), TypedValue("image", "dog.jpg"),
         "dog.jpg is image, not audio"),
        (changed(CUT, args=[arg("dog.jpg", "mask")]), TypedValue("image", "dog.jpg"),
         "dog.jpg is image, not mask"),
        (changed(CUT, args=[arg("dog.jpg", "gizmo")]), TypedValue("image", "dog.jpg"), "not gizmo"),
        (changed(CUT, args=[arg("Outline.png", "image")]), TypedValue("mask", "Outline.png"), ""),
        (changed(CUT, args=[arg("notes.txt", "text")]), TypedValue("text", "notes.txt"), ""),
        (changed(CUT, args=[{"image": "dog.jpg"}]), TypedValue("image", "dog.jpg"), ""),
        (changed(CUT, args=[arg("a dog", "string", "prompt")]),
         TypedValue("text", "a dog", "prompt"), "string is called text"),
        (changed(CUT, args=[arg("a dog", "text", "whatever")]), TypedValue("text", "a dog"), ""),
    ],
)  # fmt: skip
def test_arguments_are_put_right(entry, found, words):
    checked = read(entry)
    assert checked.value[0].args == (found,)
    assert words in "; ".join(checked.repairs)
    assert bool(checked.repairs) == bool(words)


def test_a_type_with_another_name():
    checked = read(changed(CUT, returns={"type": "Images", "value": ""}))
    with_word = read(changed(CUT, returns={"type": "picture", "value": ""}))
    assert with_word.value[0].returns.type == "image"
    assert "picture is called image" in with_word.repairs[0]
    assert checked.value[0].returns.type == "image"


def test_an_unknown_domain_is_dropped():
    checked = read(changed(CUT, domains=["cooking", "image-editing"]))
    assert checked.value[0].domains == ("image-editing",)
    assert checked.repairs == ("there is no domain cooking",)


def test_a_dependency_that_is_read_is_added_and_one_that_dangles_is_dropped():
    checked = read(CUT, changed(TELL, deps=[7]))
    assert checked.value[1].deps == (0,)
    assert len(checked.repairs) == 2
    assert read(CUT, changed(TELL, deps=[-1, "0"])).value[1].deps == (0,)


def test_an_order_that_cannot_be_done_is_put_right():
    first = changed(TELL, id=1)
    second = changed(CUT, id=5, args=[arg("dog.jpg")])
    first["args"] = [arg("<GEN>-5")]
    first["deps"] = [5]
    checked = read(first, second)
    assert [subtask.description for subtask in checked.value] == [
        "Cut out the dog.",
        "Describe it.",
    ]
    assert [subtask.id for subtask in checked.value] == [0, 1]
    assert checked.value[1].args == (TypedValue("image", "<GEN>-0"),)
    assert "order" in checked.repairs[0]


def test_numbers_from_one_are_counted_from_nought():
    one, two = changed(CUT, id=1), changed(TELL, id=2, deps=[1], args=[arg("<GEN>-1")])
    checked = read(one, two)
    assert [item.returns.value for item in checked.value] == ["<GEN>-0", "<GEN>-1"]
    assert checked.value[1].args[0].value == "<GEN>-0"


def test_words_that_look_like_a_result_are_words_where_they_have_a_role():
    request = Request("say <GEN>-0 aloud")
    for words in ("say <GEN>-0 aloud", "<GEN>-0 aloud", "<GEN>-"):
        (subtask,) = read(changed(CUT, args=[arg(words, "text")]), request=request).value
        assert subtask.args[0].value == words
        assert subtask.deps == ()


def test_a_file_that_is_missing_is_told():
    (subtask,) = read(changed(CUT, args=[arg("", "video"), arg("the dog", "text", "object")])).value
    assert subtask.lacks == ("video",)
    assert [argument.type for argument in subtask.args] == ["text"]


def test_a_text_to_work_on_that_is_missing_is_told():
    (subtask,) = read(changed(TELL, deps=[], args=[arg("", "text", "content")])).value
    assert (subtask.lacks, subtask.args) == (("text",), ())
    (subtask,) = read(changed(CUT, args=[arg("dog.jpg"), arg("", "text", "prompt")])).value
    assert subtask.lacks == ()


def test_one_subtask_without_a_description_is_the_request():
    assert read(changed(CUT, description="")).value[0].description == REQUEST.text


@every_case(
    ("entries", "words"),
    [
        ([changed(CUT, args=[arg("cat.jpg")])], "'cat.jpg', which does not exist"),
        ([changed(CUT, args=[arg("<GEN>-4")])], "no subtask 4"),
        ([changed(CUT, args=[arg("<GEN>-0")])], "its own result"),
        ([changed(CUT, args=[arg("x", "gizmo")])], "'gizmo' of an argument"),
        ([changed(CUT, args="dog.jpg")], "no list"),
        ([changed(CUT, args=["dog.jpg"])], '"type" and a "value"'),
        ([changed(CUT, args=[{"type": "image", "value": 3}])], '"type" and a "value"'),
        ([changed(CUT, args=[{"type": 3, "value": "x"}])], "no word"),
        ([changed(CUT, returns={"type": "gizmo", "value": ""})], "'gizmo' of what"),
        ([changed(CUT, returns=None)], 'no single "returns"'),
        ([changed(CUT, returns=[])], 'no single "returns"'),
        ([CUT, CUT], '"id" of its own'),
        ([CUT, changed(TELL, id=None)], '"id" of its own'),
        ([CUT, changed(TELL, description=None)], "no \"description\""),
        ([changed(CUT, deps=[1]), TELL], "circle"),
        ([changed(CUT, args=[arg("<GEN>-1")]), TELL], "circle"),
        (["cut"], "an object for each"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_with_a_sentence(entries, words):
    with pytest.raises(Unusable) as error:
        read(*entries)
    assert words in str(error.value)


@every_case(("told", "made"), [("number", "text"), ("mask", "image"), ("text", "text")])
def test_a_kind_that_no_tool_makes_is_what_stands_for_it_here(told, made):
    (subtask,) = read(changed(CUT, returns={"type": told, "value": ""})).value
    assert subtask.returns.type == made


def test_a_type_that_nothing_here_stands_for_is_refused_with_what_there_is():
    with pytest.raises(Unusable, match="No tool makes audio.*text, image"):
        read(changed(CUT, returns={"type": "audio", "value": ""}))


def test_other_kinds_of_what_is_wanted_may_serve():
    kinds = kinds_of(
        ("a", "d", ["image"], "text"), ("b", "d", ["image"], "category"), ("c", "d", [], "mask")
    )
    (subtask,) = read(changed(TELL, args=[arg("dog.jpg")]), kinds=kinds).value
    assert subtask.other_returns == ("category",)


WEB = Request("get https://a.example/x.txt and mirror.example/y")


def test_an_address_in_the_request_is_an_argument():
    entry = changed(TELL, args=[arg("https://a.example/x.txt", "url")])
    (subtask,) = read(entry, request=WEB, kinds=kinds_of(("a", "d", ["url"], "text"))).value
    assert subtask.args == (TypedValue("url", "https://a.example/x.txt"),)
    # Where no tool takes addresses as such, it is words.
    for kind in ("text", "image"):
        entry = changed(TELL, args=[arg("https://a.example/x.txt", kind)])
        (subtask,) = read(entry, request=WEB).value
        assert subtask.args == (TypedValue("text", "https://a.example/x.txt"),)


def test_an_address_that_nobody_gave_is_none():
    with pytest.raises(Unusable, match="does not exist.*an address as the request has it"):
        read(changed(CUT, args=[arg("https://b.example/z.jpg")]), request=WEB)


@every_case(
    ("role", "kept"),
    [
        ("language", "language"),
        ("content", "content"),
        ("labels", ""),
        ("query", ""),
        ("other", ""),
    ],
)
def test_words_with_a_use_that_inputs_do_not_name_fit_any(role, kept):
    (subtask,) = read(changed(CUT, args=[arg("French", "text", role)])).value
    assert subtask.args == (TypedValue("text", "French", kept),)


def test_a_part_that_cannot_be_done_here_is_told():
    (subtask,) = read(changed(CUT, returns=None, cannot="no tool prints")).value
    assert subtask.returns.type == OUTSIDE
    assert subtask.cannot == "no tool prints"


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | st.text(max_size=8)
    | st.sampled_from(["image", "dog.jpg", "<GEN>-0", "<GEN>-1", "text"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["id", "description", "domains", "deps", "args", "returns", "type",
                         "value", "role", "subtasks"]),
        inner,
        max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.fixed_dictionaries({}, optional={
        "id": JUNK, "description": JUNK, "domains": JUNK, "deps": JUNK, "args": JUNK,
        "returns": JUNK | st.just({"type": "image", "value": ""}),
    }), max_size=3) | JUNK
)  # fmt: skip
def test_whatever_comes_is_either_a_sound_plan_or_refused(data):
    try:
        subtasks = SubtaskReader(REQUEST, KINDS).read(data).value
    except Unusable:
        return
    names = {item.value for item in REQUEST.resources}
    for place, subtask in enumerate(subtasks):
        assert subtask.id == place
        assert all(dep < place for dep in subtask.deps)
        for argument in subtask.args:
            assert argument.type in TypeLattice()
            if argument.type != "text":
                made = {f"<GEN>-{dep}" for dep in subtask.deps}
                assert argument.value in names | made
