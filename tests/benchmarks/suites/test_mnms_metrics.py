"""m&m's figures by hand: theirs, strict, and the odd cases."""

from __future__ import annotations

import math

import numpy as np
import PIL.Image
import pytest

from benchmarks.suites.answers import Call
from benchmarks.suites.mnms.code_likeness import (
    code_bleu,
    same_tree,
    same_tree_renamed,
)
from benchmarks.suites.mnms.entailment import plan_is_entailed, says_the_same
from benchmarks.suites.mnms.formats import to_code
from benchmarks.suites.mnms.labels import strict_labels, their_labels
from benchmarks.suites.mnms.metrics import Compared, figures
from benchmarks.suites.mnms.results import (
    Made,
    average_precision,
    image_likeness,
    likeness,
)

ASR = Call("automatic speech recognition", {"audio": "a.flac"}, 0)
SHORT = Call("text summarization", {"text": "<node-0>.text"}, 1)
DRAW = Call("image generation", {"text": "a drawing of <node-1>.text"}, 2)
WANTED = (ASR, SHORT, DRAW)


def test_the_expected_plan_scores_full_marks():
    found = figures([Compared(WANTED, WANTED)])
    assert found.pop("tool-F1") == pytest.approx(3 / 33), "30 of the 33 tools are nowhere"
    assert found.pop("edit distance") == found.pop("edit distance, strict") == 0.0
    assert found.pop("CodeBLEU") == pytest.approx(1.0)
    assert set(found.values()) == {1.0}


def test_hand_counted_figures_of_a_wrong_plan():
    predicted = (
        ASR,
        Call("image generation", {"text": "a drawing of <node-0>.text"}, 1),
        Call("dreaming", {"text": "<node-1>.image"}, 2),
    )
    found = figures([Compared(predicted, WANTED)])
    # Of 33 tools: two right (1 each), summarization missed. Dreaming is no tool: it costs nothing.
    assert found["tool-F1"] == pytest.approx(2 / 33)
    # Strictly over the four that occur, and over calls: two of three and three.
    assert found["tool-F1, strict"] == pytest.approx(2 / 4)
    assert found["tool-F1 micro, strict"] == pytest.approx(2 * 2 / 6)
    assert found["argname-F1"] == found["argname-F1, strict"] == pytest.approx(2 * 2 / 6)
    # Only the first call has all its values; the drawing reads another node.
    assert found["argvalue-F1"] == found["argvalue-F1, strict"] == pytest.approx(2 * 1 / 6)
    # Edges in a row: asr-summarization, summarization-generation; asr-generation, -dreaming.
    assert found["edge-F1"] == found["edge-F1, strict"] == 0.0
    # In common: asr and generation. 1 - 4/6.
    assert found["edit distance"] == found["edit distance, strict"] == pytest.approx(1 / 3)
    assert found["plan accuracy (tool)"] == found["plan accuracy by entailment"] == 0.0
    assert found["AST accuracy"] == 0.0 and 0 < found["CodeBLEU"] < 1


def test_labels_of_theirs_and_strict_ones():
    assert their_labels(WANTED).names[0] == "automatic_speech_recognition--audio"
    assert their_labels(WANTED).values == (
        "automatic_speech_recognition--audio='a.flac'",
        "text_summarization--text=output0['text']",
        "image_generation--text=f\"a drawing of output1['text']\"",
    )
    assert their_labels(WANTED).edges == (
        "automatic_speech_recognition--text_summarization",
        "text_summarization--image_generation",
    )
    assert strict_labels(WANTED).edges == (
        "automatic speech recognition.text--text summarization.text",
        "text summarization.text--image generation.text",
    )


def test_theirs_counts_what_is_called_twice_once():
    twice = (ASR, Call(ASR.tool, ASR.arguments, 1))
    found = figures([Compared(twice, (ASR,))])
    assert found["argname-F1"] == found["argvalue-F1"] == 1.0
    assert found["argname-F1, strict"] == pytest.approx(2 / 3)
    assert found["plan accuracy (tool)"] == 0.0


def test_theirs_loses_a_call_by_one_value_and_strictly_only_the_value():
    wanted = (Call("love calculator", {"first_name": "Emma", "second_name": "Jonas"}, 0),)
    found = (Call("love calculator", {"second_name": "Jo", "first_name": "emma"}, 0),)
    scores = figures([Compared(found, wanted)])
    assert scores["argname-F1"] == 1.0
    assert scores["argvalue-F1"] == 0.0
    assert scores["argvalue-F1, strict"] == pytest.approx(1 / 2)


def test_an_edge_of_theirs_needs_no_dependency():
    wanted = (ASR, SHORT)
    apart = (ASR, Call("text summarization", {"text": "something else"}, 1))
    found = figures([Compared(apart, wanted)])
    assert found["edge-F1"] == 1.0 and found["edge-F1, strict"] == 0.0


