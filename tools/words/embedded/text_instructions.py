"""Which edits by rule an instruction asks for: "sort the lines and remove duplicates".

An instruction is read only where all of its words are understood, so that "write a story about a
slug" is none. `steps_of` cuts it into the edits and what is left for a language model.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tools.shared.sentences import split_sentences
from tools.words.embedded import text_edits
from tools.words.embedded.spelling_correction import corrected, written_out

Edit = Callable[[str], str]
_Found = dict[str, str]

_NUMBERS = {
    word: value
    for value, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty".split(),
        start=1,
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "single": 1}
#: A whole number in digits or words.
NUMBER_WORDS = rf"\d[\d,]*|{'|'.join(_NUMBERS)}"
_NUMBER = rf"(?:an?\s)?(?P<number>{NUMBER_WORDS})"
_UNITS = {
    "word": "words",
    "term": "words",
    "character": "characters",
    "char": "characters",
    "letter": "letters",
    "line": "lines",
    "row": "lines",
    "sentence": "sentences",
    "paragraph": "paragraphs",
    "item": "items",
    "entry": "items",
    "entrie": "items",
    "element": "items",
    "list": "items",
    "name": "items",
}
_UNIT = rf"(?P<unit>{'|'.join(_UNITS)})s?"
_QUOTED = r"(?:\"[^\"]*\"|“[^”]*”|‘[^’]*’|`[^`]*`|(?<!\w)'[^']*'(?!\w))"
#: Words that an instruction may have besides the one that says what to do.
_FILLERS = frozenset(
    """
    a an the this that these those it its them their my me i i'd i'll we us you your all every each
    everything whole entire complete text texts paragraph passage sentence sentences line lines
    words word letter letters character characters list items article message note document e-mail
    email content contents string caption transcript summary title post here there of in into to as
    on with for from at by and or then also now so that please can could would will may must shall
    should want wants wanted need needs like have has be is are was do does make makes put puts turn
    turns convert change changes transform set write rewrite format give get show return render
    display print present let tell only just simply instead completely everywhere up out down one
    new version form style using use order ordered way how many much what which any occur occurs
    contain contains contained found appear inside within below above following given attached
    original result output create produce formatted converted changed written case properly
    correctly apply let's if find
    """.split()
)
#: Words that say nothing by themselves, between two that do.
_GAP = rf"(?:\s(?:{'|'.join(re.escape(word) for word in sorted(_FILLERS))}))*\s"
_SORTING_WORDS = (
    "reverse reversed descending ascending alphabetical alphabetically order by length number "
    "numbers numerical numerically value size longest shortest first last largest smallest highest "
    "lowest biggest z a backwards list sort sorted their"
)
_MARKS = {
    "comma": ",",
    "full stop": ".",
    "period": ".",
    "semicolon": ";",
    "colon": ":",
    "dash": "-",
    "hyphen": "-",
    "space": " ",
    "tab": "\t",
    "line break": "\n",
    "newline": "\n",
    "exclamation mark": "!",
    "question mark": "?",
}


@dataclass(frozen=True)
class Step:
    """An edit by rule with its words, or words of the instruction that no rule reads."""

    words: str
    edit: Edit | None = None


class NotFound(LookupError):
    """What the instruction names is not in the text; the message says what, as a sentence.

    `certain` says that nothing else can have been meant.
    """

    def __init__(self, message: str, certain: bool) -> None:
        super().__init__(message)
        self.certain = certain


def number_of(words: str) -> int:
    """The value of a number that `NUMBER_WORDS` reads."""
    return int(words.replace(",", "")) if words[0].isdigit() else _NUMBERS[words.lower()]


def steps_of(instruction: str) -> list[Step]:
    """The instruction's edits in order; parts that no rule reads stand together as they are."""
    whole = _edit_of(instruction)
    if whole is not None:
        return [Step(instruction, whole)]
    steps: list[Step] = []
    unread = 0
    for start, end in _clauses(instruction):
        edit = _edit_of(instruction[start:end])
        if edit is None and steps and steps[-1].edit is None:
            steps[-1] = Step(instruction[unread:end].strip())
        else:
            unread = start
            steps.append(Step(instruction[start:end].strip(), edit))
    if all(step.edit is None for step in steps):
        return [Step(instruction.strip())]
    return [step for step in steps if re.search(r"\w", step.words)]


