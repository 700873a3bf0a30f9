"""What a request asks about, without the asking: a place, a title, a topic, two names."""

from __future__ import annotations

import re

from tools.shared.function_words import COMMON_WORDS, FUNCTION_WORDS

_TIME_WORDS = re.compile(
    r"\b(?:the\s+)?(?:day\s+after\s+tomorrow|today|tomorrow|tonight|yesterday|right\s+now|now|"
    r"at\s+(?:the|this)\s+moment|currently|at\s+present|later|"
    r"(?:over|for|in|during|on)?\s*(?:the|this|next|these|coming)\s+(?:\w+\s+)?"
    r"(?:week-?ends?|weeks?|days?|hours?|mornings?|afternoons?|evenings?|nights?|noon|months?)|"
    r"this\s+\w+day|(?:on|next|by|until)\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days?|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning|afternoon|evening|at\s+(?:noon|midday|"
    r"midnight|night)|week-?end)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:please|pls|plz|kindly|thanks|thank\s+you|exactly|actually|currently|"
    r"if\s+(?:you\s+can|possible)|for\s+me|to\s+me)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\s*(?:[;!?\n]|\.\s|\.$|\s[-–—]\s|,\s*(?:and\s+)?(?:do|does|should|shall|will|which|is|are|can|"
    r"could|what|whether|or|so|who|where|how|because|i|we|in\s+what|when|may|might|would|please)\b|"
    r"\s(?:and|or|but|because|since|if|so)\s+(?:do|does|should|shall|will|which|is|are|can|could|"
    r"what|whether|who|where|how|i|we|it|its|on|tell|give|show|also)\b|"
    r"\s(?:located|situated|belongs?|lies?|is|are|will|looks?|on\s+(?:the|a)\s+(?:map|globe))\b).*",
    re.IGNORECASE | re.DOTALL,
)
_ASKS_PLACE = re.compile(
    r"\b(?:what|where|when|which|how|who|whose|will|is|are|do|does|should|shall|can|could|may|"
    r"might|need|weather|forecast|temperature|rain\w*|snow\w*|sun\w*|wind\w*|storm\w*|warm|cold|"
    r"hot|tell|show|give|find|locate|get|check|search|look|time|clock|hour|coordinates?|coords|"
    r"latitude|longitude|address|postcode|location|whereabouts|map|any|country|county|climate|"
    r"i|i'?m|i'?d|my|we|want|know|meteorolog\w+|conditions|info\w*|details)\b",
    re.IGNORECASE,
)
_PLACE_AFTER = (
    r"\b(?:where(?:abouts)?(?:\s+in\s+the\s+world)?\s*(?:is|'s|are|does|do|can\s+I\s+find|lies|in)|"
    r"where's|locate|find)\s+(?!me\b)(.+)",
    r"\b(?:weather|forecast|outlook|conditions|temperatures?|climate|time|clock|date|rain|snow|"
    r"coordinates|coords|location(?:\s+details)?|address|postcode|position|whereabouts|longitude|"
    r"latitude|map|info(?:rmation)?|details|hour|sunny|raining|snowing|cold|warm|hot|windy)\b"
    r"(?:\s+\w+){0,3}?\s+(?:in|at|for|of|near|around|on|over|about|from)\s+(.+)",
    r"\b(?:in|near|around|at|outside)\s+(?!what\b|which\b|the\s+(?:world|country|map)\b)(.+)",
    r"\b(?:to|for|over|of|about|on|from|visit|visiting|leaving)\s+(?!what\b|which\b|me\b)(.+)",
    r"\b(?:do|does|will)\s+(\S.*?)\s+(?:have|get|see|lie|belong|look|be)\b",
    r"\b(?:is|are|has|have)\s+(.+?)(?:\s+(?:on|in|part|a|an|the|far|near|getting|having|about|"
    r"sunny|rainy|windy|cold|warm|hot)\b|$)",
)
_PLACE_EDGE = re.compile(
    r"^(?:(?:the\s+)?(?:(?:town|city|village|place|capital|port|municipality|region)\s+"
    r"(?:of|called|named)\s+)|"
    r"(?:what|what's|whats|is|the|it|like|current|local|weather|forecast|temperature|outlook|time|"
    r"coordinates|coords|location|map|address|show|tell|give|get|find|locate|me|us|check|of|in|at|"
    r"for|on|near|around|from|to|my|a|an|about|here|there|out|please|report|climate|info|"
    r"information|details)\b[\s,:]*)+",
    re.IGNORECASE,
)
_PLACE_TAIL = re.compile(
    r"[\s,]+(?:weather|forecast|temperatures?|outlook|time|coordinates|coords|location|map|address|"
    r"report|please|climate|like|right|is|be|it|zone|details|info|on|in|at|and|or|the|for|to|too|"
    r"city|exactly|look|looking|this|next|coming|outside|then|there|now)[\s.]*$",
    re.IGNORECASE,
)
_NO_PLACE = frozenset("it here there this that these those what me my we i day date".split())


