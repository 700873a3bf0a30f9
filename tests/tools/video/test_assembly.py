"""Pages of videos, dubbing and still pictures with sound, on videos that the tests make."""

from __future__ import annotations

import base64
import hashlib
import re
import threading
from html.parser import HTMLParser

import numpy as np
import PIL.Image
import pytest
import skimage.data

from controlllm.resources import Clip
from controlllm.toolbox import Cancelled, Context, ToolError
from tests.tools.made_videos import make_video, pan, picture_packets, streams, tone, turned
from tools.shared import video_files
from tools.video.assembly import dub_video, image_audio_to_video, video_to_webpage


@pytest.fixture
def context(tmp_path):
    return Context(folder=tmp_path / "new")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("videos")


@pytest.fixture(scope="module")
def with_sound(folder) -> Clip:
    frames = list(pan(skimage.data.astronaut(), 50, 320, 180))
    return make_video(folder / "astronaut.mp4", frames, sound=tone(2, channels=2))


@pytest.fixture(scope="module")
def webm(folder) -> Clip:
    frames = list(pan(skimage.data.coffee(), 24, 160, 90))
    return make_video(folder / "coffee.webm", frames, rate=24, codec="libvpx-vp9")


@pytest.fixture(scope="module")
def uneven(folder) -> Clip:
    times = np.cumsum(np.random.default_rng(3).integers(20, 200, 30)).tolist()
    times = [time - times[0] for time in times]
    frames = list(pan(skimage.data.chelsea(), 30, 160, 90))
    return make_video(folder / "uneven.mp4", frames, times=times)


@pytest.mark.parametrize(
    "sound",
    [tone(0.1, 8_000), tone(5, 44_100, 2), tone(1.3, 11_025)],
    ids=["0.1 s at 8 kHz", "longer, stereo", "shorter"],
)
def test_dubbing_keeps_the_pictures_and_their_length(with_sound, sound, context):
    dubbed = dub_video(with_sound, sound, context=context)
    assert dubbed.path.parent == context.folder
    assert picture_packets(dubbed) == picture_packets(with_sound)
    found = streams(dubbed)
    assert found["video"] == ("h264", pytest.approx(2.0, abs=0.001))
    assert found["audio"] == ("aac", pytest.approx(2.0, abs=0.001))


def test_dubbed_sound_is_heard_then_silence(with_sound, context):
    dubbed = dub_video(with_sound, tone(0.8), context=context)
    samples = video_files.read_sound(dubbed, rate=16_000).mono()
    heard = np.abs(samples[1600:11_000])
    assert np.sqrt((heard**2).mean()) == pytest.approx(0.4 / np.sqrt(2), rel=0.1)
    spectrum = np.abs(np.fft.rfft(samples[1600:9600]))
    assert np.argmax(spectrum) / 0.5 == pytest.approx(440, abs=4)
    assert np.abs(samples[14_000:]).max() < 0.01


def test_dubbed_sound_that_is_cut_fades_out(with_sound, context):
    dubbed = dub_video(with_sound, tone(10), context=context)
    samples = video_files.read_sound(dubbed, rate=16_000).mono()[:32_000]
    loud, soft = np.abs(samples[-8000:-6400]).max(), np.abs(samples[-160:]).max()
    assert soft < 0.2 * loud


def test_dubbing_an_uneven_frame_rate_keeps_every_time(uneven, context):
    dubbed = dub_video(uneven, tone(1), context=context)
    before = [time for time, _ in video_files.read_frames(uneven)]
    after = [time for time, _ in video_files.read_frames(dubbed)]
    assert after == pytest.approx(before, abs=0.001)
    assert len(after) == 30


def test_dubbing_a_webm_encodes_it_again(webm, context):
    dubbed = dub_video(webm, tone(3), context=context)
    found = streams(dubbed)
    assert found["video"] == ("h264", pytest.approx(1.0, abs=1 / 24))
    assert found["audio"] == ("aac", pytest.approx(1.0, abs=1 / 24))
    first, second = (next(video_files.read_frames(clip))[1] for clip in (webm, dubbed))
    assert np.abs(first.astype(float) - second).mean() < 6


def test_turned_video_is_read_upright_and_stays_turned(with_sound, tmp_path, context):
    clip = turned(with_sound, tmp_path / "phone.mp4")
    facts = video_files.read_facts(clip)
    assert (facts.width, facts.height) == (180, 320)
    straight = next(video_files.read_frames(with_sound))[1]
    seen = next(video_files.read_frames(clip))[1]
    assert np.array_equal(seen, np.rot90(straight, -1))
    again = video_files.read_facts(dub_video(clip, tone(1), context=context))
    assert (again.width, again.height) == (180, 320)


def test_sampled_frames_are_spread_over_the_video(with_sound):
    times = [time for time, _ in video_files.sample_frames(with_sound, 5)]
    assert times == pytest.approx([0.2, 0.6, 1.0, 1.4, 1.8], abs=0.04)
    assert len(list(video_files.sample_frames(with_sound, 500))) == 50


def test_sampling_by_seeking_finds_the_same_frames(with_sound, monkeypatch):
    before = [time for time, _ in video_files.sample_frames(with_sound, 5)]
    monkeypatch.setattr(video_files, "_JUMP", 0.0)
    assert [time for time, _ in video_files.sample_frames(with_sound, 5)] == before