def _clauses(instruction: str) -> list[tuple[int, int]]:
    """Where each clause begins and ends; what is in quotation marks is not cut."""
    hidden = re.sub(_QUOTED, lambda match: "x" * len(match[0]), instruction)
    cuts = list(
        re.finditer(
            r"\s*(?:[,;.]\s+(?:and\s+)?(?:then\s+|finally\s+|afterwards\s+)?"
            r"|\s(?:and|then|but|after that|before)\s(?:then\s|also\s|finally\s)?)\s*",
            hidden,
            re.IGNORECASE,
        )
    )
    starts = [0, *(cut.end() for cut in cuts)]
    ends = [*(cut.start() for cut in cuts), len(instruction)]
    return [(start, end) for start, end in zip(starts, ends, strict=True) if end > start]


def _edit_of(clause: str) -> Edit | None:
    plain = " ".join(clause.replace("’", "'").split()).strip(" .!?:;,")
    plain = re.sub(
        r"^(?:(?:and|then|also|finally)\s)+|^(?:first|next|lastly),\s", "", plain, flags=re.I
    )
    for pattern, make, own_words in _RULES:
        match = pattern.search(plain)
        if match is None:
            continue
        # What a rule skips must be understood as well as what stands around it.
        skipped = [match[name] or "" for name in ("a", "b") if name in pattern.groupindex]
        rest = " ".join([plain[: match.start()], *skipped, plain[match.end() :]])
        words = re.findall(r"[^\W_]+(?:['-][^\W_]+)*", re.sub(_QUOTED, " xquotedx ", rest.lower()))
        allowed = _FILLERS | set(own_words.split())
        if all(word in allowed for word in words):
            parts = {key: value or "" for key, value in match.groupdict().items()}
            found = make({**parts, "clause": plain})
            if found is not None:
                return found
    return None


def _unit(word: str) -> str:
    return _UNITS.get(word.lower(), "")


def _bare(words: str) -> str:
    """What is meant by words with or without quotation marks."""
    if re.fullmatch(_QUOTED, words.strip()):
        return words.strip()[1:-1]
    named = r"^(?:the |every |all |each )?(?:words? |phrases? |names? |letters? |terms? )"
    return re.sub(named, "", words.strip(), flags=re.IGNORECASE)


def _replacement(found: _Found) -> Edit | None:
    old, new = found["old"].strip(), _bare(found["new"])
    bare = re.sub(
        r"^(?:(?:every|all|each|any)\s)?(?:instances? of |occurrences? of )?"
        r"(?:the )?(?:words? |phrases? |names? |terms? )?",
        "",
        old,
        flags=re.IGNORECASE,
    )
    quoted = bool(re.fullmatch(_QUOTED, bare))
    bare = bare[1:-1] if quoted else bare
    if not bare:
        return None
    certain = quoted or (found["verb"].lower() == "replace" and len(bare.split()) <= 2)

    def edit(text: str) -> str:
        for candidate in dict.fromkeys((bare,) if quoted else (old, bare)):
            changed = text_edits.replaced(text, candidate, new)
            if changed is None and not quoted and candidate.endswith("s"):
                # "replace all cats by dogs" may name them in the plural.
                changed = text_edits.replaced(text, candidate[:-1], new)
            if changed is not None:
                return changed
        mark = _MARKS.get(bare.lower().rstrip("s"))
        if mark and mark in text:
            return text.replace(mark, _MARKS.get(new.lower().rstrip("s"), new))
        raise NotFound(f"“{bare}” is not in the text, so there is nothing to replace.", certain)

    return edit


def _without_words(found: _Found) -> Edit:
    words = _bare(found["old"])

    def edit(text: str) -> str:
        changed = text_edits.replaced(text, words, "")
        if changed is None:
            raise NotFound(f"“{words}” is not in the text, so there is nothing to remove.", True)
        return text_edits.tidy_spaces(changed)

    return edit


def _sorting(found: _Found) -> Edit:
    words = found["clause"].lower()
    by = "length" if re.search(r"length|longest|shortest", words) else "letter"
    if by == "letter" and re.search(r"number|numeric|value|size|largest|smallest|highest", words):
        by = "number"
    downwards = r"revers|descend|z (?:to|-) a|z-a|backward|longest|largest|highest|biggest"
    down = bool(re.search(downwards, words))
    return lambda text: text_edits.sorted_text(text, _unit(found["unit"]), by, down)