#: Words with a capital that are no name that anybody asks about.
_NO_NAMES = frozenset(
    "i i'm i'd i'll i've ok am pm wikipedia wikipedia's wiki wp wikpedia en.wikipedia mediawiki "
    "imdb tmdb omdb tv api oscar oscars gps utc t-shirt".split()
)
_DAY_NAMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december".split()
)
#: Words that begin a request and no name.
_OPENINGS = frozenset(
    "use using query consult ask look search find fetch get give show tell read check call put "
    "point position locate weather forecast conditions packing gale temperature humidity rain "
    "chance has is are was were did does do will would could can given zip lookup geocode film "
    "movie movies reviews info details plot cast encyclopaedia encyclopedia encyclopedic longitude "
    "latitude pull article quote summon return turn load extract perform current date time map "
    "coordinates geographical full information something someone take copy thumb see let let's "
    "kindly please quick retrieve tomorrow today today's tonight how's what's where's who's when's "
    "meteorological".split()
)


def _named(text: str, links: str, has_days: bool = False) -> list[str]:
    """Runs of words with a capital, `links` allowed inside; last those that begin a sentence.

    `has_days` says that a weekday or month may be part of a name, as in titles.
    """
    run = rf"[A-Z0-9À-Þ][\w'’.&-]*(?:(?:\s(?:{links}))*\s[A-Z0-9À-Þ][\w'’&-]*)*"
    idle = _NO_NAMES if has_days else _NO_NAMES | _DAY_NAMES
    inside: list[str] = []
    first: list[str] = []
    for found in re.finditer(rf"(?<![\w'’-]){run}", text):
        words = found.group().split()
        before = text[: found.start()].rstrip()
        begins = not before or before[-1] in ".?!"
        count = len(words)
        while words and (
            words[0][:1].islower()
            or words[0].lower().strip(".") in idle
            or (begins and words[0].lower() in _OPENINGS)
            or (begins and len(words) == count and _is_ordinary(words))
        ):
            words = words[1:]
        while words and (words[-1][:1].islower() or words[-1].lower().strip(".") in idle):
            words = words[:-1]
        name = re.sub(r"['’]s$", "", " ".join(words).strip(" .'’"))
        if name and re.search(r"[A-ZÀ-Þ]", name) and name.lower() not in _DAY_NAMES | {"the"}:
            (first if begins and count == len(words) == 1 else inside).append(name)
    return inside + first


def _is_ordinary(words: list[str]) -> bool:
    """Whether a run of words begins with one that has its capital from the sentence alone."""
    word, following = words[0].lower(), "".join(words[1:2])
    if word == "the":
        return False
    return word in FUNCTION_WORDS or (word in COMMON_WORDS and not following[:1].isupper())


