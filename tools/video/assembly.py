"""Video processing: a page around a video, another sound for it, a picture with sound as video."""

from __future__ import annotations

from dataclasses import replace

from controlllm.resources import Audio, Clip, Html, Image, Tags, Text, Title, Video
from controlllm.toolbox import Context, ToolError, tool

from ..shared import video_files
from ..shared.pixels import rgb
from ..shared.video_files import VideoFacts
from ..shared.video_rewriting import with_sound
from .embedded import formats

_PACKAGES = ("av", "cv2")
_LONGEST_SIDE = 1280
_LARGEST_EMBEDDED = 20_000_000  # bytes
_PAGE_BIT_RATE = 2_500_000
_SOUND_BIT_RATE = 192_000
_ZOOM = 0.08
_LONGEST_ZOOM = 120.0  # seconds; with a longer sound the picture stands still to save time
_LONGEST_STILL = 3600.0


@tool(
    domain="video-processing",
    examples=[
        "Build a web page that shows this video.",
        "Make an HTML page for my clip with its title and tags.",
        "Turn the video into a website that I can share.",
        "Generate a webpage with the video, a title, tags and a description.",
        "Publish this video as a page.",
        "I want a nice landing page around the holiday film.",
        "Put the video on a self-contained web page.",
    ],
    packages=_PACKAGES,
)
def video_to_webpage(
    video: Video, title: Title, tags: Tags, description: Text, context: Context
) -> Html:
    """Make a web page that shows a video with its title, tags and description. The page is a single
    HTML file with the video inside, ready to open or share.

    Args:
        video: the video that the page shows
        title: the title of the page
        tags: the tags shown below the video
        description: the text that describes the video
    """
    from .embedded import stills, web_page

    context.progress(0.0, "Reading the video")
    facts = video_files.read_facts(video)
    shown, kind = _for_the_web(video, facts, context.part(0.0, 0.9))
    poster = stills.most_telling(video, facts, context.part(0.9, 1.0))
    told = web_page.Told(title, tags, description)
    return web_page.build(shown.path.read_bytes(), kind, facts, poster, told)


def _for_the_web(video: Clip, facts: VideoFacts, report: Context) -> tuple[Clip, str]:
    """The video as it can be put into a page, and its media type."""
    kind = formats.kind_of(video, facts)
    small = video.path.stat().st_size <= _LARGEST_EMBEDDED
    colours = facts.pixel_format in ("yuv420p", "yuvj420p")
    if small and colours and facts.codec in formats.PICTURES.get(kind, ()):
        return video, f"video/{'webm' if kind == 'webm' else 'mp4'}"
    room = 0.95 * _LARGEST_EMBEDDED * 8 / max(facts.seconds, 1) - _SOUND_BIT_RATE
    bit_rate = int(min(room, _PAGE_BIT_RATE))
    if bit_rate < 60_000:
        raise ToolError(
            f"The video is {facts.seconds / 60:.0f} minutes long, too long to put into a page. "
            "Cut it to less than ten minutes first."
        )
    # A small bit rate looks better spent on fewer pixels.
    longest = _LONGEST_SIDE if bit_rate > 1_500_000 else 854 if bit_rate > 500_000 else 480
    clip = video_files.write_video(
        video_files.Film(
            video_files.read_frames(video),
            facts.seconds,
            video_files.fit(facts.width, facts.height, longest),
            video_files.read_sound(video, rate=48_000, channels=2, longest=facts.seconds),
        ),
        report,
        video_files.Coding(bit_rate=bit_rate),
        words="Making the video smaller",
    )
    return clip, "video/mp4"


@tool(
    domain="video-editing",
    examples=[
        "Replace the sound of this video with the music.",
        "Dub the video with my voice recording.",
        "Put this audio over the clip.",
        "Add the narration to the video.",
        "Swap the sound track of the film for this song.",
        "Use the speech as the new audio of the video.",
        "Combine the video and the audio into one clip.",
        "Set the silent video to music.",
    ],
    packages=_PACKAGES,
)
def dub_video(video: Video, audio: Audio, context: Context) -> Video:
    """Dub a video: replace its sound track with another sound, such as speech or music. The
    pictures stay as they are; the sound is cut or filled up with silence to the video's length.

    Args:
        video: the video whose pictures are kept
        audio: the sound that the video gets
    """
    facts = video_files.read_facts(video)
    return with_sound(video, facts, audio, context, "Dubbing the video")


@tool(
    domain="video-generation",
    examples=[
        "Make a video of this picture with the music.",
        "Turn the photo and the song into a clip.",
        "Combine the image and the audio into a video.",
        "Create a slideshow video from the picture and my narration.",
        "Make a music video with this cover image.",
        "I want a video that shows the painting while the speech plays.",
        "Put the sound behind the still image as an MP4.",
    ],
    packages=_PACKAGES,
)
def image_audio_to_video(image: Image, audio: Audio, context: Context) -> Video:
    """Make a video from a still picture and a sound: the picture is shown, slowly zooming in, for
    as long as the sound plays.

    Args:
        image: the picture to show
        audio: the sound to play; the video is as long as it is
    """
    from .embedded import camera_moves

    if audio.seconds > _LONGEST_STILL:
        raise ToolError(
            f"The sound is {audio.seconds / 60:.0f} minutes long; at most an hour of video can be "
            "made at once. Give me a part of it."
        )
    picture = rgb(image)
    height, width = picture.shape[:2]
    # A tiny picture would make a video that players show as a dot.
    enlarge = max(320 / max(width, height), 1.0)
    size = video_files.fit(round(width * enlarge), round(height * enlarge), _LONGEST_SIDE)
    seconds = audio.seconds
    all_of_it = camera_moves.View(width / 2, height / 2, width)
    zooms = seconds <= _LONGEST_ZOOM
    nearer = replace(all_of_it, width=width / (1 + _ZOOM * zooms))
    rate = 25 if zooms else 1
    return video_files.write_video(
        video_files.Film(
            camera_moves.frames(picture, size, (all_of_it, nearer), seconds, rate),
            seconds,
            size,
            audio,
        ),
        context,
        coding=video_files.Coding(options={"preset": "veryfast", "tune": "stillimage"}),
        words="Making the video",
    )