def _extraction(found: _Found) -> Edit:
    what = _named_kind(found["kind"])

    def edit(text: str) -> str:
        listed = text_edits.extracted(text, what)
        return "\n".join(listed) if listed else f"There are no {what} in this text."

    return edit


def _named_kind(words: str) -> str:
    for pattern, kind in (
        (r"mail", "e-mail addresses"),
        (r"link|url|web", "links"),
        (r"phone", "phone numbers"),
        (r"hash", "hashtags"),
        (r"mention|handle", "mentions"),
        (r"number|figure|digit", "numbers"),
        (r"punctuation", "punctuation"),
        (r"accent|diacritic", "accents"),
        (r"break|newline", "line breaks"),
        (r"(?:empty|blank) (?:line|row)", "empty lines"),
        (r"tag|html|markup", "tags"),
        (r"emoji|emoticon", "emoji"),
    ):
        if re.search(pattern, words, re.IGNORECASE):
            return kind
    return "spaces"


def _shortening(found: _Found) -> Edit:
    number, unit = number_of(found["number"]), _unit(found["unit"])
    last = found["end"].lower() in ("last", "final")
    return lambda text: text_edits.shortened(text, number, unit, last)


def _counting(found: _Found) -> Edit:
    unit = _unit(found["unit"])
    return lambda text: text_edits.counted(text, "lines" if unit == "items" else unit)


def _duplicates(found: _Found) -> Edit:
    unit = _unit(found["unit"] or found["unit2"])
    return lambda text: text_edits.without_duplicates(text, unit)


def _reversal(found: _Found) -> Edit:
    unit = _unit(found["unit"]).replace("characters", "letters")
    return lambda text: text_edits.reversed_text(text, unit)


def _own_lines(found: _Found) -> Edit:
    unit = (found["unit"] or found["unit2"]).lower()
    if unit == "item":
        return lambda text: "\n".join(text_edits.items_of(text))
    if unit == "word":
        return lambda text: "\n".join(text.split())
    return lambda text: "\n".join(split_sentences(text))


def _removal(found: _Found) -> Edit:
    what = _named_kind(found["kind"])
    return lambda text: text_edits.without(text, what)


_Rule = tuple[re.Pattern[str], Callable[[_Found], Edit | None], str]


def _rule(pattern: str, make: Callable[[_Found], Edit | None], words: str = "") -> _Rule:
    return re.compile(pattern, re.IGNORECASE), make, words


def _always(edit: Edit) -> Callable[[_Found], Edit]:
    return lambda found: edit


_KIND = (
    r"(?P<kind>e-?mail addresses|e-?mail address|e-?mails?|hyper-?links?|web ?links?|links?|urls?|"
    r"web addresses|web ?sites?|(?:tele)?phone numbers?|hash-?tags|mentions|handles|numbers|"
    r"figures|digits)"
)
_TAKE_OUT = (
    r"\b(?:remove|delete|drop|strip(?: out| away| off)?|erase|eliminate|get rid of|"
    r"take (?:out|away)|leave out|cut out)\b"
)
_MEND = r"\b(?:fix|correct|tidy(?: up)?|clean(?: up)?|repair|normali[sz]e|mend|collapse)\b"
_EACH_LINE = r"(?:each|every|all)(?: of)?(?: the)? lines?\b"
_OF_ALL = r"(?:all |each |every |the |these |its |of )*"

