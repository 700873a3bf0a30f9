"""All files in one ZIP file, which is never held as a whole."""

from __future__ import annotations

import io
import tracemalloc
import zipfile

from controlllm.ui.fetched import zip_name
from controlllm.ui.files import zipped
from tests.every_case import every_case


def test_what_comes_piece_by_piece_is_a_whole_archive(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(bytes(range(256)) * 4000)
    members = [("report.html", b"<p>hello"), ("files/dog cut out.png", path),
               ("files/gone.png", tmp_path / "gone"), ("files/größe.txt", b"x")]  # fmt: skip
    whole = b"".join(zipped(members))
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["report.html", "files/dog cut out.png", "files/größe.txt"]
        assert archive.read("files/dog cut out.png") == path.read_bytes()


def test_a_large_archive_takes_little_memory(tmp_path):
    path = tmp_path / "large.bin"
    with path.open("wb") as file:
        file.truncate(64 * 1024 * 1024)
    tracemalloc.start()
    sent = sum(len(piece) for piece in zipped([(f"{n}.bin", path) for n in range(3)]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sent > 3 * 64 * 1024 * 1024 and peak < 4 * 1024 * 1024


@every_case(
    "title, name",
    [
        ("Cut out the cat: large!", "Cut out the cat large.zip"),
        ("", "controlllm.zip"),
        ("Put a password on this PDF: tulip7", "controlllm.zip"),
        ("nobody may open it without the code 8841", "controlllm.zip"),
        ("Encrypt this with sesame22", "controlllm.zip"),
    ],
)
def test_a_zip_is_called_after_the_conversation_but_for_passwords(title: str, name: str) -> None:
    assert zip_name(title) == name
