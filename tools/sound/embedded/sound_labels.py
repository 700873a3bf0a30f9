"""What stands in a sound file beside the sound: title, artist, album, cover; read out of an order
and written without touching the sound."""

from __future__ import annotations

import base64
import io
import re
import struct
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import PIL.Image

from controlllm.toolbox import Context

#: The containers that are written again as they are, by how FFmpeg calls them when it reads them.
_CONTAINERS = {
    "mp3": ("mp3", "audio/mpeg"),
    "mov,mp4,m4a,3gp,3g2,mj2": ("mp4", "audio/mp4"),
    "ogg": ("ogg", "audio/ogg"),
    "flac": ("flac", "audio/flac"),
    "wav": ("wav", "audio/wav"),
}
_LARGEST = 1400  # pixels of a cover's longer side
_JPEG_QUALITY = 90

_FIELDS = {
    "album_artist": r"album[ -]artist",
    "title": r"(?:(?:song|track|episode)[ -]?)?titles?(?:[ -]tag)?",
    "artist": r"(?:artists?|bands?|singers?|performers?|interpret|speaker)(?:[ -](?:name|tag))?",
    "album": r"(?:albums?|podcast|show)(?:[ -](?:name|title|tag))?",
    "composer": r"(?:composers?|author|writer)",
    "genre": r"genre|style",
    "date": r"(?:release )?(?:year|date)",
    "track": r"track(?:[ -]?(?:number|no\.?|nr\.?))",
    "comment": r"comments?|description",
}
_FIELD = "|".join(f"(?P<{name}>{words})" for name, words in _FIELDS.items())
_IS = r"(?:=|:|->|→|(?:should|shall|must) (?:be|read|say)|to be|to|is|as|be|reads?|says?|named)"
_TOLD = re.compile(
    rf"\b(?:{_FIELD})\b(?: (?:of|in|for) (?:it|the \w+|this \w+))?(?P<sure>\s*{_IS}(?!\w))?\s*",
    re.IGNORECASE,
)
_BY = re.compile(r"(?<=\w|[\"”’'])\s+by (?=[A-ZÀ-Þ\d\"“])")
_BEFORE = re.compile(
    r"(?P<value>\"[^\"]+\"|“[^”]+”|(?<![\w'])'[^']+'|[A-ZÀ-Þ\d][^,;\"“”]*?) "
    rf"as (?:the |its |an? )?(?i:{_FIELD})\b"
)
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|'([^']+)'(?!\w)")
#: What stands between a value and the next field, and belongs to neither.
_BETWEEN = re.compile(
    r"(?:[\s,;.]|\b(?:and|with|set|put|write|make|use|then|also|the|its|as|for|from|of|by|please|"
    r"thanks?(?: you)?)\b)*$",
    re.IGNORECASE,
)
#: Where the sentence goes on with something else.
_FURTHER = re.compile(
    r"[.;!?]\s+(?=\S)|\n|,? and (?:then )?(?:put|use|add|take|make|save|set|give|convert|embed|"
    r"write|insert)\b|,? (?:in|into|on|to) (?:the|this|that|my) (?:file|mp3|song|track|recording|"
    r"podcast|audio|m4a|flac)\b|,? (?:with|using) (?:the|this|that|my) "
    r"(?:picture|photo|image|jpe?g|png|cover)\b",
    re.IGNORECASE,
)
_LONGEST = 200
#: A title that is told alone, and what tells that words are no title but an order.
_ALONE = re.compile(r"[\"“„«'A-ZÀ-Þ\d](?:\S+ ?){1,10}")
_ORDER = re.compile(
    r"^(?:please|can|could|put|add|set|write|tag|use|change|give|make|insert|embed|attach|label|"
    r"fill|save|i|my|we|the (?:song|mp3|file|track))\b|"
    r"\b(?:mp3|m4a|flac|files?|covers?|pictures?|photos?|images?|artwork|album art|tags?|"
    r"labels?|metadata|it)\b",
    re.IGNORECASE,
)


def labels_in(order: str) -> dict[str, str]:
    """What an order says for each field: ``{"title": "Summer Rain", "artist": "The Rainers"}``."""
    words = " ".join(order.replace("’", "'").split())
    found: dict[str, str] = {}
    for match in _BEFORE.finditer(words):
        found[_field(match)] = match["value"].strip("\"“”' ")
    if found:
        return found
    matches = list(_TOLD.finditer(words))
    ends = [*(match.start() for match in matches[1:]), len(words)][: len(matches)]
    for match, end in zip(matches, ends, strict=True):
        value, is_quoted = _value(words[match.end() : end])
        by = None if is_quoted else _BY.search(value)
        if by and _field(match) == "title" and "artist" not in found:
            found["artist"] = value[by.end() :].strip("\"“”' ")
            value = value[: by.start()]
        is_value = match["sure"] or is_quoted or value[:1].isupper() or value[:1].isdigit()
        if value and is_value and len(value) <= _LONGEST:
            found.setdefault(_field(match), value)
    # An order may begin with the title: "Winter Tale and the artist Anna Berg".
    first, _ = _value(words[: matches[0].start()] if matches else words)
    if "title" not in found and _ALONE.fullmatch(first) and not _ORDER.search(first):
        title, between, artist = first.partition(" by ")
        found["title"] = title.strip('"“” ')
        if between:
            found.setdefault("artist", artist.strip('"“” '))
    return found


