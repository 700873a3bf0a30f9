"""What of a written text is said by somebody: without headers, greetings, headings and fillers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.shared.sentences import split_sentences

#: Headers of a message, what it quotes, and who is greeted.
_FRAME = re.compile(
    r"^\W*(?:to|cc|bcc|sent|date|subject|re|fw|fwd|reply-to|attachments?):\s|^\s*>|"
    r"^On .{5,80} wrote:$|^-{2,}\s*(?:original|forwarded)|"
    r"^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b[^.!?\n]{0,40}[,!.:]?$",
    re.I,
)
_FROM = re.compile(r"^\W*from:\s*\"?([^<\"\n(]+)", re.I)
_SIGNED_OFF = re.compile(
    r"^(?:best|kind|warm|many)?\s?(?:regards|wishes|best|thanks|thank you|cheers|sincerely|love|"
    r"yours(?: \w+)?|see you(?: soon)?|take care|greetings)\s*[,.!]?$",
    re.I,
)
_PLEASANTRY = re.compile(
    r"^(?:i hope (?:you|this|all)|hope (?:you|this|all)|thanks?\b|thank you\b|welcome\b|perfect\b|"
    r"great\b|sounds good|have a (?:nice|good|great)|let me know if you have|looking forward|"
    r"(?:okay|ok|alright|so)? ?(?:so )?(?:welcome|hello|hi)\b|sorry for the)",
    re.I,
)
_BULLET = re.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)]|[a-z]\))\s+")
_SPEAKER = re.compile(r"^((?:[A-Z][\w'’.-]+)(?: [A-Z][\w'’.-]+){0,2}):\s+(?=\S)")
_FILLER = re.compile(
    r"(?:^|(?<=\s))(?:um+|uh+|erm+|you know|i mean|kind of like|like i said)(?=[\s,.]|$),?\s*", re.I
)
_MOST_HEADING_WORDS = 9


@dataclass(frozen=True)
class Said:
    """A sentence, who says it ("" where nobody is named), and how its place is marked."""

    sentence: str
    speaker: str = ""
    #: It is the first of its paragraph, list entry or message.
    opens: bool = False
    #: The number of the list's part or of the message that it is in.
    section: int = 0
    #: It greets, thanks or makes a pleasantry.
    polite: bool = False


def said_sentences(text: str) -> list[Said]:
    """The sentences of a text in order, without what only frames them."""
    found: list[Said] = []
    speaker, section = "", 0
    lines = _paragraphs(text)
    framed = len(lines) > 1
    signed = False
    for number, line in enumerate(lines):
        sender = _FROM.match(line)
        if sender:
            speaker, section, signed = sender[1].strip(), section + 1, False
            continue
        if framed and _FRAME.match(line):
            continue
        if framed and _SIGNED_OFF.match(line):
            signed = True
            continue
        if framed and signed and len(line.split()) <= 4:
            continue
        words = _BULLET.sub("", line).strip()
        if framed and _is_heading(words, number, lines):
            section += 1
            continue
        named = _SPEAKER.match(words)
        if named:
            speaker, words = named[1], words[named.end() :]
        for place, sentence in enumerate(split_sentences(words)):
            tidy = _without_fillers(sentence)
            if re.search(r"\w", tidy):
                polite = bool(_PLEASANTRY.match(tidy)) and len(tidy.split()) < 12
                found.append(Said(tidy, speaker, place == 0, section, polite))
    return found


def _paragraphs(text: str) -> list[str]:
    """The lines of a text; those that were only wrapped joined again."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    joined = re.sub(r"(?<=[^\n.!?:,])\n(?=[a-z(\"'“])", " ", text)
    return [line.strip() for line in joined.split("\n") if re.search(r"\w", line)]


def _is_heading(words: str, number: int, lines: list[str]) -> bool:
    if len(words.split()) > _MOST_HEADING_WORDS or re.search(r"[.!?…;,][\"'”’)]*$", words):
        return False
    # The entries of a bare list are no headings: one is followed by something longer.
    follows = lines[number + 1] if number + 1 < len(lines) else ""
    return len(follows.split()) > len(words.split()) and not lines[number].startswith(
        ("-", "*", "•")
    )


def _without_fillers(sentence: str) -> str:
    """A spoken sentence without "um" and "you know"; others stay as they are."""
    plain = _FILLER.sub("", sentence)
    if not re.search(r"[.!?…]", sentence):
        plain = re.sub(r"^(?:okay|ok|so|and|but|well|right|now)\s+(?:so\s+|then\s+)?", "", plain)
        plain = re.sub(r"^(?:welcome(?: back)?|hello|hi)(?: \w+)? (?=today|this|i\b)", "", plain)
        plain = re.sub(r"\bi(?='|\b)", "I", plain)
    return plain.strip()
