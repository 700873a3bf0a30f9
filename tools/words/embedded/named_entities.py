"""People, places and organisations in English text, found without a trained model.

Names are the runs of words with a capital. What a name is, is decided by evidence that adds up over
all places where it stands in the text: lists of known names, the words inside it ("River", "Ltd"),
the words around it ("Mayor", "lives in", "shares of"), and what longer name it belongs to.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from tools.shared.function_words import FUNCTION_WORDS
from tools.words.embedded.amounts_and_dates import Found, amounts_and_dates
from tools.words.embedded.gazetteers import Gazetteers, gazetteers

PERSON, PLACE, ORGANISATION = "person", "place", "organisation"

_TITLES = frozenset(
    """
    Mr Mrs Ms Miss Mx Dr Prof Professor Doctor Sir Dame Lord Lady Baron Baroness Count Countess
    Duke Duchess Prince Princess King Queen Emperor Empress Sultan Pope Saint Father Sister
    Brother Reverend Rev Rabbi Imam Bishop Archbishop Cardinal President Chancellor Premier
    Senator Governor Mayor Minister Secretary Ambassador Congressman Congresswoman
    Representative Judge Justice Captain Capt Major Colonel Col General Gen Lieutenant Lt
    Sergeant Sgt Admiral Commander Officer Detective Inspector Constable Sheriff Coach Chairman
    Chairwoman Chief Director Uncle Aunt Grandma Grandpa Auntie Mum Mom Dad Nurse Comrade Prime
    Vice Deputy Former Chef Princess
    """.split()
)
_ROLES = (
    r"(?:president|chancellor|minister|mayor|governor|senator|king|queen|prince|princess|director|"
    r"founder|co-founder|chairman|chairwoman|chair|chief|executive|officer|manager|"
    r"boss|head|leader|"
    r"spokesman|spokeswoman|spokesperson|secretary|coach|captain|player|striker|goalkeeper|actor|"
    r"actress|singer|musician|composer|pianist|author|writer|novelist|poet|painter|artist|sculptor|"
    r"architect|photographer|journalist|reporter|editor|publisher|lawyer|judge|professor|teacher|"
    r"student|pupil|scientist|researcher|physicist|chemist|biologist|historian|economist|analyst|"
    r"engineer|programmer|doctor|surgeon|nurse|physician|dentist|farmer|fisherman|baker|cook|chef|"
    r"driver|pilot|astronaut|soldier|general|colonel|detective|officer|policeman|inspector|"
    r"neighbour|neighbor|friend|colleague|brother|sister|father|mother|son|daughter|uncle|aunt|"
    r"cousin|nephew|niece|grandfather|grandmother|husband|wife|widow|girlfriend|boyfriend|partner|"
    r"owner|resident|activist|campaigner|lawmaker|candidate|successor|predecessor|"
    r"heir|boy|girl|man|"
    r"woman|champion|swimmer|runner|cyclist|explorer|climber|billionaire|entrepreneur|inventor)"
)
_SPEECH = (
    r"(?:said|says|told|tells|asked|asks|wrote|writes|replied|added|explained|argued|claimed|"
    r"believes?|believed|thinks?|thought|smiled|laughed|cried|nodded|whispered|shouted|recalled|"
    r"remembers?|remembered|hopes?|hoped|expects|admitted|insisted|joked|was born|died|lives|lived|"
    r"grew up|married|studied|worked as|retired|graduated|resigned|who|whose|aged|walked|ran|sat|"
    r"woke|slept|loves?|loved|likes?|liked|knew|wants?|wanted|felt|lost|met|drove|sang|swam|ate|"
    r"scored|himself|herself|stared|looked|went|came)"
)
_BUSINESS = (
    r"(?:announced|acquired|acquires|bought|sold|launched|launches|reported|manufactures?|employs?|"
    r"hired|published|unveiled|merged|operates?|recalled|plans to|plc|shares|stock|'s profit|"
    r"will (?:close|open|cut|launch|hire|buy|sell|fly|build)|beat|defeated|drew with|lost to|won)"
)
_ORGANISATION_ENDS = frozenset(
    """
    Inc Incorporated Ltd Limited LLC LLP PLC plc AG GmbH SA SpA NV BV AB Oy SE KG Corp
    Corporation Co Company Companies Group Holding Holdings Partners Bros Brothers Sons
    Associates Ventures Capital Bank Banks Insurance Trust Fund Foundation Institute Institution
    University College Academy School Hospital Clinic Ministry Department Agency Authority
    Commission Committee Council Board Bureau Office Service Services Association Federation
    Union League Society Club Party Movement Alliance Coalition Parliament Senate Congress Court
    Police Army Navy Force Forces Guard Cross Airlines Airways Airline Railways Railway Motors
    Motor Industries Electronics Technologies Technology Systems Software Studios Studio Games
    Pictures Entertainment Records Media News Times Post Herald Tribune Guardian Telegraph
    Gazette Journal Magazine Books Press Publishing Publishers Television Broadcasting Radio
    Network Networks Energy Oil Gas Petroleum Steel Mining Pharmaceuticals Pharma Laboratories
    Labs Lab Foods Brewery Orchestra Philharmonic Choir Ballet Theatre Company United FC Rovers
    Wanderers Athletic Consulting Solutions International Organization Organisation Nations
    Church Museum Library Gallery Museums Center Centre Team Administration Cooperative Reserve
    Cinema Supermarkets Stores Bakery Pharmacy Logistics Robotics Semiconductors Aerospace
    Analytics
    """.split()
)
_ORGANISATION_BEGINS = re.compile(
    r"(?:Bank|University|Ministry|Department|House|Institute|College|Office|Church|Museum|"
    r"Association|Federation|Union|League|Council|Court|Board|Bureau|School|Academy|Society|"
    r"Organi[sz]ation|Order|Party|Chamber|Confederation|Friends|Federal|National|"
    r"Royal) (?:of|for)\b"
)
_PLACE_ENDS = frozenset(
    """
    River Lake Sea Ocean Bay Gulf Strait Channel Canal Creek Falls Springs Island Islands Isle
    Isles Peninsula Coast Beach Cape Mountain Mountains Mount Hill Hills Valley Canyon Desert
    Forest Woods Park Garden Gardens Square Street Road Avenue Lane Drive Boulevard Highway
    Bridge Tower Castle Palace Cathedral Abbey Temple Stadium Arena Airport Station Harbour
    Harbor Port Town City Village Village County Province District State Republic Kingdom
    Territory Region Heights Glacier Volcano Reef Plaza Pier Quay Market Hall Wall Gate Dam Zoo
    Basin Plateau Peak Ridge Pass Shore Terminal Hotel Restaurant Cafe Café Inn Pub Cemetery
    Quarter Crossing Meadows Fields Ranch Plain Plains Oblast Prefecture Terrace Crescent
    """.split()
)
_PLACE_BEGINS = frozenset(
    "Mount Mt Lake Cape Fort Port Gulf Isle Bay River Strait Upper Lower Saint-Denis "
    "Rue Via Piazza "
    "Place Plaza Camp".split()
)
#: Words that often begin a name, so that they need no other sign at the beginning of a sentence.
_NAME_BEGINNINGS = frozenset(
    "North South East West Northern Southern Eastern Western Central Mount Lake Cape "
    "Fort Port Gulf "
    "River New Great Royal National United Federal Saint St American British European Old".split()
)
_COMPASS = frozenset("North South East West Northern Southern Eastern Western Central".split())
_LONGEST_NAME = 80
_LINKS = frozenset(
    "of de del della di da do dos das du des la le von van der den ten ter bin ibn al el".split()
)
_OUTSIDE = frozenset(
    """
    I I'm I'll I've I'd OK The A An This That These Those It He She We They You My Our Your His
    Her Its Their In On At By For From To With And But Or So If When While As After Before Since
    Until Because Although However Yes No Not Now Then There Here What Who Why How Where Which
    All Some Many Most Few Both Each Every One Two Three Hello Hi Dear Thanks Thank Please
    Regards Re Best Yours Kind Sincerely Subject
    """.split()
)
_TOKEN = re.compile(
    r"[A-Z](?:\.[A-Z])+\.?|[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+|-[^\W\d_]+|\.(?:com|org|net|io)\b)*"
    r"(?:\d+(?!\w))?|&|\d+(?:[.,]\d+)*|['’]s\b|[^\w\s]"
)


@dataclass(frozen=True)
class Entity:
    """What is named, in the words of the text, and of which kind it is."""

    name: str
    kind: str


@dataclass
class _Word:
    text: str
    start: int
    end: int
    first: bool
    taken: bool = False
    #: In a line where capitals say nothing, a heading or shouted words.
    heading: bool = False

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()


@dataclass
class _Mention:
    """A run of words that may be a name, with what stands before and after it."""

    words: list[_Word]
    before: str
    after: str
    title: bool = False
    evidence: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @property
    def name(self) -> str:
        joined = self.words[0].text
        for last, word in zip(self.words, self.words[1:], strict=False):
            joined += (" " if word.start > last.end else "") + word.text
        return joined

    @property
    def start(self) -> int:
        return self.words[0].start


def named_entities(text: str) -> list[Entity]:
    """The entities of a text in the order in which they first stand, each once.

    A family or first name alone is left out where the whole name stands in the text.
    """
    text = text.replace("\u00a0", " ")
    numbers = amounts_and_dates(text)
    known = gazetteers()
    mentions = _mentions(text, numbers, known)
    for mention in mentions:
        _weigh(mention, known)
    _weigh_neighbours(mentions, text)
    kinds = _kinds(mentions, known)
    named = [
        (mention.start, Entity(mention.name, kinds[mention.name]))
        for mention in mentions
        if mention.name in kinds
    ]
    counted = [(found.start, Entity(_tidy(text, found), found.kind)) for found in numbers]
    seen: dict[tuple[str, str], Entity] = {}
    for _, entity in sorted(named + counted, key=lambda item: item[0]):
        seen.setdefault((entity.name.lower(), entity.kind), entity)
    return list(seen.values())


def _tidy(text: str, found: Found) -> str:
    return " ".join(text[found.start : found.end].split())


def _words_of(text: str, numbers: list[Found]) -> list[_Word]:
    taken = [(found.start, found.end) for found in numbers]
    headings, shouted = _headings(text)
    words: list[_Word] = []
    first = True
    for match in _TOKEN.finditer(text):
        gap = text[words[-1].end : match.start()] if words else ""
        if "\n" in gap:
            first = True
        word = _Word(match[0], match.start(), match.end(), first)
        if any(start <= match.start() < end for start, end in shouted):
            word.text = match[0].capitalize()
        word.heading = any(start <= match.start() < end for start, end in headings)
        word.taken = any(start < word.end and word.start < end for start, end in taken)
        words.append(word)
        if match[0] in ".!?…" and not _is_abbreviation(words):
            first = True
        elif match[0] in ":—–•*" or match[0] in "\"“'‘(«":
            # What begins a quotation or a list may owe its capital to that.
            first = first or match[0] not in "('‘"
        elif re.match(r"\w", match[0]):
            first = False
    return words


def _headings(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where lines begin and end whose words all have capitals, and of these the shouted ones."""
    headings, shouted = [], []
    for match in re.finditer(r"[^\n]+", text):
        letters = [word for word in re.findall(r"[^\W\d_]+", match[0]) if len(word) > 3]
        if len(letters) < 3:
            continue
        if sum(word.isupper() for word in letters) > 0.8 * len(letters):
            shouted.append(match.span())
            headings.append(match.span())
        elif (
            len(letters) > 3
            and not re.search(r"[.!?]\s*$", match[0])
            and sum(word[0].isupper() for word in letters) > 0.85 * len(letters)
        ):
            headings.append(match.span())
    return headings, shouted