def test_theirs_drops_a_line_that_it_cannot_read_back():
    broken = Call("text generation", {"text": "one\ntwo"}, 0)
    assert their_labels([broken, SHORT]).tools == ("text_summarization",)
    assert strict_labels([broken, SHORT]).tools == ("text generation", "text summarization")
    assert their_labels([Call("tag", {"image": "<node-0"}, 0)]).tools == ()
    braces = Call("text generation", {"text": "{} of <node-0>.text"}, 1)
    assert their_labels([braces]).tools == (), "filling in {} fails, so all of the plan is gone"


def test_numbers_and_words_are_the_same_and_node_numbers_do_not_matter_strictly():
    one = Call("get year fact", {"year": 1969}, 0)
    other = Call("get year fact", {"year": "1969"}, 0)
    assert their_labels([one]) == their_labels([other])
    assert strict_labels([one]) == strict_labels([other])
    moved = (Call(ASR.tool, ASR.arguments, 4), Call(SHORT.tool, {"text": "<node-4>.text"}, 7))
    assert strict_labels(moved) == strict_labels((ASR, SHORT))


def test_an_alternative_plan_counts_only_where_it_is_said():
    other = (Call("image captioning", {"image": "a.jpg"}, 0),)
    wanted = (Call("image classification", {"image": "a.jpg"}, 0),)
    found = figures([Compared(other, wanted, (WANTED, other))])
    assert found["plan accuracy (tool)"] == found["plan accuracy by entailment"] == 0.0
    for name in ("tool", "tool+argname", "tool+argname+argvalue"):
        assert found[f"plan accuracy ({name}), alternatives"] == 1.0
    assert found["plan accuracy by entailment, alternatives"] == 1.0


def test_an_empty_plan_and_no_plans():
    found = figures([Compared((), WANTED)])
    assert found["tool-F1"] == found["edge-F1"] == found["AST accuracy"] == 0.0
    assert found["edit distance"] == 1.0
    assert figures([]) == {}


def test_outputs_inside_words_never_match_in_a_program_as_theirs_reads_it():
    found = figures([Compared(WANTED, WANTED, code=to_code(WANTED))])
    assert found["argvalue-F1"] == pytest.approx(2 / 3)
    assert found["argvalue-F1, strict"] == 1.0


def test_a_program_is_labelled_line_by_line_as_theirs_does():
    code = "def solve():\n    output0 = count(objects=x)\n    output1 = tag(\n        image=x)"
    found = Compared((Call("count", {"objects": "x"}, 0),), (Call("count", {}, 0),), code=code)
    assert found.theirs[1].tools == ("count",)


# Entailment.


def test_words_say_the_same_where_all_that_matters_is_among_them():
    assert says_the_same("Write a short poem about the cat", "a poem about a cat")
    assert not says_the_same("a poem", "a poem about a cat")
    assert says_the_same("  A Cat ", "a cat")
    assert not says_the_same("a poem of <node-0>.text", "a poem of <node-1>.text")
    assert says_the_same("draw a portrait of <node-1>.text", "a portrait of <node-1>.text")
    assert not says_the_same("", "a cat")


def test_likeness_counts_where_an_encoder_is_there():
    def encode(texts):
        return np.array([[1.0, 0.0], [0.9, math.sqrt(0.19)]])

    assert says_the_same("a feline", "a cat", encode)
    assert not says_the_same("a feline", "a cat", lambda texts: np.eye(2))


def test_a_plan_is_entailed_by_words_alone_never_by_files_or_tools():
    more = (*WANTED[:2], Call("image generation", {"text": "a fine drawing of <node-1>.text"}, 2))
    assert plan_is_entailed(more, WANTED)
    assert not plan_is_entailed(WANTED, more)
    assert not plan_is_entailed(WANTED[:2], WANTED)
    other = (Call(ASR.tool, {"audio": "a.flac.b.flac"}, 0), *WANTED[1:])
    assert not plan_is_entailed(other, WANTED)
    named = (ASR, Call(SHORT.tool, {"words": "<node-0>.text"}, 1), DRAW)
    assert not plan_is_entailed(named, WANTED)
    assert plan_is_entailed((), ())


# Code.


def test_ast_accuracy_needs_the_same_tree():
    code = to_code(WANTED)
    assert same_tree(code, code.replace("    ", "  ")) and same_tree(code, code + "  # done")
    renamed = code.replace("output1", "short")
    assert not same_tree(code, renamed) and same_tree_renamed(code, renamed)
    assert not same_tree_renamed(code, code.replace("a.flac", "b.flac"))
    swapped = ("f(a=1, b=2)", "f(b=2, a=1)")
    assert not same_tree(*swapped) and same_tree_renamed(*swapped)
    assert not same_tree("x = (", "x = (") and not same_tree_renamed("x = (", "x = (")


def test_code_bleu_by_hand():
    # Tokens: x = f ( ) and y = f ( ): four of five, three of four, two of three, one of two.
    found = code_bleu("y = f()", "x = f()")
    smooth = (4 / 5 * (3 + 1) / (4 + 1) * (2 + 1) / (3 + 1) * (1 + 1) / (2 + 1)) ** 0.25
    assert found.tokens == found.weighted == pytest.approx(smooth)
    assert found.syntax == 1.0, "names are left out of the shapes"
    assert found.flow == 1.0, "there is none to miss"
    assert found.score == pytest.approx((2 * smooth + 2) / 4)


