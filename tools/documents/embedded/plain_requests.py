"""Words of requests that say nothing about a table, and what is left that was not understood."""

from __future__ import annotations

import re

from controlllm.toolbox import ToolError

from .asking import Asked
from .reading import columns_of, unknown_column

#: Words that may be left over: a request means the same without them.
IGNORED = frozenset(
    """
    money cash address addresses expense expenses expenditure payment payments hire hired start
    started join joined begin began begun left born signed opened closed since ago done sent
    a an the this that these those there their our my your his her its it they them we us i me
    you he she and or but so then also too just only please kindly could can would will shall
    should may might must let let's lets want wants need needs like likes love know tell give
    gives show shows see find get gets got make makes made do does did done have has had having
    be is are was were been being am not of in on at for from to by with without as into onto
    out up down off over about between among within across during per each every all any some
    both other others another same own many much more most less least few what which who whom
    whose when where why how whether if than table tables sheet spreadsheet file files csv excel
    data dataset list row rows line lines record records entry entries column columns cell cells
    field fields value values number numbers figure figures item items thing things result
    results information info detail details database log export document attached following here
    below above given total totals sum sums average averages mean means median count counts
    counted amount amounts overall altogether together combined entire whole complete full
    entirety group grouped grouping sort sorted sorting order ordered filter filtered keep kept
    keeping remove removed delete drop exclude excluding include including leave left take took
    put add added adding adds calculate compute work working works reckon split break broken
    breakdown summarise summarize summary arrange rank ranked compare compared comparison plot
    plotted draw drawn drawing chart charts graph graphs diagram visualise visualize display
    picture image pie bar bars histogram scatter different distinct unique separate kind kinds
    type types spend spent spending cost costs pay paid pays earn earned earns sell sold sells
    buy bought buys bring brought come comes came go goes went receive received use used uses
    orders place placed ship shipped happen happened happens occur occurs occurred live lives
    living lived worked belong belongs contain contains hold holds stand stands lie lies fall
    falls say says said call called named name name's equal equals exist exists appear appears
    reach reached achieve achieved generate generated produce produced recorded register
    registered person people anyone anybody someone somebody everyone everybody nobody one ones
    whoever ours mine yours hi hello hey thanks thank ok okay well now today currently first
    second third next last finally afterwards high higher highest low lower lowest large larger
    largest big bigger biggest small smaller smallest great greatest top bottom best worst
    maximum minimum max min descending ascending desc asc time times percent percentage share
    proportion ratio part fraction available existing actual actually really exactly
    approximately roughly around everything anything something nothing whatever whichever needed
    wanted wish based revenue income earnings turnover expenses title titled labelled coloured
    dark mode light theme style start starting begin beginning finish lists listing overview
    report year-to-date according using via customer customers client clients transaction
    transactions sale sales purchase purchases product products employee employees member
    members student students user users company companies places country countries city cities
    pupil pupils guest guests visitor visitors tenant tenants mark marks grade grades score scores
    point points book cash stock inventory balance often occurs extra new whoever us
    price prices still yet ever both entered noted written filled invoice invoices invoiced bill
    bills billed booking bookings booked receipt receipts selling seller sellers bestselling
    """.split()
) | frozenset(
    """
    lol haha hahaha omg btw tbh imo yay ugh phew cheers mate folks guys wanna gonna gotta lemme
    gimme kinda sorta pls plz thx ta ya yeah yep yup sure wonder wondering curious understand look
    looking check checking figure guess think thinking thought hope hoping believe mean remember
    trying try tried help going able possible interested hear ask asking asked decide actually
    basically very simply quite rather maybe perhaps probably possibly honestly quickly finally
    anyway anyways usually generally normally obviously again already soon here i'm im i'd i'll
    i've ive we're we've we'd we'll you're you've you'd you'll it's that's there's here's what's
    who's how's where's they're they've he's she's blow blew blown splash splashed bunch lot lots
    loads nice cool great good write writing produce prepare build until till til because cause
    cos 'd 's 'm 're 've 'll thats whats instead sell purely mostly mainly biggest regarding
    concerning terms shown showing listed down comes worth money's going wants spends single
    individual owe owes alltogether respectively
    choose chose chosen chooses pick picked picks prefer prefers preferred vote voted score scored
    scores scorer scorers win wins won play plays played attend attends attended collect collected
    raise raised offer offered offers borrow borrowed lend lent visit visited read reads sign
    signed order ordered deliver delivered donate donated train trained drive drove run ran
    answered ticked replied
    """.split()
)
#: What may still be counted: the word behind "how many" names what the rows are.
_COUNTED = re.compile(r"(?<!\w)(?:how many|number of|count(?: of)?|amount of)((?: [a-z'-]+)+)")
#: What the rows are called, where a plural stands as their name does: "which books have ...".
_ROWS_CALLED = re.compile(
    r"(?:(?:(?<!\w)(?:which|what|of the|how many)|^(?:\W|the |all |show |list |me |give |find |"
    r"keep |sort |order |rank |arrange )*|"
    r"(?<=; 's)|(?<!\w)N\d+)(?: (?:the|all|our|my|new|old))* |^)(?P<rows>[a-z]{3,}(?:s|men|people))"
    r"(?= (?:who|that|which|with|without|where|whose|have|has|had|haven't|are|aren't|were|"
    r"weren't|is|was|;|did|do|"
    r"still|from|by)(?!\w)| ?$)"
)
#: What somebody did, which is no word for what the rows are.
_DONE = frozenset(
    "died drowned perished won lost left came went quit fell broke stayed sank dead alive "
    "gone".split()
)
#: What somebody did with what is asked for: "how many hours did I sleep", "who reported the owl".
_DID = re.compile(
    r"(?<!\w)(?:did|do|does) (?:i|we|you|they|he|she) [a-z]{3,}(?!\w)|"
    r"(?<!\w)who (?:of (?:us|them|you) )?[a-z]{2,}ed(?= (?:a |an |the )?(?:;|[CV]\d))"
)
_ENDS = (
    "per|by|for|in|each|every|on|at|from|with|that|who|which|are|is|were|was|do|does|did|have|has|"
    "and|over|under|above|below|between"
)