_RULES: tuple[_Rule, ...] = (
    _rule(
        r"\b(?P<verb>replace|substitute|swap|exchange|change)\s"
        r"(?P<old>(?:(?:every|all|each|any|the|words?|phrases?|names?|instances? of|"
        rf"occurrences? of)\s)*{_QUOTED})\s(?:by|with|to|into|for)\s"
        rf"(?P<new>{_QUOTED}|\S+(?:\s\S+){{0,2}})$",
        _replacement,
    ),
    _rule(
        rf"{_TAKE_OUT}\s(?:(?:all|every|each|any|the)\s)*(?:(?:words?|phrases?|letters?|"
        rf"characters?|occurrences? of|instances? of)\s)?(?P<old>{_QUOTED})",
        _without_words,
    ),
    _rule(
        rf"\b(?:how (?:often|many times)|count)\b(?P<a>.*?)(?P<old>{_QUOTED})",
        lambda found: lambda text: text_edits.occurrences(text, _bare(found["old"])),
        "the word phrase occurrences times count number come up say said used",
    ),
    _rule(
        r"\b(?:all[- ])?(?:upper[- ]?case(?: letters)?|(?:block )?capital letters|"
        r"(?:block )?capitals|caps)\b",
        _always(str.upper),
    ),
    _rule(r"\b(?:lower[- ]?case|small|little) letters\b|\blower[- ]?case\b", _always(str.lower)),
    _rule(r"\b(?:title|headline)[- ]?case\b", _always(text_edits.title_case)),
    _rule(
        r"\bcapitali[sz]e (?:the )?(?:first letter of )?(?:in )?(?:every|each|all)(?: of)?"
        r"(?: the)? words?\b|\b(?:every|each) word (?:with|to|should|must)(?: start| begin)?"
        r"(?: with)? a capital|\bstart (?:every|each) word with a capital",
        _always(text_edits.every_word_capital),
    ),
    _rule(
        r"\bsentence[- ]?case\b|\bcapitali[sz]e (?:the )?(?:first (?:letters?|words?) (?:of|in) )?"
        r"(?:(?:every|each|all)(?: the)? )?(?:the )?sentences?\b|\bstart (?:every|each) sentence "
        r"with a capital(?: letter)?",
        _always(text_edits.sentence_case),
    ),
    _rule(
        r"\b(?:bullet(?:ed)?[- ]?(?:points?|lists?)?|bullets)\b",
        _always(text_edits.bullet_list),
        "add break split point points",
    ),
    _rule(
        rf"\b(?:numbered list|ordered list)\b|\bnumber {_OF_ALL}(?:items?|points?|sentences?|list|"
        r"steps?|entries)\b",
        _always(text_edits.numbered_list),
    ),
    _rule(
        rf"\bnumber {_OF_ALL}(?:lines?|rows?|it|them)\b|\bline numbers\b"
        r"|\b(?:add|put|with|insert) numbers? (?:to |before |in front of |on |"
        rf"at the (?:start|beginning) of ){_OF_ALL}(?:lines?|rows?|them|it)\b",
        _always(text_edits.numbered_lines),
        "add",
    ),
    # Before sorting, for "reverse the order of the words".
    _rule(rf"\b(?:reverse|flip|invert)\b{_GAP}(?:order{_GAP})?{_UNIT}\b", _reversal),
    _rule(
        rf"\b(?:reverse|flip|invert)\b{_GAP}order\b",
        _always(lambda text: text_edits.reversed_text(text, "")),
    ),
    _rule(
        rf"\b(?:sort|(?<!the )order|arrange|rank)\b(?P<a>.*?)\b{_UNIT}\b(?P<b>.*)$",
        _sorting,
        _SORTING_WORDS,
    ),
    _rule(
        r"\b(?P<verb>sort(?:ed)?|alphabeti[sz]ed?|(?:alphabetical(?:ly)?|numerical)(?: order)?|"
        rf"(?:order|arrange) (?:(?:it|them|this) )?by)\b(?P<a>.*?)(?:\b{_UNIT}\b(?P<b>.*))?$",
        _sorting,
        _SORTING_WORDS,
    ),
    _rule(
        rf"(?:{_TAKE_OUT}|\bskip\b)(?P<a>.*?)\b(?:duplicate[ds]?|repeated|doubled?|repetitions?|"
        rf"repeats?|repeating)\b(?:\s{_UNIT})?|\b(?:de-?dup(?:licate)?|keep only unique|"
        rf"only unique|unique)\b(?:{_GAP}(?P<unit2>{'|'.join(_UNITS)})s?\b)?",
        _duplicates,
        "keep",
    ),
    _rule(
        r"\b(?:reversed?|backwards?|back to front|mirror(?:ed)?)\b",
        _always(lambda text: text_edits.reversed_text(text, "letters")),
        "spell read",
    ),
    _rule(
        rf"\b(?:count|how many|number of|amount of|total)\b{_GAP}{_UNIT}\b(?:\s?count)?",
        _counting,
        "long length number count total",
    ),
    _rule(r"\b(?P<unit>word|character|letter|line|sentence)[- ]count\b", _counting),
    _rule(
        rf"\b(?:shorten|cut|trim|truncate|limit|reduce|crop|abridge)\b{_GAP}"
        r"(?:(?:to|at|after|down to)\s)?(?:the )?(?:(?:at most|no more than|under|about|"
        rf"max(?:imum)?(?: of)?|(?P<end>first|last))\s)*{_NUMBER}\s{_UNIT}\b",
        _shortening,
        "long maximum most max shorter",
    ),
    _rule(
        rf"\b(?P<end>first|last|final)\s{_NUMBER}\s{_UNIT}\b",
        _shortening,
        "keep take extract quote",
    ),
    _rule(
        rf"{_TAKE_OUT}(?P<a>.*?)\b(?:extra|double|multiple|redundant|unnecessary|superfluous|"
        rf"repeated|trailing|leading|unneeded|needless|excess)\b{_GAP}(?:spaces|spacing|"
        rf"white-?\s?spaces?|blanks)\b|{_MEND}{_GAP}(?:spaces|spacing|white-?\s?spaces?|blanks)\b",
        _always(text_edits.tidy_spaces),
        "extra",
    ),
    _rule(
        rf"(?:{_TAKE_OUT}|\bwithout(?: any)?\b)\s(?:(?:all|every|any|each|the|its|of)\s)*"
        r"(?P<kind>e-?mail addresses|e-?mails|links|urls|phone numbers|hash-?tags|mentions|numbers|"
        r"digits|punctuation(?: marks)?|accents?(?: marks)?|diacritics|line ?breaks|newlines|"
        r"(?:empty|blank) (?:lines|rows)|html(?: tags)?|tags|markup|emojis?|emoticons|spaces)\b",
        _removal,
    ),
    _rule(
        rf"\b(?:join|merge|put|write|get)\b{_GAP}(?:(?:the |all )*lines together|(?:on|in|into) "
        rf"(?:one|a single) line)\b|\b(?:join|merge)\b{_GAP}lines\b",
        _always(lambda text: text_edits.without(text, "line breaks")),
        "together single",
    ),
    _rule(
        r"\b(?:one|each|every) (?P<unit>sentence|word|item) (?:per|a|on (?:a|its own)"
        r"(?: new| separate)?|on each) line\b"
        rf"|\b(?:split|break)\b{_GAP}into (?P<unit2>sentence|word|line)s\b",
        _own_lines,
        "own separate split break",
    ),
    _rule(
        rf"\b(?:add|put|insert|write|place)\s(?P<new>{_QUOTED})\s(?:before|in front of|"
        rf"(?:at|to) the (?:start|beginning|front) of)\s{_EACH_LINE}",
        lambda found: lambda text: text_edits.framed_lines(text, before=found["new"][1:-1]),
    ),
    _rule(
        rf"\b(?:add|put|insert|write|place)\s(?P<new>{_QUOTED})\s(?:after|behind|"
        rf"(?:at|to) the end of)\s{_EACH_LINE}",
        lambda found: lambda text: text_edits.framed_lines(text, after=found["new"][1:-1]),
    ),
    _rule(
        r"(?<!what is a )\b(?:url[- ]?)?slug\b|\bkebab[- ]?case\b"
        r"|\b(?:url|file ?name)[- ]?(?:friendly|safe)\b",
        _always(lambda text: text_edits.named(text, "slug")),
        "url generate name",
    ),
    _rule(
        r"\b(?P<style>snake|camel|pascal)[- ]?case\b",
        lambda found: lambda text: text_edits.named(text, found["style"].lower()),
    ),
    _rule(
        r"\b(?:extract|list|pull out|pick out|collect|gather|find|get|give|show|which|what|are)\b"
        rf"{_GAP}{_KIND}\b",
        _extraction,
        "extract list pull pick collect gather out mentioned used web contact contained",
    ),
    _rule(
        rf"\b(?:fix|correct|proof-?read|check|mend|repair|clean up)\b{_GAP}(?:spelling|typos?|"
        r"mistakes?|errors?|grammar|punctuation|orthography|spelling and grammar|"
        r"capitali[sz]ation)\b|\bproof-?read\b",
        _always(corrected),
        "fix correct spelling grammar typos mistakes errors punctuation check capitalisation "
        "capitalization any obvious",
    ),
    _rule(
        rf"\b(?:expand|write out|spell out|remove|avoid|undo)\b{_GAP}(?:contractions|short forms|"
        r"contracted forms)\b",
        _always(written_out),
        "full",
    ),
    # Without quotation marks, after all that "change it to" can mean.
    _rule(
        r"^(?P<verb>replace|substitute|swap|exchange|change)\s(?P<old>(?!.*\b(?:and|then)\b).+?)\s"
        r"(?:by|with|to|into|for)\s(?P<new>(?:(?!and\b|then\b)\S+\s?){1,4})$",
        _replacement,
    ),
)