def place_asked(text: str) -> str:
    """The place that a request names, "" where it names none: "Will it rain in Lisbon?"."""
    plain = " ".join(text.replace("’", "'").split()).strip(' .!?"“”')
    quoted = re.search(r"[\"“]([^\"”]+)[\"”]", text)
    if quoted:
        return quoted[1].strip()
    names = _named(plain, "of|of the|upon|de|de la|la|del|von|am|sur|le|on")
    if not _ASKS_PLACE.search(plain) and not names:
        return _tidy_place(_TIME_WORDS.sub(" ", _ASIDE.sub(" ", plain)))
    if names:
        # "Paris, Texas": the second name says which of several is meant.
        for name in names:
            for wider in names:
                if f"{name}, {wider}" in plain:
                    return f"{name}, {wider}"
        return names[0]
    plain = " ".join(_TIME_WORDS.sub(" ", _ASIDE.sub(" ", plain)).split())
    for pattern in _PLACE_AFTER:
        for found in re.finditer(pattern, plain, re.IGNORECASE):
            place = _tidy_place(_ENDS.sub("", found[1]))
            inner = re.search(r".*\b(?:in|at|near|around)\s+(.+)", place, re.IGNORECASE)
            if inner and re.search(_ASKS_PLACE, place[: inner.start(1)]):
                place = _tidy_place(inner[1])
            if _is_place(place):
                return place
    place = _tidy_place(_ENDS.sub("", plain))
    if _is_place(place) and not re.search(r"\b(?:what|how|which|is|do|will)\b", place, re.I):
        return place
    return ""


def _tidy_place(words: str) -> str:
    place = words.strip(" ,.:;!?")
    previous = None
    while previous != place:
        previous = place
        place = _PLACE_EDGE.sub("", place).strip(" ,.:;!?")
        place = _PLACE_TAIL.sub("", place).strip(" ,.:;!?")
    return re.sub(r"'s$", "", place)


def _is_place(place: str) -> bool:
    words = place.split()
    return (
        bool(words)
        and len(words) <= 7
        and not (len(words) <= 2 and all(word.lower() in _NO_PLACE for word in words))
    )


_MEDIUM = r"(?:movies?|films?|moives?|motion\s+pictures?|(?:tv\s+)?(?:series|shows?)|flicks?)"
_TITLE_AFTER = (
    rf"\b{_MEDIUM}\s+(?:called|named|titled|entitled|:)?\s*(.+)",
    r"\b(?:who\s+(?:directed|made|wrote|stars?\s+in|starred\s+in|plays?\s+in|acted\s+in|acts\s+in|"
    r"composed\s+the\s+\w+\s+(?:of|for)|produced|is\s+in|was\s+in|played\s+in)|"
    r"(?:plot|cast|director|actors?|rating|score|story|synopsis|release\s+date|sequel|ending|"
    r"reviews?|year|length|genre|runtime|info(?:rmation)?|details|summary|facts|trailer|music|stars)"
    r"\s+(?:of|for|to|in|about|on))\s+(.+)",
    r"\b(?:when\s+(?:did|was|does)|how\s+long\s+(?:is|was)|what\s+(?:is|was)|has|did|is|was|does)"
    r"\s+(.+?)\s+"
    r"(?:come\s+out|came\s+out|released|made|filmed|about|won?|win|win\s+any|a\s+good|any\s+good|"
    r"worth|get)\b",
    r"\b(?:search|look|find|tell\s+me|information|info|know|looking|details)\s+"
    r"(?:for|up|about|on|out\s+about)?\s*(.+)",
)
_TITLE_EDGE = re.compile(
    rf"^(?:(?:the|a)\s+{_MEDIUM}\s+|{_MEDIUM}\s+|(?:called|named|titled|entitled)\s+|"
    r"(?:search|find|show|look\s+up|tell\s+me|give\s+me|about|for|please|me|info(?:rmation)?\s+on)\s+"
    r"|(?:in|to|of|on)\s+(?:the\s+)?" + _MEDIUM + r"\s+)+",
    re.IGNORECASE,
)
_TITLE_TAIL = re.compile(
    rf"(?:[\s,]+(?:please|pls|info|imdb|cast|plot|trailer|release\s+date|come\s+out|came\s+out|"
    rf"about|worth\s+watching|a\s+good\s+{_MEDIUM}|won\s+any\s+\w+|released|made|{_MEDIUM})|"
    r"\s*[,?!].*\b(?:what|who|when|which|how|is|and\s+tell)\b.*)[\s.?!]*$",
    re.IGNORECASE,
)


