"""Sound made into other sound, several mixed into one, drawn as a picture, taken from a video."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated

import numpy as np

from controlllm.resources import Audio, Image, Limits, Sound, Text, Video
from controlllm.toolbox import Context, ToolError, tool

from ..shared import time_stretch, video_files
from ..shared.amounts import amounts, in_figures
from ..shared.said_pieces import HOW_OFTEN
from ..shared.sounds import backwards, brought_to, kept, mono, peak, seamed, silence
from ..shared.tables import patterns_beside
from .embedded import (
    musical_facts,
    noise_reduction,
    sound_effects,
    sound_mixing,
    sound_pictures,
    sound_wishes,
)
from .embedded.sound_wishes import Wish
from .places import EQUALLY_LOUD

#: Values of all channels together: what the longest sound that is taken in has.
_MOST_VALUES = Limits.max_samples
_LONGEST_TRACK = 3600.0
_CROSSFADE = 0.25
_SEAM = 0.006
_PATTERNS = patterns_beside(__file__)


@tool(
    domain="audio-editing",
    places="everywhere",
    examples=[
        "Remove the background noise from this recording.",
        "Could you clean up the sound of my interview?",
        "Raise the pitch by two semitones.",
        "Play the song at half speed without changing its pitch.",
        "The voice is too quiet, make it louder.",
        "Give it some echo and let it fade out at the end.",
        "I want to hear this backwards.",
        "Make me sound like a robot.",
        "Trim the silence and normalise the volume.",
    ],
    packages=("scipy", "faster_whisper", "pyloudnorm", "python_stretch"),
    memory="500 MiB",
)
def audio_to_audio(audio: Audio, context: Context, prompt: Text | None = None) -> Audio:
    """Edit a sound as asked: take noise out and make voices clearer, change its pitch, speed or
    volume, add echo, reverb or a fade, filter it, reverse it, cut out silence, or make it sound
    like a robot or a telephone. Without a wish the noise is taken out.

    Args:
        audio: the recording to edit
        prompt: what to do to it, one or several things in order
    """
    try:
        wishes = sound_wishes.read(prompt or "", audio.seconds)
    except sound_wishes.UnclearWishError as error:
        raise ToolError(f"{error} {sound_wishes.POSSIBLE}.") from error
    wishes = wishes or [Wish("denoise")]
    if not peak(audio):
        raise ToolError("The recording is silent, so there is nothing to edit; give me another.")
    for number, wish in enumerate(wishes):
        part = context.part(number / len(wishes), (number + 1) / len(wishes))
        part.progress(0.0, f"Editing the sound: {number + 1} of {len(wishes)}")
        audio = _made(_edited(audio, wish, part), audio.rate, context)
    return _made(sound_effects.within(audio), audio.rate, context)


def _made(blocks: Iterable[np.ndarray], rate: int, context: Context) -> Sound:
    """Blocks as one sound; raises ToolError where there would be too many, or none."""

    def counted() -> Iterator[np.ndarray]:
        size = 0
        for block in blocks:
            context.check()
            size += block.size
            if size > _MOST_VALUES:
                raise ToolError("The sound would become too long; give me a part of it.")
            yield block
        if not size:
            raise ToolError("There is nothing but silence in the sound; give me another.")

    return kept(counted(), rate, context)


_Edit = Callable[[Sound, Wish, Context], Iterable[np.ndarray]]
_EDITS: dict[str, _Edit] = {
    "denoise": lambda sound, wish, context: noise_reduction.reduce_noise(sound, context.progress),
    "room": lambda sound, wish, context: noise_reduction.reduce_noise(
        sound, context.progress, less_room=True
    ),
    "clicks": lambda sound, wish, context: noise_reduction.remove_clicks(sound, context.progress),
    "pitch": lambda sound, wish, context: time_stretch.change_pitch(
        sound, wish.amount, context, context.progress
    ),
    "tempo": lambda sound, wish, context: time_stretch.change_tempo(
        sound, wish.amount, context.progress
    ),
    "beats": lambda sound, wish, context: time_stretch.change_tempo(
        sound, _times_as_fast(sound, wish.amount), context.progress
    ),
    "speed": lambda sound, wish, context: time_stretch.change_speed(sound, wish.amount),
    "volume": lambda sound, wish, context: sound_effects.amplify(
        sound, min(max(wish.amount, -60.0), 40.0)
    ),
    "mute": lambda sound, wish, context: silence(sound.frames, sound.channels),
    "normalise": lambda sound, wish, context: sound_effects.normalise(sound),
    "echo": lambda sound, wish, context: sound_effects.echo(
        sound, min(max(wish.amount, 0.02), 5.0), wish.second
    ),
    "reverb": lambda sound, wish, context: sound_effects.reverb(
        sound, max(wish.amount, 0.1), wish.second
    ),
    "fade_in": lambda sound, wish, context: sound_effects.fade(sound, wish.amount, out=False),
    "fade_out": lambda sound, wish, context: sound_effects.fade(sound, wish.amount, out=True),
    "reverse": lambda sound, wish, context: backwards(sound),
    "mono": lambda sound, wish, context: mono(sound),
    "telephone": lambda sound, wish, context: sound_effects.telephone(sound, context),
    "low_pass": lambda sound, wish, context: sound_effects.band_pass(sound, 0, wish.amount),
    "high_pass": lambda sound, wish, context: sound_effects.band_pass(sound, wish.amount, math.inf),
    "bass": lambda sound, wish, context: sound_effects.shelf(sound, 180, wish.amount, high=False),
    "treble": lambda sound, wish, context: sound_effects.shelf(sound, 3500, wish.amount, high=True),
    "robot": lambda sound, wish, context: sound_effects.robot(sound, context),
    "silence": lambda sound, wish, context: sound_effects.without_silence(sound),
    "silence_first": lambda sound, wish, context: sound_effects.without_silence(sound, "start"),
    "silence_last": lambda sound, wish, context: sound_effects.without_silence(sound, "end"),
    "pauses": lambda sound, wish, context: sound_effects.without_pauses(sound, 0.35),
    "part": lambda sound, wish, context: sound_effects.passages(
        sound, ((wish.amount, wish.second), *wish.further), _SEAM
    ),
}


def _times_as_fast(sound: Sound, beats: float) -> float:
    """How many times as fast music has to be for so many beats a minute; twice the tempo that is
    heard, or half of it, may be the one that is counted."""
    tempo = musical_facts.heard(sound).tempo
    if not tempo:
        raise ToolError(
            "I hear no steady beat in the sound; say by how much faster or slower it shall be, "
            "such as “10 % faster”."
        )
    return min((beats / tempo * fold for fold in (0.5, 1.0, 2.0)), key=lambda f: abs(math.log(f)))


def _edited(sound: Sound, wish: Wish, context: Context) -> Iterable[np.ndarray]:
    if wish.action == "pitch" and not -24 <= wish.amount <= 24:
        raise ToolError("I can change the pitch by at most 24 semitones; ask for less.")
    if wish.action in ("tempo", "speed") and not 0.25 <= wish.amount <= 4:
        raise ToolError("I can make a sound at most four times as fast or as slow; ask for less.")
    return _EDITS[wish.action](sound, wish, context)


@tool(
    domain="audio-editing",
    examples=[
        "Mix the voice with the music.",
        "Lay these two recordings over each other.",
        "Put the music quietly in the background of the speech.",
        "Join the sound files one after the other.",
        "Can you combine the narration and the birdsong into one track?",
        "Blend these sounds so that they play at the same time.",
        "I need a single file of the three takes, back to back.",
        "Overlay the rain on the piano.",
        "First the jingle, then the voice, both equally loud.",
    ],
    packages=("pyloudnorm", "scipy"),
)
def audio_mixing(
    audios: list[Audio],
    context: Context,
    prompt: Text | None = None,
    alike: Annotated[bool, EQUALLY_LOUD] = False,
    times: Annotated[int, HOW_OFTEN] = 1,
) -> Audio:
    """Mix two or more sounds into one: all at the same time, or joined one after the other, or
    with the later ones quietly in the background.

    Args:
        audios: the sounds to mix; the first is the one in front
        prompt: how to mix them, such as one after the other
        alike: whether each is brought to the same loudness before
        times: how often it is played, one after the other
    """
    if len(audios) < 2 and times < 2:
        raise ToolError("Mixing takes two or more sounds; hand over another one.")
    rate, channels = (
        max(what) for what in zip(*((a.rate, a.channels) for a in audios), strict=True)
    )
    if sum(audio.seconds for audio in audios) * rate * channels > 2 * _MOST_VALUES:
        raise ToolError("The sounds are too long to mix all at once; give me parts of them.")
    context.progress(0.1, "Bringing the sounds together")
    sounds = [brought_to(audio, rate, channels, context) for audio in audios]
    if alike:
        sounds = [kept(sound_effects.normalise(sound), rate, context) for sound in sounds]
    words = " ".join((prompt or "").lower().replace("’", "'").split())
    context.progress(0.5, "Mixing")
    if _PATTERNS["in_turn"].search(words) and not _PATTERNS["at_once"].search(words):
        crossfade, pause = _between(words)
        blocks = sound_mixing.in_turn(sounds, crossfade, pause)
    elif _PATTERNS["quietly"].search(words):
        front = 1 if _PATTERNS["first_behind"].search(words) else 0
        after = 0.0 if _PATTERNS["ends_with"].search(words) else sound_mixing.ECHO_OUT
        blocks = sound_mixing.in_background(sounds, front, after, context)
    else:
        blocks = sound_mixing.overlaid(sounds)
    mixed = _made(sound_effects.within(_made(blocks, rate, context)), rate, context)
    if times < 2:
        return mixed
    return _made(seamed([(mixed, 0, mixed.frames)] * times, _SEAM), rate, context)


def _between(words: str) -> tuple[float, float]:
    """Seconds of crossfade and of pause that the words ask for between two sounds."""
    if _PATTERNS["no_fade"].search(words):
        return 0.0, 0.0
    named = [item.value for item in amounts(in_figures(words)) if item.kind == "seconds"]
    seconds = min(named[0], 30.0) if named else None
    if _PATTERNS["pause"].search(words) and not _PATTERNS["no_pause"].search(words):
        return 0.0, 1.0 if seconds is None else seconds
    return (_CROSSFADE if seconds is None else seconds), 0.0


@tool(
    domain="audio-perception",
    examples=[
        "Show me the waveform of this recording.",
        "Draw a spectrogram of the bird call.",
        "What does this sound look like?",
        "Which frequencies are in the song, as a picture?",
        "Visualise the audio.",
        "Plot how loud the recording is over time.",
        "I'd like to see the sound wave as an image.",
        "Make a mel spectrogram of the voice message.",
    ],
    packages=("matplotlib",),
)
def audio_to_image(audio: Audio, context: Context, prompt: Text | None = None) -> Image:
    """Draw a picture of a sound: its waveform, which shows how loud it is over time, and its
    spectrogram, which shows its frequencies over time, with labelled axes.

    Args:
        audio: the sound to draw
        prompt: what to draw, the waveform or the spectrogram; both where it says neither
    """
    words = (prompt or "").lower()
    if _PATTERNS["scene"].search(words):
        raise ToolError(
            "I cannot make up a picture that fits a sound; I can draw its waveform and its "
            "spectrogram."
        )
    waveform = _PATTERNS["waveform"].search(words) is not None
    spectrogram = _PATTERNS["spectrogram"].search(words) is not None
    if waveform == spectrogram:
        waveform = spectrogram = True
    context.progress(0.1, "Drawing the sound")
    return sound_pictures.draw(audio, waveform, spectrogram)


@tool(
    domain="video-processing",
    examples=[
        "Extract the audio from this video.",
        "Give me only the sound of the clip.",
        "Save the sound track of the film.",
        "Can I have the music from this video as an audio file?",
        "Rip the audio out of the recording of the concert.",
        "I just want to listen to the video, without the pictures.",
        "Turn the video into an audio file.",
        "Separate the sound from the pictures.",
    ],
    packages=("av",),
)
def video_to_audio(video: Video, context: Context) -> Audio:
    """Take the sound track out of a video and return it as an audio recording.

    Args:
        video: the video whose sound is wanted
    """
    context.progress(0.0, "Reading the video")
    facts = video_files.read_facts(video)
    if facts.seconds > _LONGEST_TRACK:
        raise ToolError(
            f"The video is {facts.seconds / 60:.0f} minutes long and I take out at most "
            f"{_LONGEST_TRACK / 60:.0f} minutes of sound; cut the video first."
        )
    sound = video_files.read_sound(video, None, None, _LONGEST_TRACK, context=context)
    if sound is None or not sound.frames:
        raise ToolError(
            "The video has no sound track, only pictures; hand over a video with sound."
        )
    return sound