#: What holds something against a number or a column, and was not understood.
_HELD = re.compile(r"(?<!\w)(?:more|less|fewer|higher|lower|greater|larger|smaller) than(?!\w)")


def reject_leftovers(asked: Asked, counted: str = "") -> None:
    """Raise ToolError with the first word that was not understood, where there is one; an answer
    that passes over it would be an answer to another question."""
    if counted:
        asked.line = asked.line.replace(f" {counted} ", " ; ")
    asked.line = " ".join(asked.line.split())
    asked.line = _ROWS_CALLED.sub(" ; ", asked.line, count=1)
    asked.line = _DID.sub(" ; ", asked.line)
    for word in re.findall(r"(?<![\w'])[^\W\d_][\w'&./+-]*", asked.line):
        if (
            re.fullmatch(r"[CVNDQK]\d+", word)
            or word in IGNORED
            or word.removesuffix("'s") in IGNORED
        ):
            continue
        raise unknown_column(asked.sheet, _as_written(asked.text, word))
    if found := _HELD.search(asked.line):
        raise ToolError(
            f"It is not clear what is {found[0]} what. Say it as in “where the amount is over "
            f"100”; "
            f"the columns are {columns_of(asked.sheet)}."
        )
    for mark in re.findall(r"(?<!\w)[QV]\d+(?!\w)", asked.line):
        raise unknown_column(asked.sheet, asked.items[mark].said)


def _as_written(text: str, word: str) -> str:
    found = re.search(re.escape(word), text.replace("’", "'"), re.IGNORECASE)
    return found[0] if found else word


def counted_thing(line: str) -> str:
    """The word for what the rows are in "how many orders": the last one of those behind it."""
    found = _COUNTED.search(line)
    if not found:
        return ""
    # "How many visits per month": the thing stands before the next small word.
    phrase = re.split(rf" (?:{_ENDS})(?= |$)", found[1])[0]
    words = [word for word in phrase.split() if word not in IGNORED]
    if words and (words[-1].endswith("ed") or words[-1] in _DONE):
        return ""  # "How many died" tells what they did.
    return words[-1] if len(words) == 1 else ""