def title_asked(text: str) -> tuple[str, int | None]:
    """The title of the film that a request names, with its year where it says one."""
    quoted = re.search(r"[\"“]([^\"”]+)[\"”]|‘([^’]+)’", text)
    plain = " ".join(text.replace("’", "'").split()).strip(" .!?")
    title = (quoted[1] or quoted[2]) if quoted else plain
    is_title = not re.search(
        r"(?:^|\s)(?!(?:of|the|and|in|de|la|to|for|a|an|at|on|with)\b)[a-z]", plain
    )
    is_title = is_title and not re.match(r"(?:Who|What|When|Which|Find|Search)\b", plain)
    if (
        not quoted
        and not is_title
        and re.search(
            rf"\b(?:{_MEDIUM}|who|what|when|how|search|find|tell|plot|cast|director|info|is|has|imdb|tmdb|give|get|query|which|did|was|can|reviews|something)\b",
            plain,
            re.IGNORECASE,
        )
    ):
        names = _named(plain, "of|the|and|in|de|la|to|for|a|an|at|on|with|from", has_days=True)
        title = max(names, key=lambda name: len(name.split()), default="")
        for pattern in () if title else _TITLE_AFTER:
            found = re.search(pattern, plain, re.IGNORECASE)
            if found and (stripped := _tidy_title(found[1])):
                title = stripped
                break
        title = (title if names else _tidy_title(title)) or plain
    year = re.search(
        r"[\s,]*(?:\((?:[^()]*\s)?((?:18|19|20)\d\d)[^()]*\)|(?:from|of|in)\s+((?:18|19|20)\d\d)|"
        r"\s((?:19|20)\d\d))\s*(?:film|movie)?$",
        title,
    )
    if year and year.start() > 0:
        return title[: year.start()].strip(" ,."), int(year[1] or year[2] or year[3])
    return title.strip(" ,."), None


def _tidy_title(title: str) -> str:
    previous = None
    while previous != title:
        previous = title
        title = _TITLE_TAIL.sub("", _TITLE_EDGE.sub("", title)).strip(" ,.:;?!")
    return title


_TOPIC_EDGE = re.compile(
    r"^(?:(?:can|could|would|will)\s+you\s+|(?:please|kindly|pls)\s+|"
    r"(?:i\s+(?:want|need|would\s+like|wish)|i'd\s+(?:like|love))\s+(?:to\s+)?|"
    r"(?:what|who)\s+(?:does\s+(?:wikipedia|the\s+encyclop\w+)\s+say\s+(?:about|of|on)|is|are|was|"
    r"were|'s)\s+|(?:what|who)'s\s+|"
    r"(?:look|search|find|fetch|get|give|show|tell|read|check|pull|bring|open|see|know|learn|quote|"
    r"perform|do|have|let)\b\s*(?:me|us|up|out|for|something|about|a|an|the)*\s*|"
    r"(?:the\s+|an?\s+)?(?:wikipedia|wiki|wp|wikpedia|encyclop\w+)(?:'s)?\s*"
    r"(?:article|page|entry|extract|summary|introduction|intro|lookup|search|text)?s?\s*"
    r"(?:on|about|of|for|to\s+see|say\w*|:)?\s*|"
    r"(?:the\s+)?(?:article|page|entry|background|extract|definition|introduction|summary|text|"
    r"information|info|lookup|lead\s+section|facts)\s+(?:on|about|of|for)\s+|"
    r"(?:some|more|a\s+bit)\s+|(?:about|on|for|of|what|whether|in|from|to\s+see)\s+)",
    re.IGNORECASE,
)
_TOPIC_TAIL = re.compile(
    r"[\s,]+(?:(?:up\s+)?(?:in|on|from|at|out\s+of|with|using|via)\s+(?:the\s+)?"
    r"(?:english\s+|free\s+)?(?:wikipedia|wiki|wikpedia|wp|encyclop\w+)|wikipedia|wiki|please|pls|"
    r"here|for\s+me|is|are|was|means|up|article|page)[\s.?!]*$",
    re.IGNORECASE,
)