def _field(match: re.Match[str]) -> str:
    return next(name for name in _FIELDS if match[name])


def _value(words: str) -> tuple[str, bool]:
    """The value at the beginning of some words, and whether it stands in quotation marks."""
    if quoted := _QUOTED.match(words):
        return next(filter(None, quoted.groups())), True
    further = _FURTHER.search(words)
    value = words[: further.start()] if further else words
    return value[: _BETWEEN.search(value).start()].strip(' "“”'), False  # type: ignore[union-attr]


def is_known(path: Path) -> bool:
    """Whether a file is of a kind that is labelled as it is."""
    import av

    try:
        with av.open(str(path)) as file:
            return file.format.name in _CONTAINERS and bool(file.streams.audio)
    except av.FFmpegError:
        return False


def takes_cover(path: Path) -> bool:
    """Whether a file of a known kind has room for a cover."""
    import av

    with av.open(str(path)) as file:
        return file.format.name != "wav"


def labelled(
    path: Path, labels: Mapping[str, str], cover: PIL.Image.Image | None, context: Context
) -> tuple[bytes, str]:
    """A sound file with labels and a cover beside those that it has already, and its media type;
    the sound in it is copied as it is."""
    import av

    with (
        tempfile.TemporaryDirectory(dir=context.folder) as folder,
        av.open(str(path)) as given,
    ):
        container, media_type = _CONTAINERS[given.format.name]
        options = {"movflags": "faststart"} if container == "mp4" else {}
        with av.open(f"{folder}/sound", "w", format=container, options=options) as made:
            heard = given.streams.audio[0]
            copied = made.add_stream_from_template(heard)
            told = {**given.metadata, **heard.metadata, **labels}
            told = {key: value for key, value in told.items() if key.lower() != "encoder"}
            shown = _jpeg(cover) if cover is not None else _cover_of(path)
            if container == "ogg":
                if shown:
                    told["METADATA_BLOCK_PICTURE"] = _as_vorbis_picture(*shown)
                copied.metadata.update(told)
            else:
                made.metadata.update(told)
                if shown and container != "wav":
                    picture = _picture_stream(made, *shown)
            if shown and container in ("mp3", "mp4"):
                _put(made, picture, shown[0])
            is_first = True
            for packet in given.demux(heard):
                context.check()
                if packet.dts is None:
                    continue
                packet.stream = copied
                made.mux(packet)
                if is_first and shown and container == "flac":
                    _put(made, picture, shown[0])
                is_first = False
        return Path(folder, "sound").read_bytes(), media_type


def keeping_labels(content: bytes, path: Path, limit: float, context: Context) -> bytes:
    """A sound file with the labels and the cover of the file that it was made of, as far as it has
    room for them within `limit` bytes, where there is a limit."""
    import av

    with av.open(str(path)) as given:
        told = {
            **given.metadata,
            **(given.streams.audio[0].metadata if given.streams.audio else {}),
        }
    labels = {key.lower(): value for key, value in told.items() if key.lower() in _FIELDS}
    found = _cover_of(path)
    cover = PIL.Image.open(io.BytesIO(found[0])) if found else None
    if not labels and cover is None:
        return content
    plain = Path(context.folder) / "unlabelled"
    plain.write_bytes(content)
    for shown in (cover, None):
        made, _ = labelled(plain, labels, shown, context)
        if not 0 < limit < len(made):
            return made
    return content


def _jpeg(cover: PIL.Image.Image) -> tuple[bytes, tuple[int, int], str]:
    shown = cover.convert("RGBA")
    ground = PIL.Image.new("RGBA", shown.size, "white")
    shown = PIL.Image.alpha_composite(ground, shown).convert("RGB")
    shown.thumbnail((_LARGEST, _LARGEST))
    buffer = io.BytesIO()
    shown.save(buffer, "JPEG", quality=_JPEG_QUALITY)
    return buffer.getvalue(), shown.size, "mjpeg"


def _cover_of(path: Path) -> tuple[bytes, tuple[int, int], str] | None:
    """The cover that a file has already."""
    import av

    with av.open(str(path)) as file:
        for stream in file.streams.video:
            if not stream.disposition & av.stream.Disposition.attached_pic:
                continue
            for packet in file.demux(stream):
                if packet.size:
                    size = stream.codec_context.width, stream.codec_context.height
                    return bytes(packet), size, stream.codec_context.name
    return None


def _picture_stream(made: Any, content: bytes, size: tuple[int, int], codec: str) -> Any:
    import av

    stream = made.add_stream(codec, rate=1)
    stream.width, stream.height = size
    stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "rgb24"
    stream.disposition = av.stream.Disposition.attached_pic
    return stream


def _put(made: Any, stream: Any, content: bytes) -> None:
    import av

    packet = av.Packet(content)
    packet.stream, packet.pts, packet.dts, packet.is_keyframe = stream, 0, 0, True
    made.mux(packet)


def _as_vorbis_picture(content: bytes, size: tuple[int, int], codec: str) -> str:
    """A cover as Ogg files have it: FLAC's picture block in letters."""
    kind = b"image/png" if codec == "png" else b"image/jpeg"
    head = struct.pack(">II", 3, len(kind)) + kind + struct.pack(">I", 0)
    head += struct.pack(">IIIII", *size, 24, 0, len(content))
    return base64.b64encode(head + content).decode()