def test_code_bleu_weighs_keywords_and_follows_data():
    # Tokens of one: a = f ( ) b = g ( a ) and with a read or not.
    wanted = "a = f()\nb = g(a)"
    assert code_bleu("x = f()\ny = g(x)", wanted).flow == 1.0
    assert code_bleu("a = f()\nb = g()", wanted).flow == 0.0
    heavy = code_bleu("return a", "return b")
    # return weighs 5 of 6, and half of two tokens without weights; no pair is right but one is
    # added: 1/2.
    assert heavy.weighted == pytest.approx(math.sqrt(5 / 6 * 1 / 2))
    assert heavy.tokens == pytest.approx(math.sqrt(1 / 2 * 1 / 2))


def test_what_is_no_code_has_no_syntax_and_no_flow():
    found = code_bleu("a = (", "a = f()\nb = g(a)")
    assert found.syntax == found.flow == 0.0 and 0 < found.score < 0.25
    assert code_bleu("", "a = f()").score == pytest.approx(1 / 4), "only the flow, which is none"


# Results.


def text(words):
    return Made("text", words)


def test_likeness_of_results_theirs_and_strict():
    wanted = [{"text": text("a cat sits on a mat")}, {"number": Made("number", 3.0)}]
    same = likeness(wanted, wanted)
    assert same.theirs == same.strict == pytest.approx(1.0)
    # The number is missing: theirs leaves it out, strictly it is 0.
    part = likeness(wanted[:1], wanted)
    assert part.theirs == pytest.approx(1.0) and part.strict == pytest.approx(0.5)
    assert part.by_modality == {"text": pytest.approx(1.0), "number": 0.0}
    # A wrong number scores 0: theirs drops the 0 as well.
    wrong = likeness([wanted[0], {"number": Made("number", 4.0)}], wanted)
    assert wrong.theirs == pytest.approx(1.0) and wrong.strict == pytest.approx(0.5)
    nothing = likeness([], wanted)
    assert nothing.theirs == nothing.strict == 0.0


def test_outputs_of_one_name_are_compared_in_order():
    wanted = [{"text": text("one two three four")}, {"text": text("five six seven eight")}]
    found = likeness(wanted[:1], wanted)
    assert found.strict == pytest.approx(0.5)
    # Theirs joins the words of all: four of eight, all right, so only their being short counts.
    assert found.theirs == pytest.approx(math.exp(1 - 8 / 4))
    other = likeness([{"text": Made("image", None)}], wanted[:1])
    assert other.strict == 0.0


def test_images_are_alike_by_their_pixels():
    black, white = (PIL.Image.new("RGB", (9, 5), colour) for colour in ("black", "white"))
    assert image_likeness(black, black) == 1.0 and image_likeness(black, white) == 0.0
    grey = PIL.Image.new("RGB", (90, 50), (51, 51, 51))
    assert image_likeness(black, grey) == pytest.approx(0.8)


def test_average_precision_by_hand():
    cat, dog = ("cat", (0, 0, 10, 10), 1.0), ("dog", (20, 0, 30, 10), 1.0)
    assert average_precision([cat, dog], [cat, dog]) == 1.0
    assert average_precision([cat], [cat, dog]) == pytest.approx(1 / 2)
    assert average_precision([], [cat]) == 0.0 and average_precision([cat], []) == 0.0
    # Half beside it: an overlap of 1/3 is too little; 6 of 10 beside: 4/16 too; 2 of 10: 8/12.
    assert average_precision([("cat", (5, 0, 15, 10), 1.0)], [cat]) == 0.0
    assert average_precision([("cat", (2, 0, 12, 10), 1.0)], [cat]) == 1.0
    # The surer one is wrong: precision is 1/2 at every recall.
    wrong = ("cat", (50, 50, 60, 60), 0.9)
    assert average_precision([wrong, ("cat", (0, 0, 10, 10), 0.5)], [cat]) == pytest.approx(1 / 2)
    # One of two found: precision 1 up to a recall of 1/2, that is at 51 of 101.
    two = [cat, ("cat", (40, 0, 50, 10), 1.0)]
    assert average_precision([cat], two) == pytest.approx(51 / 101)
    # The same thing found twice counts once.
    assert average_precision([cat, cat], [cat]) == 1.0


def test_theirs_compares_the_first_objects_and_as_many_images_as_there_are():
    box = [("cat", (0, 0, 10, 10), 1.0)]
    wanted = [{"objects": Made("objects", box)}, {"objects": Made("objects", [])}]
    found = likeness([{"objects": Made("objects", box)}], wanted)
    assert found.theirs == 1.0 and found.strict == pytest.approx(0.5)
    black = Made("image", PIL.Image.new("RGB", (4, 4)))
    found = likeness([{"image": black}], [{"image": black}, {"image": black}])
    assert found.theirs == 1.0 and found.strict == pytest.approx(0.5)
