"""An ordinary job: what a person has, what they type, and how to tell that what came is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Results:
    """What came of a job: the files that were handed over, in order, and what was said.

    Parameters
    ----------
    files: every file handed over as a result (pictures, sounds, films, documents, tables, texts).
    answer: the words of the answer, as Markdown.
    """

    files: tuple[Path, ...]
    answer: str = ""

    def of(self, *suffixes: str) -> list[Path]:
        """Those whose names end so: `results.of(".png", ".jpg")`."""
        return [path for path in self.files if path.suffix.lower() in suffixes]

    @property
    def pictures(self) -> list[Path]:
        return self.of(
            ".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif", ".tif", ".tiff", ".bmp", ".ico"
        )

    @property
    def sounds(self) -> list[Path]:
        return self.of(".wav", ".mp3", ".m4a", ".aac", ".ogg", ".opus", ".flac")

    @property
    def videos(self) -> list[Path]:
        return self.of(".mp4", ".webm", ".mov", ".mkv", ".avi", ".m4v")

    @property
    def words(self) -> str:
        """All that can be read: the answer and the contents of every text file handed over."""
        texts = [
            path.read_text("utf-8", "replace")
            for path in self.of(".txt", ".md", ".csv", ".tsv", ".srt", ".vtt", ".html", ".json")
        ]
        return "\n".join([self.answer, *texts])


@dataclass(frozen=True)
class Job:
    """Parameters
    ----------
    name: short and unique, like "square-profile-photo".
    words: what the person types. Where it is a conversation: a tuple of what they type, one a turn;
        the check is then given the results of the last turn.
    make: writes the person's files into a folder and gives their paths in the order in which they
        are attached (to the first turn).
    right: raises AssertionError, with what is wrong in words, where the results are not right.
    reference: makes a right result by hand (with Pillow, numpy, PyAV, …), given the folder and the
        files, to show that `right` accepts it.
    wrong: makes a plausible but wrong result, to show that `right` refuses it.
    """

    name: str
    words: str | tuple[str, ...]
    make: Callable[[Path], list[Path]]
    right: Callable[[Results, list[Path]], None]
    reference: Callable[[Path, list[Path]], Results]
    wrong: Callable[[Path, list[Path]], Results]


def tried(jobs: list[Job], folder: Path) -> None:
    """Every job's check accepts its reference and refuses its wrong result."""
    names = [job.name for job in jobs]
    assert len(set(names)) == len(names), "names are not unique"
    for job in jobs:
        place = folder / job.name
        place.mkdir(parents=True, exist_ok=True)
        files = job.make(place)
        assert all(path.exists() for path in files), job.name
        job.right(job.reference(place, files), files)
        try:
            job.right(job.wrong(place, files), files)
        except AssertionError:
            continue
        raise SystemExit(f"{job.name}: the wrong result was accepted")
    print(len(jobs), "jobs tried")