def _is_abbreviation(words: list[_Word]) -> bool:
    if len(words) < 2 or words[-2].end != words[-1].start:
        return False
    last = words[-2].text
    return (
        last in _TITLES or last in ("St", "No", "Mt", "vs") or (len(last) == 1 and last.isupper())
    )


def _mentions(text: str, numbers: list[Found], known: Gazetteers) -> list[_Mention]:
    words = _words_of(text, numbers)
    inner = {word.text for word in words if word.capital and not word.first and not word.heading}
    mentions: list[_Mention] = []
    place = 0
    while place < len(words):
        if not _may_begin(words, place, known, inner):
            place += 1
            continue
        end = _end_of_run(words, place, known)
        for run in _parts(words[place:end], known):
            mention = _mention(run, words, text)
            if mention is not None:
                mentions.append(mention)
        place = max(end, place + 1)
    return mentions


def _may_begin(words: list[_Word], place: int, known: Gazetteers, inner: set[str]) -> bool:
    """Whether a name may begin here; a capital at the beginning of a sentence is not enough."""
    word = words[place]
    if word.taken:
        return False
    if _begins_known(words, place, known):
        return True
    lower = word.text.lower()
    if not word.capital or word.text in _OUTSIDE or word.text in known.other:
        return False
    if lower in FUNCTION_WORDS:
        return False
    following = words[place + 1] if place + 1 < len(words) else None
    goes_on = following is not None and following.capital and not following.taken
    if not (word.first or word.heading) or _is_known(word.text, known) or word.text in _TITLES:
        return True
    if word.heading:
        return lower not in known.ordinary and word.text in inner
    if word.text.isupper() and len(word.text) > 1:
        return True
    if lower not in known.ordinary:
        # Unknown to the dictionary, so the capital is its own; some endings are of ordinary words.
        return not re.search(r"(?:ing|ly|ed)$", lower) or word.text in inner or goes_on
    if word.text in inner or (goes_on and word.text in _NAME_BEGINNINGS):
        return True
    return (
        goes_on
        and following is not None
        and following.text not in known.other
        and not _is_known(following.text, known)
        and not lower.endswith(("ly", "ing", "ed"))
    )