def topic_asked(text: str) -> str:
    """The topic of a request to an encyclopedia: "Look up the Moka pot in Wikipedia"."""
    quoted = re.search(r"[\"“]([^\"”]+)[\"”]", text)
    if quoted:
        return quoted[1].strip()
    topic = " ".join(text.replace("’", "'").split()).strip(" .!?,")
    if re.search(
        r"\b(?:wiki\w*|wp|wikpedia|encyclop\w+|lexicon|article|entry)\b", topic, re.IGNORECASE
    ):
        names = _named(topic, "of|of the|the|and|de|la|von|van")
        if names:
            after = re.search(rf"{re.escape(names[0])}(?:\s+[a-zà-þ-]+)", topic)
            following = after.group().split()[-1] if after else ""
            ordinary = COMMON_WORDS | FUNCTION_WORDS | {"described", "according", "summary"}
            # "Moka pot": the name goes on with a word that is none of everyday speech.
            if following and following not in ordinary and len(names[0].split()) == 1:
                return f"{names[0]} {following}"
            return names[0]
    after = re.search(
        r"\b(?:entry|article|page|lookup|definition|wiki\w*|encyclop\w+|look\s+it\s+up)\b(?:\s+in\b"
        r"(?:\s+\w+){1,2})?\s*(?:(?:\w+\s+){0,2}(?:on|about|for|of|called)\s|:)\s*(.+)$",
        topic,
        re.IGNORECASE,
    )
    topic = after[1] if after else topic
    previous = None
    while previous != topic:
        previous = topic
        shorter = _TOPIC_TAIL.sub("", _TOPIC_EDGE.sub("", topic)).strip(" .!?,:;")
        topic = shorter or topic
    return topic


_BETWEEN = re.compile(
    r"\s*(?:\+|&|/|\u2665|\u2764\ufe0f?|,|;|\n|\bx\b|\band\b|\bwith\b|\bvs\.?)\s*", re.I
)
_NOT_NAMES = frozenset(
    "the a an is are do does did will would can could should how what who which whether if and or "
    "between of for to love loves calculator calculate compute compatibility compatible match "
    "matches score percentage percent test check names name are fit good well together in couple "
    "make suit tell me us please find out run try our my your their be each other perfect pair "
    "game play much chance chances big high relationship with made this that these two people "
    "meant romance it work get along".split()
)


def _runs_of_names(words: list[str]) -> list[str]:
    """Neighbouring words that may be a name; those with a capital where there are any."""
    runs: list[list[str]] = [[]]
    for word in words:
        if word and word.lower() not in _NOT_NAMES and not re.match(r"I'|I$", word):
            runs[-1].append(word)
        else:
            runs.append([])
    told = [" ".join(run) for run in runs if run]
    capital = [" ".join(kept) for run in runs if (kept := [w for w in run if w[0].isupper()])]
    return capital or told


def names_asked(text: str) -> tuple[str, str] | None:
    """The two names in a request, None where it does not name two: "Do Ann and Bo match?"."""
    plain = " ".join(text.replace("’", "'").split()).strip(" .!?")
    names: list[str] = []
    loves = re.sub(r"\b(?:loves|likes|is\s+in\s+love\s+with|fancies|adores)\b", " and ", plain)
    for part in _BETWEEN.split(loves):
        words = [re.sub(r"'s$", "", word.strip('.,!?:;"“”()')) for word in part.split()]
        # A first name ends the words before "and", the second begins those after it.
        runs = _runs_of_names(words)
        kept = runs[-1 if not names else 0].split() if runs else []
        if kept:
            names.append(" ".join(kept))
    if len(names) == 1 and len(names[0].split()) == 2:
        names = names[0].split()
    capital = [name for name in names if name[:1].isupper()]
    if len(names) > 2 and len(capital) >= 2:
        names = capital
    return (names[0], names[1]) if len(names) >= 2 else None
