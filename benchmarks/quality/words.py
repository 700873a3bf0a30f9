"""Figures of the tools that judge and shorten texts."""

from __future__ import annotations

import re

from benchmarks.quality.figures import Findings, on_scale, percent, share
from benchmarks.quality.media import Tools
from benchmarks.quality.references import REMOVAL_SCALE, References

_MEND = "Correct the spelling and grammar."
FEELINGS = ("positive", "negative", "mixed", "neutral")


def feelings(tools: Tools, references: References) -> Findings:
    """How often a text's feeling is named as labelled."""
    findings = Findings()
    right: dict[str, list[bool]] = {name: [] for name in FEELINGS}
    opposite = 0
    for text, feeling in references.lists["feelings"]:
        found = named_feeling(tools.call("sentiment_analysis", text=text))
        right[feeling].append(found == feeling)
        opposite += {found, feeling} == {"positive", "negative"}
        if found != feeling:
            findings.tell(f"{found} for {feeling}: {text}")
    every = [item for items in right.values() for item in items]
    findings.add(
        "sentiment_analysis",
        "named as labelled",
        share(sum(every), len(every)),
        f"{len(every)} short texts with negation, irony and mixed feelings",
    )
    for name, items in right.items():
        findings.add(
            "sentiment_analysis", f"{name} texts", share(sum(items), len(items)), "the same"
        )
    findings.add(
        "sentiment_analysis",
        "the opposite named",
        share(opposite, len(right["positive"]) + len(right["negative"])),
        "positive and negative texts",
    )
    return findings


def grammar(tools: Tools, references: References) -> Findings:
    """How often sentences with mistakes come out right, and correct ones as they were."""
    findings = Findings()
    right: dict[bool, list[bool]] = {True: [], False: []}
    for text, meant in references.lists["grammar"]:
        found = tools.call("text_to_text_generation", prompt=_MEND, text=text)
        right[text != meant].append(found == meant)
        if found != meant:
            findings.tell(f"{text} became: {found}")
    findings.add(
        "text_to_text_generation",
        "spelling and grammar: mended wholly",
        share(sum(right[True]), len(right[True])),
        f"{len(right[True])} sentences with one to three usual mistakes",
    )
    findings.add(
        "text_to_text_generation",
        "spelling and grammar: left as it was",
        share(sum(right[False]), len(right[False])),
        f"{len(right[False])} correct sentences, most with rare names",
    )
    return findings


def named_feeling(answer: str) -> str:
    """The feeling that the tool's first sentence names."""
    found = re.search(r"\b(positive|negative|mixed|neutral)\b", answer)
    return found[1] if found else ""


def summaries(tools: Tools, references: References) -> Findings:
    """How short summaries are, and how a person judged them."""
    findings = Findings()
    kept, judged, changed = [], [], 0
    for entry in references.lists["summaries"]:
        summary = tools.call("summarization", text=entry["text"])
        kept.append(len(summary.split()) / len(entry["text"].split()))
        current = entry.get("summary") == summary and entry.get("judgement") in REMOVAL_SCALE
        judged += [entry["judgement"]] if current else []
        changed += not current
        words = f"{entry['judgement']}: {entry.get('words', '')}" if current else "not judged yet"
        findings.tell(f"{entry['name']}: {words}: {summary}")
    on = f"{len(kept)} texts"
    findings.add("summarization", "judged", on_scale(judged, REMOVAL_SCALE), on)
    findings.add("summarization", "words kept", percent(sum(kept) / max(len(kept), 1)), on)
    if changed:
        findings.leave_out(f"summarization: {changed} summaries are not the ones judged.")
    return findings