def _is_known(name: str, known: Gazetteers) -> bool:
    return (
        name in known.places
        or name in known.first_names
        or name in known.last_names
        or name in known.organisations
    )


def _begins_known(words: list[_Word], place: int, known: Gazetteers) -> bool:
    """Whether a known name of several words begins here ("The Guardian", "American Airlines")."""
    return _known_length(words, place, known) > 1 or (
        words[place].text in known.other
        and place + 1 < len(words)
        and words[place + 1].capital
        and words[place + 1].text in _ORGANISATION_ENDS
        and words[place].text[0].isupper()
        and len(words[place].text) > 3
    )


def _known_length(words: list[_Word], place: int, known: Gazetteers) -> int:
    """How many words from here make a known place or organisation, 0 where none do."""
    for length in range(min(6, len(words) - place), 1, -1):
        joined = " ".join(word.text for word in words[place : place + length])
        if joined in known.places or joined in known.organisations:
            return length
    return 0


def _end_of_run(words: list[_Word], place: int, known: Gazetteers) -> int:
    """Where the run of words with a capital that begins here ends."""
    end = place + max(_known_length(words, place, known), 1)
    while end < len(words):
        word, last = words[end], words[end - 1]
        if word.taken or word.first:
            break
        spaced = word.start - last.end
        if word.heading and word.text.lower() in known.ordinary and not _is_known(word.text, known):
            break
        if (
            word.text == "."
            and spaced == 0
            and last.text in _SHORTENED
            and _sentence_goes_on(words, end)
        ):
            end += 1
            continue
        if (
            word.text == "."
            and spaced == 0
            and (
                (len(last.text) == 1 and last.capital)
                or last.text in _TITLES
                or last.text in ("St", "Mt")
            )
        ):
            end += 1
            continue
        if word.capital and word.text[0].isalpha() and spaced <= 1:
            if word.text in _OUTSIDE and word.text != "Re":
                break
            if word.text in known.other and not (
                end + 1 < len(words)
                and words[end + 1].capital
                and words[end + 1].text in _ORGANISATION_ENDS
            ):
                break
            end += 1
            continue
        if word.text in ("plc", "inc", "ltd") and spaced <= 1:
            return end + 1
        following = words[end + 1] if end + 1 < len(words) else None
        joins = following is not None and following.capital and not following.taken
        if (
            joins
            and following is not None
            and word.text in _LINKS | {"&"}
            and word.start - last.end <= 1
        ):
            if word.text == "of" and not _takes_of(words[place:end]):
                break
            end += 2
            continue
        if word.text in ("of", "for") and _takes_of(words[place:end]) and end + 2 < len(words):
            if words[end + 1].text in ("the",) and words[end + 2].capital:
                end += 3
                continue
            if word.text == "for" and joins:
                end += 2
                continue
        if word.text == "and" and joins and _takes_and(words[place:end], words, end, known):
            end += 2
            continue
        if (
            word.text in ("'s", "’s")
            and following is not None
            and (following.text in _ORGANISATION_ENDS | {"Cathedral", "Square", "Park"})
        ):
            end += 2
            continue
        break
    return end


