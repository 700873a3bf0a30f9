"""How good the embedded tools are: ``python -m benchmarks quality`` prints a table.

Without a folder of media it takes what pip packages ship and says what it left out. What a person
has to judge (captions, removals, summaries) counts only while the tool still gives the very result
that was looked at.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.quality import pictures, sounds, words
from benchmarks.quality.figures import Findings
from benchmarks.quality.media import Media, Tools
from benchmarks.quality.references import read_references

PARTS = (
    *("detection", "reading", "masks", "boxes", "removals", "captions", "questions"),
    *("speech", "round-trip", "denoising", "music", "instruments"),
    *("feelings", "grammar", "summaries"),
)


def measured(
    folder: Path | None = None,
    references: Path | None = None,
    parts: Sequence[str] = (),
    keep: Path | None = None,
    tools: Tools | None = None,
) -> Findings:
    """The figures of the named parts, or of all.

    Parameters
    ----------
    folder: media of one's own, besides what packages ship.
    references: a JSON file that says what is in them.
    keep: where pictures are written that a person has to look at.
    """
    media = Media(folder)
    known = read_references(references)
    with_tools = tools or Tools()
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    work: dict[str, Callable[[], Findings]] = {
        "detection": lambda: pictures.detection(with_tools, media, known),
        "reading": lambda: pictures.reading(with_tools, media, known),
        "masks": lambda: pictures.masks(with_tools, media, known),
        "boxes": lambda: pictures.boxes(with_tools, media, known),
        "removals": lambda: pictures.removals(with_tools, media, known, keep),
        "captions": lambda: pictures.captions(with_tools, media, known),
        "questions": lambda: pictures.questions(with_tools, media, known),
        "speech": lambda: sounds.speech(with_tools, media, known),
        "round-trip": lambda: sounds.round_trip(with_tools, known),
        "denoising": lambda: sounds.denoising(with_tools, media, known),
        "music": lambda: sounds.music(with_tools, known),
        "instruments": lambda: sounds.instruments(with_tools, known),
        "feelings": lambda: words.feelings(with_tools, known),
        "grammar": lambda: words.grammar(with_tools, known),
        "summaries": lambda: words.summaries(with_tools, known),
    }
    findings = Findings()
    for part in parts or PARTS:
        started = time.perf_counter()
        findings.tell(f"## {part}")
        findings.join(work[part]())
        findings.tell(f"{part}: {time.perf_counter() - started:.1f} s")
    if media.missing:
        findings.leave_out("files that are nowhere: " + ", ".join(sorted(media.missing)))
    return findings
