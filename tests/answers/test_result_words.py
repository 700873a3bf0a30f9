"""What results are called: after what they are."""

from __future__ import annotations

from controlllm.answers.result_names import Around, result_name
from controlllm.answers.result_words import participle_of, words_for
from controlllm.core.plans import Action, Literal, Step, TypedValue
from controlllm.planning.clauses import ORDER_WORDS
from controlllm.toolbox import Toolbox
from tests.every_case import every_case


@every_case(
    ("type_name", "wish", "thing", "source", "name"),
    [
        ("image", "Cut out the dog", "the dog", "IMG_2041", "dog cut out"),
        ("image", "Please cut the dog out of this photo.", "dog", "IMG_2041", "dog cut out"),
        ("canny", "Get the canny edges of §", "", "chelsea", "chelsea canny edges"),
        ("edge", "Extract the edges", "", "chelsea", "chelsea edges"),
        ("mask", "Segment the cat", "the cat", "chelsea", "cat mask"),
        ("text", "Summarize §", "", "report", "report summary"),
        ("text", "Translate the text to German", "", "report", "report translated to German"),
        ("text", "Transcribe the recording", "", "interview", "interview transcript"),
        ("text", "Describe the picture", "", "coffee", "coffee description"),
        ("text", "Write a short poem about the sea", "", "", "short poem about sea"),
        ("image", "Remove the man from this photo", "the man", "beach", "beach without man"),
        ("image", "Blur the background", "", "chelsea", "chelsea background blurred"),
        (
            "image", "Replace the background with a sunset sky", "", "chelsea",
            "chelsea background replaced with sunset sky",
        ),
        ("image", "Turn this photo into a pencil sketch", "", "coffee", "coffee pencil sketch"),
        ("image", "Make it black and white", "", "coffee", "coffee black and white"),
        ("image", "Make the picture brighter", "", "coffee", "coffee brighter"),
        ("image", "Generate an image of a lighthouse in a storm", "", "", "lighthouse in storm"),
        ("image", "Crop § to the dog", "the dog", "beach", "beach cropped to dog"),
        ("image", "Take a still from the video", "", "clip", "clip still"),
        ("audio", "Extract the audio from this video", "", "clip", "clip audio"),
        ("audio", "Read § aloud", "", "report", "report read aloud"),
        ("audio", "Compose a calm piano piece", "", "", "calm piano piece"),
        ("bbox", "Find the dogs", "dogs", "beach", "dogs boxes"),
        ("image", "Put a white border around it", "", "coffee", "coffee with white border"),
        ("image", "Add my logo to the photo", "", "coffee", "coffee with logo"),
        ("document", "Save it as a pdf", "", "coffee", "coffee"),
        ("image", "¿Puedes quitar el perro?", "", "playa", "playa image"),
    ],
)  # fmt: skip
def test_a_result_is_called_after_what_it_is(type_name, wish, thing, source, name):
    assert words_for(type_name, [wish], ORDER_WORDS | {"crop"}, thing, source) == name


@every_case(
    ("verb", "done"),
    [("blur", "blurred"), ("crop", "cropped"), ("apply", "applied"), ("remove", "removed"),
     ("brighten", "brightened"), ("cut", "cut"), ("draw", "drawn"), ("play", "played")],
)  # fmt: skip
def test_participles(verb, done):
    assert participle_of(verb) == done


@every_case(
    ("wish", "thing", "source", "tool", "name"),
    [
        (
            "put our logo in the bottom right corner of the photo", "", "living room",
            "overlay_image", "living room with picture",
        ),
        ("take the talking off", "", "phone video", "mute_video", "phone video muted"),
        ("make the whole lot as loud as normal podcasts", "", "intro", "normalize_loudness",
         "intro loudness normalized"),
        ("my server only takes png", "", "beach", "convert_image", "beach"),
        ("no one should know who that is", "man", "beach", "image_blurring", "beach blurred"),
        ("two furry babies next to each other", "", "dog", "put_side_by_side", "dog side by side"),
        ("white behind our logo", "", "logo", "lay_on_colour", "logo with colour"),
        ("we want a frame", "", "beach", "add_border", "beach with border"),
        ("hear it first", "", "clip", "video_to_audio", "clip audio"),
        ("jpg under 60 kB", "", "beach", "convert_image", "beach"),
    ],
)  # fmt: skip
def test_what_no_wish_says_in_a_few_words_the_tool_says(wish, thing, source, tool, name):
    assert words_for("image", [wish], ORDER_WORDS | {"jpg"}, thing, source, tool) == name


def test_no_password_stands_in_the_name_of_a_code() -> None:
    for text, name in (
        ("my wlan, name See, password moewe24!", "qr code wlan name See.png"),
        ("password x1, network See", "qr code.png"),
        ("WIFI:T:WPA;S:See;P:x1;;", "qr code.png"),
        ("https://example.org", "qr code https example.org.png"),
    ):
        action = Action("make_qr_code", {"text": Literal(text)}, TypedValue("image", "<GEN>-0-0"))
        around = Around(None, {}, {})
        assert result_name(Step("0.0.0", 0, action), around, Toolbox.load(), ()) == name