_SHORTENED = frozenset(["Inc", "Ltd", "Co", "Corp", "Bros"])


def _sentence_goes_on(words: list[_Word], stop: int) -> bool:
    """Whether a full stop only ends a shortened word."""
    following = words[stop + 1] if stop + 1 < len(words) else None
    return following is not None and (following.text[0].islower() or following.text in ",;:)")


def _takes_of(run: list[_Word]) -> bool:
    """Whether "of" after these words belongs to the name: "Bank of", "Gulf of", "Isle of"."""
    head = run[-1].text
    return (
        head in _ORGANISATION_ENDS
        or head in _PLACE_ENDS
        or head
        in ("House", "Statue", "Order", "Friends", "Chamber", "Confederation", "Emirates", "States")
    ) and head not in (
        "Team",
        "State",
        "Office",
        "Service",
        "Group",
        "Park",
        "Police",
        "Coast",
        "Shore",
    )


def _takes_and(run: list[_Word], words: list[_Word], end: int, known: Gazetteers) -> bool:
    """Whether "and" is inside the name, as in "Ministry of Health and Welfare"."""
    after = words[end + 1 : end + 4]
    joined = " ".join(word.text for word in [*run, words[end], *after[:1]])
    if joined in known.places or joined in known.organisations:
        return True
    ministry = any(word.text in ("Ministry", "Department", "Institute") for word in run[:2])
    return (
        ministry and run[-1].text.lower() in known.ordinary and not _is_known(after[0].text, known)
    )


