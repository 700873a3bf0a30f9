"""Results that are files in a format of their own, documents and tables: to bytes and back."""

import io

import av
import numpy as np
import PIL.Image
import pypdf
import pytest

from controlllm.resources import (
    DocumentFile,
    Filed,
    Sound,
    TypeLattice,
    as_text,
    decode,
    details_of,
    encode,
)
from controlllm.resources.encoding import SUFFIXES
from tools.documents.pdf import text_to_pdf


def kept(folder, type_name, value):
    """The value as it is read back from its stored file."""
    content, media_type = encode(type_name, value)
    path = folder / f"{'0' * 64}{SUFFIXES[media_type]}"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("format", "media_type"),
    [("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("AVIF", "image/avif"), ("ICO", "image/x-icon")],
)
def test_a_picture_stays_in_its_format_and_is_read_as_a_picture(tmp_path, format, media_type):
    buffer = io.BytesIO()
    PIL.Image.new("RGB", (32, 24), (200, 30, 40)).save(buffer, format)
    path = kept(tmp_path, "image", Filed(buffer.getvalue(), media_type))
    assert path.read_bytes() == buffer.getvalue()
    made = decode("image", path).convert("RGB")
    assert made.getpixel((made.width // 2, made.height // 2))[0] > 180
    assert details_of("image", path)["width"] == made.width


def aac(seconds=1.0, rate=44_100):
    """A tone as AAC in MP4."""
    times = np.arange(int(seconds * rate)) / rate
    samples = (np.sin(2 * np.pi * 440 * times) * 0.4).astype(np.float32)
    buffer = io.BytesIO()
    with av.open(buffer, "w", format="mp4") as container:
        stream = container.add_stream("aac", rate=rate, layout="mono")
        for start in range(0, len(samples), 1024):
            frame = av.AudioFrame.from_ndarray(
                samples[None, start : start + 1024], format="fltp", layout="mono"
            )
            frame.rate, frame.pts = rate, start
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return buffer.getvalue()


def test_sound_in_mp4_is_read_back(tmp_path):
    path = kept(tmp_path, "audio", Filed(aac(), "audio/mp4"))
    made = decode("audio", path)
    assert isinstance(made, Sound)
    assert abs(made.seconds - 1.0) < 0.1
    assert 0.2 < float(np.abs(made.samples).max()) < 0.8
    assert details_of("audio", path)["rate"] == 44_100


def test_a_pdf_is_a_document_with_pages_and_a_text_for_who_takes_text(tmp_path):
    path = kept(tmp_path, "document", text_to_pdf("The night train was late."))
    made = decode("document", path)
    assert made == DocumentFile(path)
    assert "night train" in as_text("document", made)
    details = details_of("document", path)
    assert details["pages"] == 1
    assert details["original"] == "0" * 64
    assert len(pypdf.PdfReader(path).pages) == 1


def test_a_table_is_text_whatever_it_is_filed_as(tmp_path):
    path = kept(tmp_path, "table", "a,b\n1,2\n")
    assert path.suffix == ".csv"
    assert decode("table", path) == "a,b\n1,2\n"


def test_documents_and_tables_are_kinds_of_text():
    lattice = TypeLattice()
    assert lattice.is_a("document", "text") and lattice.is_a("table", "text")
    assert not lattice.is_a("text", "table")


@pytest.mark.parametrize(
    ("type_name", "media_type"),
    [
        ("image", "audio/mpeg"),
        ("audio", "image/png"),
        ("video", "video/mp4"),
        ("text", "image/png"),
    ],
)
def test_a_file_of_another_kind_is_refused(type_name, media_type):
    with pytest.raises(TypeError, match=type_name):
        encode(type_name, Filed(b"", media_type))