def test_what_is_no_video_is_refused_in_words(with_sound, tmp_path):
    playlist = f"#EXTM3U\n#EXTINF:2,\n{with_sound.path}\n#EXT-X-ENDLIST\n".encode()
    for data in (b"", b"no video" * 300, with_sound.path.read_bytes()[:600], playlist):
        path = tmp_path / "holiday.mp4"
        path.write_bytes(data)
        with pytest.raises(ToolError, match="The video could not be read"):
            video_files.read_facts(Clip(path))


def test_stopping_leaves_no_half_written_file(with_sound, tmp_path):
    stop = threading.Event()
    stop.set()
    context = Context(cancelled=stop, folder=tmp_path / "stopped")
    with pytest.raises(Cancelled):
        dub_video(with_sound, tone(1), context=context)
    assert not list(context.folder.iterdir())


def test_picture_and_sound_become_a_video_as_long_as_the_sound(context):
    clip = image_audio_to_video(
        PIL.Image.fromarray(skimage.data.coffee()), tone(1.37, 22_050, 2), context=context
    )
    found = streams(clip)
    assert found["video"] == ("h264", pytest.approx(1.37, abs=0.001))
    assert found["audio"] == ("aac", pytest.approx(1.37, abs=0.001))
    facts = video_files.read_facts(clip)
    assert (facts.width, facts.height, facts.pixel_format) == (600, 400, "yuv420p")
    frames = [frame for _, frame in video_files.read_frames(clip)]
    assert len(frames) == 34
    coffee = skimage.data.coffee().astype(float)
    # The first frame is the whole picture, and the zoom moves away from it.
    assert np.abs(frames[0] - coffee).mean() < 6 < np.abs(frames[-1] - coffee).mean()


@pytest.mark.parametrize("size", [(1, 1), (3001, 3), (5, 401), (2001, 1501)])
def test_any_picture_becomes_a_playable_size(size, context):
    clip = image_audio_to_video(PIL.Image.new("RGB", size, "teal"), tone(0.1), context=context)
    facts = video_files.read_facts(clip)
    assert facts.width % 2 == facts.height % 2 == 0
    assert min(facts.width, facts.height) >= 16 and max(facts.width, facts.height) <= 1280
    colour = next(video_files.read_frames(clip))[1].reshape(-1, 3).mean(axis=0)
    assert colour == pytest.approx((0, 128, 128), abs=8)


class Page(HTMLParser):
    """Collects the tags, attributes and words of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)


NASTY = "<script>alert('x')</script> & \"quoted\" <img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def page(with_sound, folder) -> str:
    return video_to_webpage(
        with_sound,
        f"Space {NASTY}",
        ("space", f"#{NASTY}", "", "space"),
        f"First.\n\nSecond {NASTY}",
        context=Context(folder=folder / "page"),
    )


def test_page_holds_the_very_video(page, with_sound):
    source = next(attrs["src"] for tag, attrs in Page(page).tags if tag == "source")
    head, data = source.split(",", 1)
    assert head == "data:video/mp4;base64"
    assert base64.b64decode(data) == with_sound.path.read_bytes()


def test_page_escapes_what_people_write(page):
    read = Page(page)
    tags = [tag for tag, _ in read.tags]
    assert "script" not in tags and "img" not in tags
    assert not any(name.startswith("on") for _, attrs in read.tags for name in attrs)
    words = " ".join(read.words)
    assert f"Space {NASTY}" in words and f"Second {NASTY}" in words
    # Doubled and empty tags are shown once and not at all.
    assert tags.count("li") == 2 and tags.count("h1") == 1


def test_page_asks_nothing_of_the_network(page):
    read = Page(page)
    for _, attrs in read.tags:
        for name in ("src", "href", "poster"):
            assert (attrs.get(name) or "data:").startswith("data:")
    rules = next(
        attrs["content"]
        for tag, attrs in read.tags
        if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    assert "default-src 'none'" in rules and "unsafe" not in rules
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL).group(1)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in rules
    assert "url(" not in style


def test_page_of_a_webm_keeps_it_and_does_without_words(webm, context):
    page = video_to_webpage(webm, "", (), "", context=context)
    read = Page(page)
    assert next(attrs["type"] for tag, attrs in read.tags if tag == "source") == "video/webm"
    assert "Video" in read.words and "li" not in [tag for tag, _ in read.tags]


def test_page_of_a_large_video_holds_a_smaller_copy(with_sound, context, monkeypatch):
    from tools.video import assembly as video_processing

    monkeypatch.setattr(video_processing, "_LARGEST_EMBEDDED", 80_000)
    assert with_sound.path.stat().st_size > 80_000
    page = video_to_webpage(with_sound, "t", (), "d", context=context)
    source = next(attrs["src"] for tag, attrs in Page(page).tags if tag == "source")
    data = base64.b64decode(source.split(",", 1)[1])
    assert len(data) < with_sound.path.stat().st_size
    copy = context.folder / "copy.mp4"
    copy.write_bytes(data)
    facts = video_files.read_facts(Clip(copy))
    assert facts.seconds == pytest.approx(2.0, abs=0.04) and facts.has_sound