def _parts(run: list[_Word], known: Gazetteers) -> list[list[_Word]]:
    """The run without what does not belong to a name, in parts where it is several names."""
    while run and (run[-1].text in _LINKS | {"&"} or not run[-1].text[0].isalpha()):
        if run[-1].text == "." and len(run) > 1 and run[-2].text in _SHORTENED:
            break
        run = run[:-1]
    if not run:
        return []
    names = [word.text for word in run]
    for cut in range(1, len(run)):
        # "England Andrew Bailey": a known place and then a person.
        head = " ".join(names[:cut])
        if (
            head in known.places
            and head not in known.first_names
            and names[cut] in known.first_names
            and names[cut] not in _PLACE_ENDS | _ORGANISATION_ENDS
            and len(names) > cut + 1
        ):
            return [run[:cut], run[cut:]]
    return [run]


def _mention(run: list[_Word], words: list[_Word], text: str) -> _Mention | None:
    title = False
    while run and (run[0].text in _TITLES or run[0].text == "."):
        longer = len(run) > 1
        if run[0].text in (
            "Saint",
            "King",
            "Queen",
            "Prince",
            "Count",
            "Chief",
            "General",
            "Justice",
        ) and (longer and (run[1].text in _ORGANISATION_ENDS or run[1].text in _PLACE_ENDS)):
            break
        title = title or run[0].text != "."
        run = run[1:]
    if run and run[0].text == "State" and re.search(r"Secretary of\s$", text[: run[0].start]):
        run, title = run[1:], True
    # "The" and the like at the beginning of a sentence are no part of a name.
    while (
        len(run) > 1
        and run[0].text in _OUTSIDE
        and " ".join(w.text for w in run) not in (gazetteers().organisations)
    ):
        run = run[1:]
    if not run or all(not re.match(r"\w", word.text) for word in run):
        return None
    if run[-1].end - run[0].start > _LONGEST_NAME:
        return None
    if len(run) == 1 and (len(run[0].text) < 2 or run[0].text in _OUTSIDE):
        return None
    shouted = all(word.text.isupper() and len(word.text) > 3 for word in run)
    if (
        shouted
        and run[0].text not in gazetteers().organisations
        and all(word.text.lower() in gazetteers().ordinary | FUNCTION_WORDS for word in run)
    ):
        return None
    before = text[max(run[0].start - 60, 0) : run[0].start]
    after = text[run[-1].end : run[-1].end + 60]
    if title:
        before = re.sub(r"(?:\S+\.?\s+){1,3}$", "", before)
    return _Mention(run, before, after, title)


