"""What is a wish to go back, to what, and what only sounds like one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from controlllm.core.plans import Action, Literal, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.core.session import Turn
from controlllm.planning.restoring import on_original, restoring
from controlllm.resources import Resource


def made(number: int, words: str, tool: str, source: str, value: str, type_name: str) -> Turn:
    output = TypedValue(type_name, f"<GEN>-{0}")
    given = {type_name: Reference(source), "words": Literal(words)}
    subtask = Subtask(0, words, (), (TypedValue(type_name, source),), output)
    plan = Plan((subtask,), {0: (Solution((Action(tool, given, output),), 5.0),)})
    results = {"0.0.0": Resource(type_name, value, origin="made", turn=number)}
    return Turn(number, words, plan=plan, results=results, state="answered")


#: bus.jpg, blurred, brighter, mirrored.
PICTURE = (
    made(0, "Blur bus.jpg.", "image_blurring", "bus.jpg", "blurred.png", "image"),
    made(1, "Make it brighter.", "text_image_editing", "blurred.png", "brighter.png", "image"),
    made(2, "now mirror it", "flip_image", "brighter.png", "mirrored.png", "image"),
)
SOUND = (
    made(0, "make it a bit quieter", "change_volume", "talk.wav", "quieter.wav", "audio"),
    made(1, "take out the noise", "reduce_noise", "quieter.wav", "clean.wav", "audio"),
)

#: What is said after these, and the file that is current then.
GOES_BACK = [
    ("undo", "brighter.png"),
    ("Undo that.", "brighter.png"),
    ("undo it please", "brighter.png"),
    ("Undo the last step", "brighter.png"),
    ("please undo the last change", "brighter.png"),
    ("Can you undo that?", "brighter.png"),
    ("could you please undo this", "brighter.png"),
    ("Oops, undo that!", "brighter.png"),
    ("no no, undo", "brighter.png"),
    ("undo what you just did", "brighter.png"),
    ("Take that back.", "brighter.png"),
    ("take it back please", "brighter.png"),
    ("take back the last change", "brighter.png"),
    ("Revert that", "brighter.png"),
    ("revert the last edit", "brighter.png"),
    ("go back one step", "brighter.png"),
    ("Go back a step please", "brighter.png"),
    ("one step back", "brighter.png"),
    ("go back to the previous version", "brighter.png"),
    ("back to the previous one", "brighter.png"),
    ("I want the previous picture back", "brighter.png"),
    ("give me the previous version again", "brighter.png"),
    ("put it back the way it was", "brighter.png"),
    ("make it like it was before", "brighter.png"),
    ("hmm no, that's too much, go back to the one before", "brighter.png"),
    ("I want the version before", "brighter.png"),
    ("That was a mistake. Undo it.", "brighter.png"),
    ("hmm, I don't like that, please undo it", "brighter.png"),
    ("I've changed my mind, undo that", "brighter.png"),
    ("That's too dark now. Undo that please, it was better before.", "brighter.png"),
    ("scrap that", "brighter.png"),
    ("that last change was wrong, take it back", "brighter.png"),
    ("cancel the last change", "brighter.png"),
    ("can we go back one step?", "brighter.png"),
    ("let's go back to before the mirror", "brighter.png"),
    ("bring back the original", "bus.jpg"),
    ("bring the blurred one back", "blurred.png"),
    ("revert to original", "bus.jpg"),
    ("undo the mirror", "brighter.png"),
    ("undo the mirroring", "brighter.png"),
    ("Go back to before the mirror.", "brighter.png"),
    ("go back to how it was before you mirrored it", "brighter.png"),
    ("nah undo that, the colour was nicer", "brighter.png"),
    ("no take it back, the old sky looked much better", "brighter.png"),
    ("back to before the brightening", "blurred.png"),
    ("Go back to the version before the blur", "bus.jpg"),
    ("go back to what it was before the blurring please", "bus.jpg"),
    ("Revert to the original.", "bus.jpg"),
    ("back to the original", "bus.jpg"),
    ("go back to the original picture", "bus.jpg"),
    ("no, the original", "bus.jpg"),
    ("I meant the original", "bus.jpg"),
    ("give me the original back", "bus.jpg"),
    ("Can I have the original photo back please?", "bus.jpg"),
    ("the original one again please", "bus.jpg"),
    ("restore the original", "bus.jpg"),
    ("undo everything", "bus.jpg"),
    ("undo all changes", "bus.jpg"),
    ("start over with the original", "bus.jpg"),
    ("reset it to the original", "bus.jpg"),
    ("give me the brighter one again", "brighter.png"),
    ("go back to the blurred one", "blurred.png"),
    ("I liked the blurred version better, give me that one back", "blurred.png"),
    ("can I have the blurred picture again", "blurred.png"),
]
GOES_BACK_IN_SOUND = [
    ("undo that", "quieter.wav"),
    ("give me the quieter one again", "quieter.wav"),
    ("go back to the quieter version", "quieter.wav"),
    ("haha no, that sounds silly, undo that and give me the quieter one again", "quieter.wav"),
    ("back to before the noise was taken out", "quieter.wav"),
    ("the original recording again", "talk.wav"),
]

#: What is said after these, and is no wish to go back.
DOES_NOT = [
    "undo the red eyes",
    "Undo the red-eye effect in this photo",
    "restore this old photo",
    "Restore the photo",
    "restore the colours",
    "restore the original colours",
    "remove the original background",
    "mirror it",
    "mirror it back",
    "now blur it again",
    "blur it once more",
    "make it brighter again",
    "make it a bit brighter",
    "give me a brighter one",
    "give me the bus",
    "take the bus out",
    "take out the background",
    "take the back wheel off",
    "take it back ten seconds",
    "cut the last second",
    "remove the last step of the stairs",
    "go back in time: make it look like 1900",
    "make the background black",
    "give it back its colours",
    "turn it back to front",
    "flip it back to front",
    "put the picture on the back of a card",
    "reverse it",
    "reverse the video",
    "play it backwards",
    "what was in the original?",
    "how large is the original?",
    "compare it with the original",
    "show the original next to the new one",
    "put the original beside it",
    "write “undo that” on the picture",
    "add the words “back to the original” at the top",
    "what does undo mean?",
    "translate “take that back” into German",
    "crop it to before the tree",
    "cut everything before the music",
    "what happened before the blur of the 1990s?",
    "is the previous picture brighter?",
    "describe the previous picture",
    "make it like a painting",
    "bring it to the front",
    "delete the last word",
    "remove that",
    "go back to the hotel",
    "undo the buttons of his shirt",
    "make it like it was painted before 1800",
    "cancel the noise",
    "scrap the logo in the corner",
    "revert the colours like a negative",
    "I like it, go on",
    "That was good, thank you.",
    "no",
    "",
]

#: What is said after these, the file gone back to, and what is left to be done with it.
AND_MORE = [
    ("undo that, the letters must be larger", "brighter.png", "the letters must be larger"),
    ("undo that and mirror it instead", "brighter.png", "mirror it"),
    ("Undo that, then make it black and white.", "brighter.png", "make it black and white"),
    (
        "oh no that was a mistake, undo that. I only want left and right swapped",
        "brighter.png",
        "I only want left and right swapped",
    ),
    (
        "oh no sorry, undo that! It is the first part that must go",
        "brighter.png",
        "It is the first part that must go",
    ),
    ("Take that back. Turn it upside down instead.", "brighter.png", "Turn it upside down"),
    ("go back to the original and crop it to a square", "bus.jpg", "crop it to a square"),
    ("Go back to before the mirror and rotate it by 90°", "brighter.png", "rotate it by 90°"),
]


def current(turns: Sequence[Turn], text: str) -> tuple[str, ...]:
    found = restoring(text, turns)
    return found.restored if found else ()


@pytest.mark.parametrize(("text", "value"), GOES_BACK)
def test_a_wish_to_go_back_is_heard(text, value):
    found = restoring(text, PICTURE)
    assert found is not None and found.restored == (value,) and not found.rest


@pytest.mark.parametrize(("text", "value"), GOES_BACK_IN_SOUND)
def test_it_is_heard_of_sounds(text, value):
    found = restoring(text, SOUND)
    assert found is not None and found.restored == (value,) and not found.rest


@pytest.mark.parametrize("text", DOES_NOT)
def test_what_only_sounds_like_it_is_left_alone(text):
    assert restoring(text, PICTURE) is None
    assert restoring(text, SOUND) is None


@pytest.mark.parametrize(("text", "value", "rest"), AND_MORE)
def test_what_is_asked_besides_is_left_to_be_done(text, value, rest):
    found = restoring(text, PICTURE)
    assert found is not None and found.restored == (value,) and found.rest == rest


def test_there_is_nothing_to_go_back_to_at_the_beginning():
    nothing = restoring("undo that", ())
    assert nothing is not None and not nothing.restored and not nothing.taken_back
    assert restoring("no, the original", ()) is None


def test_each_time_it_goes_one_step_further_back_and_what_was_later_is_taken_back():
    turns = list(PICTURE)
    for number, value in ((3, "brighter.png"), (4, "blurred.png"), (5, "bus.jpg")):
        found = restoring("undo that", turns)
        assert found is not None and found.restored == (value,)
        assert value not in found.taken_back
        turns.append(
            Turn(number, "undo that", restored=found.restored, taken_back=found.taken_back)
        )
    found = restoring("undo that", turns)
    assert found is not None and not found.restored  # There is nothing left, and it is said so.
    found = restoring("give me the brighter one again", turns)
    assert found is not None and found.restored == ("brighter.png",)


def test_what_was_made_of_another_kind_of_file_leaves_that_as_it_was():
    drawn = made(2, "draw its waveform", "audio_to_image", "clean.wav", "wave.png", "audio")
    wave = Resource("image", "wave.png", origin="made", turn=2)
    found = restoring("undo that", (*SOUND, replace(drawn, results={"0.0.0": wave})))
    assert found is not None
    assert (found.restored, found.taken_back) == (("clean.wav",), ("wave.png",))


ON_ORIGINAL = [
    ("I meant: mirror the original instead", "mirror bus.jpg"),
    ("No, mirror the original picture", "mirror bus.jpg"),
    ("make the original black and white", "make bus.jpg black and white"),
    ("remove the original background", None),
    ("restore the original colours", None),
    ("mirror it", None),
]


@pytest.mark.parametrize(("text", "meant"), ON_ORIGINAL)
def test_what_is_asked_of_the_original_names_it(text, meant):
    assert on_original(text, PICTURE) == meant
