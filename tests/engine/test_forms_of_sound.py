"""What is made of a sound has the form of the file that was handed over."""

from __future__ import annotations

import io

import av
import numpy as np

from controlllm.core.events import ActionFinished
from controlllm.resources import Resource, Sound, decode
from controlllm.resources.several import read_members
from controlllm.store.handed_over import add_file
from controlllm.toolbox import Context
from tests.engine.bench import Bench, action, only, plan_of
from tools.sound.cutting import cut_audio
from tools.sound.editing import audio_mixing
from tools.sound.embedded import sound_files
from tools.sound.files import convert_audio
from tools.sound.labelling import label_audio
from tools.sound.levels import fade_audio
from tools.sound.splitting import split_channels

RATE = 44_100


def tone(channels: int) -> Sound:
    """Three seconds that rustle, so that no codec can leave out much of them."""
    noise = np.random.default_rng(3).normal(0, 0.1, (3 * RATE, channels)).clip(-1, 1)
    return Sound(noise.astype(np.float32), RATE)


def handed_over(bench: Bench, folder, name: str, channels: int, kilobits: int = 0) -> Resource:
    """A recording of three seconds that a person hands over."""
    form = name.rpartition(".")[2].replace("opus", "ogg")
    (folder / name).write_bytes(
        sound_files.saved(tone(channels), form, 0, kilobits, Context(folder=folder))
    )
    session = bench.store.new_session()
    return add_file(bench.store, session.id, folder / name, name)[0]


def made(bench: Bench, steps, *given: Resource) -> Resource:
    bench.definitions = [
        cut_audio,
        fade_audio,
        audio_mixing,
        split_channels,
        convert_audio,
        label_audio,
    ]
    return only(bench.run(plan_of([steps]), given), ActionFinished)[-1].resource


def facts(content) -> tuple[str, int, int, float]:
    """Codec, channels, kilobits a second and seconds of a sound file."""
    with av.open(content) as file:
        stream = file.streams.audio[0]
        kilobits = round((stream.bit_rate or file.bit_rate) / 1000)
        codec = stream.codec_context
        return codec.name, codec.channels, kilobits, (file.duration or 0) / 1e6


def test_a_sound_keeps_the_form_codec_bit_rate_and_channels_of_the_file(bench, tmp_path):
    for name, channels, kilobits, media_type, codec in (
        ("a.mp3", 2, 128, "audio/mpeg", "mp3float"),
        ("b.mp3", 1, 64, "audio/mpeg", "mp3float"),
        ("c.m4a", 1, 64, "audio/mp4", "aac"),
        ("d.opus", 2, 96, "audio/ogg", "opus"),
        ("e.ogg", 1, 0, "audio/ogg", "vorbis"),
        ("f.flac", 2, 0, "audio/flac", "flac"),
        ("g.wav", 2, 0, "audio/wav", "pcm_s16le"),
    ):
        given = handed_over(bench, tmp_path, name, channels, kilobits)
        cut = action("cut_audio", "<GEN>-0", audio=given.value, prompt="the first 2 seconds")
        result = made(bench, [cut], given)
        path = bench.store.path(result.digest, result.media_type)
        found = facts(str(path))
        assert (result.media_type, *found[:2]) == (media_type, codec, channels), name
        assert abs(found[3] - 2) < 0.1, name
        assert not kilobits or 0.6 * kilobits < found[2] < 1.4 * kilobits, (name, found)
        assert abs(decode("audio", path).seconds - 2) < 0.03, name


def test_after_several_steps_and_of_several_files_it_is_the_form_of_the_first(bench, tmp_path):
    first = handed_over(bench, tmp_path, "first.mp3", 1)
    second = handed_over(bench, tmp_path, "second.wav", 1)
    steps = [
        action("audio_mixing", "<GEN>-0", audios=[first.value, second.value], prompt="in turn"),
        action("fade_audio", "<GEN>-1", audio="<GEN>-0"),
    ]
    assert made(bench, steps, first, second).media_type == "audio/mpeg"
    steps[0] = action("audio_mixing", "<GEN>-0", audios=[second.value, first.value])
    assert made(bench, steps, first, second).media_type == "audio/wav"


def test_the_parts_of_a_sound_have_its_form_and_its_labels(bench, tmp_path):
    for name, media_type in (("song.mp3", "audio/mpeg"), ("memo.m4a", "audio/mp4")):
        given = handed_over(bench, tmp_path, name, 2)
        steps = [action("split_channels", "<GEN>-1", audio=given.value)]
        if media_type == "audio/mpeg":
            order = "title: Summer Rain"
            steps = [
                action("label_audio", "<GEN>-0", audio=given.value, order=order),
                action("split_channels", "<GEN>-1", audio="<GEN>-0"),
            ]
        result = made(bench, steps, given)
        for member in read_members(bench.store.path(result.digest, result.media_type)):
            assert member.value.media_type == media_type
            with av.open(io.BytesIO(member.value.content)) as file:
                assert file.streams.audio[0].codec_context.channels == 1
                assert media_type == "audio/mp4" or file.metadata["title"] == "Summer Rain"


def test_a_form_that_is_asked_for_is_what_comes(bench, tmp_path):
    given = handed_over(bench, tmp_path, "song.flac", 1)
    steps = [
        action("fade_audio", "<GEN>-0", audio=given.value),
        action("convert_audio", "<GEN>-1", audio="<GEN>-0"),
    ]
    assert made(bench, steps, given).media_type == "audio/mpeg"
