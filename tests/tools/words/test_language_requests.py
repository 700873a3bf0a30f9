"""What a language model is asked and how its replies are checked, and languages by their names."""

from __future__ import annotations

import threading

import pytest

from controlllm.resources import Label
from controlllm.toolbox import Cancelled, Context, ToolError
from tests.every_case import every_case
from tools.words.embedded import language_requests as requests
from tools.words.embedded.language_requests import LanguageModel, Reply
from tools.words.embedded.languages import code_of, language_of

PARAGRAPH = "The ferry leaves the island at nine. It needs an hour to the mainland. "


class Model:
    """A model whose replies are given, and what it was asked."""

    def __init__(self, *replies: str, longest: int = 1_000, complete: bool = True) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[str, str]] = []
        self.complete = complete
        self.model = LanguageModel(self._ask, longest)

    def _ask(self, instruction: str, text: str, most: int, context: Context) -> Reply:
        context.progress(0.5, "writing")
        assert len(text) <= self.model.longest + 200
        self.asked.append((instruction, text))
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return Reply(reply, self.complete)


def test_pieces_are_the_text_again_and_end_at_the_best_place():
    text = "One two. " * 30 + "\n\n" + "Three four. " * 30
    pieces = requests.pieces_of(text, 300)
    assert "".join(pieces) == text
    assert all(len(piece) <= 300 for piece in pieces)
    assert pieces[0].endswith("\n\n")
    assert requests.pieces_of("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]
    assert requests.pieces_of("今日は。" * 10, 10)[0].endswith("。")


def test_a_long_text_is_summarised_in_pieces_and_once_more():
    model = Model("The ferry leaves at nine.")
    told: list[float] = []
    context = Context(lambda fraction, words: told.append(fraction))
    assert requests.summarised(PARAGRAPH * 40, model.model, context) == "The ferry leaves at nine."
    assert len(model.asked) > 3
    assert "The ferry leaves at nine." in model.asked[-1][1]
    assert told == sorted(told) and told[-1] <= 1


def test_a_model_that_makes_nothing_shorter_is_not_asked_for_ever():
    long = " ".join(f"Sentence number {number} says something." for number in range(25))
    with pytest.raises(ToolError, match="shorter"):
        requests.summarised(PARAGRAPH * 40, Model(long).model, Context())


def test_the_person_can_stop_between_pieces():
    stop = threading.Event()
    model = Model("Hello.", longest=400)
    context = Context(lambda fraction, words: stop.set(), stop)
    with pytest.raises(Cancelled):
        requests.translated(PARAGRAPH * 20, "German", model.model, context)
    assert len(model.asked) == 1


@every_case(
    "reply, title",
    [
        ("Title: “A Bridge for the Ohio”.", "A Bridge for the Ohio"),
        ("**A Bridge for the Ohio**\n\nI hope you like it.", "A Bridge for the Ohio"),
        (
            "A Bridge for the Ohio: why the city council voted for it after two years",
            "A Bridge for the Ohio",
        ),
        ("one two three four five six seven eight nine ten eleven", None),
    ],
)
def test_a_title_is_one_line_of_ten_words(reply, title):
    found = requests.titled(PARAGRAPH, Model(reply).model, Context())
    assert len(found.split()) <= 10
    assert title is None or found == title


def test_tags_are_tidied_and_said_once():
    found = requests.tagged(PARAGRAPH, Model("1. ferry\n- Ferry, #island, “sea”").model, Context())
    assert found == ("ferry", "island", "sea")
    with pytest.raises(ToolError, match="no tags"):
        requests.tags_in(["", "?!", "word " * 30])


def test_what_the_text_does_not_say_is_said_in_the_usual_words():
    reply = "The text does not answer this question. It is about a ferry."
    model = Model(reply)
    assert requests.answered(PARAGRAPH, "Who?", model.model, Context()) == requests.SILENT


def test_of_a_long_text_the_part_about_the_question_is_read():
    text = PARAGRAPH * 30 + "The captain is called Ingrid Sol. " + PARAGRAPH * 30
    model = Model("Ingrid Sol.")
    question = "What is the captain called?"
    assert requests.answered(text, question, model.model, Context()) == "Ingrid Sol."
    assert "Ingrid Sol" in model.asked[0][1]


def test_a_translation_keeps_the_space_between_its_pieces():
    text = PARAGRAPH * 3 + "\n\n" + PARAGRAPH * 3
    model = Model("Hallo.", longest=1_000)
    found = requests.translated(text, "German", model.model, Context())
    assert found == "Hallo. \n\nHallo. " and len(model.asked) == 2
    assert "German" in model.asked[0][0]
    assert "\n\n" not in model.asked[0][1]


def test_a_translation_that_was_cut_off_is_not_given():
    with pytest.raises(ToolError, match="end"):
        requests.translated(PARAGRAPH, "German", Model("Die", complete=False).model, Context())


def test_thoughts_and_introductions_are_left_out():
    model = Model("<think>Hm, a poem.</think>\nHere is a poem:\n\nThe sea is wide.")
    assert requests.written("A poem", None, model.model, Context()) == "The sea is wide."
    with pytest.raises(ToolError, match="no text"):
        requests.written("A poem", None, Model("<think>endless").model, Context())
    with pytest.raises(ToolError, match="at most"):
        requests.written("Shorten it", "word " * 400, model.model, Context())


def test_shares_are_one_together_and_only_of_known_labels():
    found = requests.shares_in({"Sport": 3, "other": 5, "food": float("nan")}, ["food", "sport"])
    assert found == (Label("sport", 1.0), Label("food", 0.0))
    with pytest.raises(ToolError):
        requests.shares_in({"other": 1}, ["food", "sport"])


def test_only_names_that_stand_in_the_text_are_given():
    said = [
        {"name": "Ohio  River", "kind": "place"},
        {"name": "Paris", "kind": "place"},
        {"name": "Linda Torres", "kind": "person"},
        {"name": "Linda Torres", "kind": "dog"},
        {"name": "1,200", "kind": "number"},
    ]
    text = "Linda Torres hired 1,200 workers at the Ohio\nRiver."
    kinds = ("person", "place", "number")
    assert requests.entities_in(said, kinds, text) == [
        "Linda Torres (person)",
        "1200 (number)",
        "Ohio River (place)",
    ]


@every_case(
    "words, code",
    [
        ("French", "fr"),
        ("into German, please", "de"),
        ("from Dutch into English", "en"),
        ("Brazilian Portuguese", "pt"),
        ("Scottish Gaelic", "gd"),
        ("pt-BR", "pt"),
        ("日本語", "ja"),
        ("Klingon", None),
        ("", None),
    ],
)
def test_a_language_is_found_by_its_name(words, code):
    assert code_of(words) == code


@every_case(
    "text, code",
    [
        ("The ferry leaves the island at nine.", "en"),
        ("Die Fähre verlässt die Insel um neun Uhr.", "de"),
        ("Le bateau quitte l'île à neuf heures et il est plein.", "fr"),
        ("El barco sale de la isla a las nueve.", "es"),
        ("Il traghetto lascia l'isola alle nove e non aspetta.", "it"),
        ("Prom odpływa z wyspy o dziewiątej i nie czeka.", "pl"),
        ("Паром уходит с острова в девять.", "ru"),
        ("Пором відходить з острова о дев'ятій.", "uk"),
        ("フェリーは九時に島を出ます。", "ja"),
        ("渡轮九点离开岛屿。", "zh"),
        ("배는 아홉 시에 섬을 떠난다.", "ko"),
        ("تغادر العبارة الجزيرة في التاسعة.", "ar"),
        ("Thanks a lot", "en"),
        ("Tengo mucha hambre", "es"),
        ("Dov'è la stazione?", "it"),
        ("Onde fica a estação?", "pt"),
        ("Var ligger stationen?", "sv"),
        ("Missä on rautatieasema?", "fi"),
        ("Kde je nádraží?", "cs"),
        ("İstasyon nerede?", "tr"),
        ("On és l'estació?", "ca"),
        ("123 + 456", None),
    ],
)
def test_the_language_of_a_text_is_told(text, code):
    assert language_of(text) == code