def _weigh(mention: _Mention, known: Gazetteers) -> None:
    """Add up what speaks for each kind at one place of the text."""
    evidence = mention.evidence
    names = [word.text for word in mention.words if re.match(r"\w", word.text)]
    name, first, last = mention.name, names[0], names[-1]
    bare_last = "PLC" if last == "plc" else last.rstrip(".")
    article = bool(re.search(r"\bthe\s$", mention.before, re.IGNORECASE))
    of_it = bool(_ORGANISATION_BEGINS.match(name))

    if name in known.places:
        evidence[PLACE] += 3
    if article and name in known.rivers:
        evidence[PLACE] += 4
    if name in known.organisations:
        evidence[ORGANISATION] += 3.5 if name not in known.places else 1.5
    if bare_last in _ORGANISATION_ENDS and len(names) > 1:
        evidence[ORGANISATION] += 4
    if of_it or "&" in name or re.search(r"\.(?:com|org|net|io)$", name):
        evidence[ORGANISATION] += 4
    if bare_last in _PLACE_ENDS and len(names) > 1:
        evidence[PLACE] += 3.5
    if first.rstrip(".") in _PLACE_BEGINS and len(names) > 1 and not mention.title:
        evidence[PLACE] += 3.5
    if " of " in name and first in _PLACE_ENDS and not of_it:
        evidence[PLACE] += 3
    if first in _COMPASS and len(names) > 1 and " ".join(names[1:]) in known.places:
        evidence[PLACE] += 4
    if len(names) == 1 and re.fullmatch(r"[A-Z][A-Z&]{1,5}\d?|(?:[A-Z]\.){2,}[A-Z]?\.?", name):
        evidence[ORGANISATION] += 2.2
    if re.fullmatch(r"[A-Z][a-z]+[A-Z]\w+", name) and not re.match(
        r"(?:Mc|Mac|De|La|Le|Di|O)[A-Z]", name
    ):
        evidence[ORGANISATION] += 2

    if mention.title:
        evidence[PERSON] += 5
    strange = [part for part in names[1:] if part.lower() not in known.ordinary]
    if first in known.first_names:
        if len(names) > 1:
            inside = bare_last in _ORGANISATION_ENDS | _PLACE_ENDS
            evidence[PERSON] += 1 if inside else 3.5
        elif name not in known.places:
            evidence[PERSON] += 2
    if len(names) > 1 and last in known.last_names and bare_last not in _PLACE_ENDS:
        evidence[PERSON] += 2
    elif len(names) == 1 and name in known.last_names:
        evidence[PERSON] += 1
    if re.match(r"(?:[A-Z]\.\s?)+[A-Z][a-z]", name) or re.search(r"[a-z] [A-Z]\. [A-Z]", name):
        evidence[PERSON] += 4
    if re.search(r" (?:von|van|de|da|bin|ibn|al|el) ", name) and not article:
        evidence[PERSON] += 1.5
    if len(names) in (2, 3) and not article and strange and not evidence[ORGANISATION]:
        evidence[PERSON] += 1
    _weigh_surroundings(mention, article)


def _weigh_surroundings(mention: _Mention, article: bool) -> None:
    evidence = mention.evidence
    before, after = mention.before, mention.after
    if re.match(rf"(?:,)?\s(?:also\s|then\s|later\s|often\s)?{_SPEECH}\b", after):
        evidence[PERSON] += 1.5 if not article else 0.3
    if re.search(r"\b(?:said|says|told|asked|wrote|added|replied|by)\s$", before) and not article:
        evidence[PERSON] += 0.8
    acronym = mention.name.isupper() and len(mention.words) == 1 and len(mention.name) > 1
    if re.search(rf"\b{_ROLES},?\s$", before, re.IGNORECASE) and not acronym:
        evidence[PERSON] += 2.5
    if re.match(r",\s(?:an?|the|his|her|their|its|who|whose|then|now|aged|\d\d)\b", after):
        evidence[PERSON] += 0.6
        if re.match(rf",\s(?:an?|the|his|her|their|its)\s(?:[\w-]+\s){{0,3}}?{_ROLES}\b", after):
            evidence[PERSON] += 2.5
        if re.match(
            r",\s(?:an?|the)\s(?:[\w-]+\s){0,3}?(?:town|city|village|capital|region|island)\b",
            after,
        ):
            evidence[PLACE] += 3
        if re.match(
            r",\s(?:an?|the)\s(?:[\w-]+\s){0,4}?(?:company|firm|bank|maker|club|charity|group|"
            r"agency|"
            r"start-?up|newspaper|university|retailer|airline|party|publisher|supplier|team)\b",
            after,
        ):
            evidence[ORGANISATION] += 3
    if re.search(
        r"\b(?:in|near|around|across|throughout|outside|into|towards?)\s(?:the\s)?$", before
    ):
        evidence[PLACE] += 2
    elif (
        re.search(r"\b(?:on|off|hit|struck|flooded|evacuated)\s$", before)
        and len(mention.words) == 1
    ):
        evidence[PLACE] += 1
    elif re.search(
        r"\b(?:from|to|at|through|between|via|over|reach|visit(?:ed|ing)?|left)\s$", before
    ):
        evidence[PLACE] += 1
        if before.rstrip().endswith(" at"):
            evidence[ORGANISATION] += 0.8
    if re.search(
        r"\b(?:city|town|village|capital|province|state|island|region|port|county|river|lake|"
        r"streets|people|outskirts|south|north|east|west|centre|mayor) of\s$",
        before,
    ):
        evidence[PLACE] += 3
    if re.match(r",\s[A-Z]\w+", after) and re.search(r"\b(?:in|from|near|at|to|of)\s$", before):
        evidence[PLACE] += 0.8
    if re.search(
        r"\b(?:company|firm|bank|club|charity|group|agency|start-?up|studio|newspaper|maker|"
        r"manufacturer|airline|supermarket|brand|party|retailer|publisher|giant|chain)\s$",
        before,
    ):
        evidence[ORGANISATION] += 3
    if re.search(
        r"\b(?:shares (?:of|in)|works? (?:for|at)|worked (?:for|at)|employed by|joined|"
        r"customers of|owned by|bought by|acquired by|founded|founder of|head of|chief of|"
        r"executive of|director of|chairman of|spokes\w+ (?:for|of)|against|member of|"
        r"subsidiary of|published by|printed by|made by|produced by|operated by|run by|"
        r"beat|defeated|acquired|bought|sued)\s(?:the\s)?$",
        before,
    ):
        evidence[ORGANISATION] += 1.8
    if re.match(rf"\s{_BUSINESS}\b", after):
        evidence[ORGANISATION] += 1.5 if len(mention.words) == 1 else 0.5
    if re.match(
        r"(?:['’]s)?\s(?:shares|profits?|stock|customers|employees|headquarters|subsidiary|"
        r"factory|factories|products|revenue|fans|players)\b",
        after,
    ):
        evidence[ORGANISATION] += 2
    if article:
        evidence[PERSON] -= 2


def _weigh_neighbours(mentions: list[_Mention], text: str) -> None:
    """What stands in one list with a known name is of its kind: "Tom and Priti"."""
    for one, other in zip(mentions, mentions[1:], strict=False):
        between = text[one.words[-1].end : other.start]
        if not re.fullmatch(r",?\s(?:and|or|&)\s|,\s", between):
            continue
        for sure, unsure in ((one, other), (other, one)):
            best = max(sure.evidence.items(), key=lambda item: item[1], default=("", 0.0))
            if best[1] >= 2 and max(unsure.evidence.values(), default=0.0) < 1:
                unsure.evidence[best[0]] += 1


def _kinds(mentions: list[_Mention], known: Gazetteers) -> dict[str, str]:
    """The kind of each name by the evidence of all its places, without parts of longer names."""
    total: dict[str, dict[str, float]] = {}
    for mention in mentions:
        evidence = total.setdefault(mention.name, defaultdict(float))
        for kind, weight in mention.evidence.items():
            # Once said is nearly enough; being repeated says only a little more.
            evidence[kind] = max(evidence[kind], weight) + 0.25 * min(evidence[kind], weight, 2)
    kinds = {}
    for name, evidence in total.items():
        kind, weight = max(evidence.items(), key=lambda item: item[1], default=("", 0.0))
        if weight > 0.9 or weight > 0 and " " in name:
            kinds[name] = kind
    _join_parts(kinds, total, known)
    return kinds


def _join_parts(
    kinds: dict[str, str], total: dict[str, dict[str, float]], known: Gazetteers
) -> None:
    """A part of a longer name in the same text is the same: "Torres" of "Linda Torres"."""
    people = [name for name, kind in kinds.items() if kind == PERSON and " " in name]
    for name in list(total):
        for whole in people:
            parts = whole.split()
            own = name.split()
            if (
                name != whole
                and len(own) < len(parts)
                and (own == parts[-len(own) :] or own == parts[: len(own)])
            ):
                strong = total[name].get(PLACE, 0) >= 3 or total[name].get(ORGANISATION, 0) >= 3
                if not strong or own[-1] == parts[-1] and total[name].get(PERSON, 0) > 0:
                    kinds.pop(name, None)
    organisations = [name for name, kind in kinds.items() if kind == ORGANISATION and " " in name]
    for name in list(kinds):
        for whole in organisations:
            short = whole.split()[0] == name and name not in known.places
            letters = "".join(part[0] for part in whole.split() if part[0].isupper())
            if name != whole and (short and kinds[name] == ORGANISATION or name == letters):
                kinds.pop(name, None)
                break
