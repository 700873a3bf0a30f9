"""Sorting into labels and names in a text, on passages written and annotated for this test."""

from __future__ import annotations

import re
import threading
from collections import Counter

import pytest

from controlllm.resources import Label
from controlllm.toolbox import Cancelled, Context, ToolError
from tests.every_case import every_case
from tools.words.classification import named_entity_recognition, text_classification
from tools.words.embedded.text_classes import labels_in

#: A name stands in brackets with the first letter of its kind; l is a place, o an organisation.
PASSAGES = """
[Angela Merkel|p] met [Tim Cook|p] of [Apple Inc.|o] in [Berlin|l] on [3 May 2019|d]. The company
said it would invest [$45 million|m] in [Germany|l] and hire [1,200|n] people.

The city council approved a new bridge across the [Ohio River|l] on [Tuesday|d] after [two|n]
years of debate. Mayor [Linda Torres|p] said that the bridge will cost [340 million dollars|m] and
open in [2031|d]. [Torres|p] was elected in [November 2027|d].

Dr. [Samuel Okafor|p], a heart surgeon at [St. Mary's Hospital|o] in [Leeds|l], operated on
[seventeen|n] patients [last week|d]. He studied at the [University of Lagos|o] and moved to
[England|l] in [1998|d].

[Microsoft|o] bought the small studio [Brightwater Games Ltd|o] for [€12.5 million|m]. Its
founder, [Priya Raman|p], will stay until [March|d]. "We are happy," said [Raman|p].

[Yesterday|d] the rain stopped. However, the roads near [Lyon|l] stayed closed, and [Marie
Dubois|p], who lives in [Grenoble|l], could not reach her office at [Crédit Agricole|o].

The [United Nations|o] and the [World Health Organization|o] warned on [Monday|d] that [three
million|n] people in [Sudan|l] need help. [UNICEF|o] asked for [$90m|m].

[Carlos Mendes|p] scored [two|n] goals as [Benfica|o] beat [Porto|o] [3-1|n] in [Lisbon|l] on
[Saturday|d].

[Nokia|o] will close its office in [Oulu|l], [Finland|l], by [31 December 2026|d]. About [350|n]
jobs are affected, chief executive [Pekka Lahtinen|p] told [Reuters|o].

Professor [Jane Whitfield|p] of [Stanford University|o] found that [12%|n] of bees in
[California|l] carry the virus. Her team published the results in [June 2021|d].

My aunt [Rosa|p] moved from [Naples|l] to [New York|l] in [the 1970s|d]. She worked at a bakery in
[Brooklyn|l] and earned [60 dollars|m] a week.

[Amnesty International|o] criticised the government of [Belarus|l]. President [Alexander
Lukashenko|p] rejected the report on [12 August|d].

The [Bank of England|o] raised rates for the fifth time. Governor [Andrew Bailey|p] expects prices
to fall in [2024|d]. Shares of [Barclays|o] and [HSBC|o] rose.

[Smith & Sons|o], a family firm from [Bristol|l], sold [4,500|n] chairs in [April|d]. [John
Smith|p] started the business with only [£200|m].

[Mount Everest|l] was first climbed by [Edmund Hillary|p] and [Tenzing Norgay|p] on [29 May
1953|d]. The mountain lies between [Nepal|l] and [China|l].

In [Tokyo|l], [Toyota Motor Corporation|o] showed a car that drives [800|n] kilometres on one
charge. [Akio Tanaka|p], the chief engineer, said it will cost [5 million yen|m].

The book was written by [J. K. Marlow|p] and printed by [Penguin Books|o] in [London|l]. It sold
[ninety thousand|n] copies in [Canada|l] and [Australia|l].

Senator [Elizabeth Grant|p] flew from [Washington|l] to [Paris|l] to speak at the [European
Parliament|o]. She met [François Moreau|p] of the [Ministry of Finance|o].

[Emma|p] and [Noah|p] went to the beach near [Brighton|l]. They paid [£4.50|m] for ice cream and
stayed for [three|n] hours. Emma lost her hat.

[Deutsche Bank AG|o] said on [14/02/2023|d] that its profit rose [8 per cent|n] to [1.2 billion
euros|m]. The bank has its seat in [Frankfurt|l].

The [Amazon|l] flows through [Brazil|l], while [Amazon.com|o] has its seat in [Seattle|l]. [Jeff
Bezos|p] founded the firm in [1994|d].

The [Red Cross|o] sent [six|n] lorries to [Kathmandu|l] after the earthquake of [25 April 2015|d].
"It was terrible," said nurse [Anita Gurung|p].

The match between [Manchester United|o] and [Arsenal|o] at [Old Trafford|l] drew [73,000|n]
people. Coach [Erik Jansen|p] was not pleased.

[Kenya Airways|o] will fly from [Nairobi|l] to [Mumbai|l] twice a day from [next summer|d], its
spokesman [David Kimani|p] said. A ticket costs about [Rs 30,000|m].

According to the [New York Times|o], [Goldman Sachs|o] paid [Laura Chen|p] [two million
dollars|m]. Ms [Chen|p] left the bank on [Friday|d] and now lives on [Lake Geneva|l].

Sir [Henry Wotton|p] was born in [Kent|l] in [1568|d] and died in [1639|d]. King [James|p] sent
him to [Venice|l], where he spent nearly [twenty|n] years.

The storm hit [Galveston|l] late on [Thursday|d], tearing roofs off [forty|n] houses. Firefighters
from [Houston|l] arrived within hours. "We lost everything," said [Gloria Pruitt|p], who has run a
diner on [Harbor Street|l] since [1987|d].

Dear Ms [Novak|p], thank you for your order of [6|n] lamps from [Lumora GmbH|o]. The total is
[$349.90|m], and we will ship it to [Zagreb|l] before [June 14|d].

Rescue teams in [Valparaíso|l] worked through the night. Firefighter [Ignacio Fuentes|p] said the
fire had destroyed [2,300|n] homes. [Chile|l] has asked [Argentina|l] and [Peru|l] for help.

[Zoltan Kiraly|p] sold his start-up, [Pixelnest|o], to [Adobe|o] for a reported [$80 million|m].
The [Budapest|l] firm had [45|n] employees.

Archaeologists from the [University of Warsaw|o] found [eleven|n] tombs near [Saqqara|l], south of
[Cairo|l]. The oldest dates from the [third century|d].

Will [Grant|p] win again? Coach [Mia Hoffman|p] believes so. "Grant is in great shape," she said
after the race in [Eugene|l], [Oregon|l], on [July 9|d].

The [Federal Reserve|o] kept rates at [5.25%|n]. Chair [Jerome Powell|p] spoke to reporters in
[Washington|l]. [JPMorgan|o] and [Citigroup|o] fell.

Last night we watched a film by [Agnès Varda|p] at the [Odeon Cinema|o] in [Camden|l]. Tickets
were [£9|m] each. Afterwards [Tom|p] and [Priti|p] took the bus home.

In [1867|d] the [United States|l] bought [Alaska|l] from [Russia|l] for [7.2 million dollars|m].
Secretary of State [William Seward|p] signed the treaty.

Trains between [Osaka|l] and [Kyoto|l] were cancelled [today|d] after snow fell on [Honshu|l].
[West Japan Railway Company|o] apologised to [18,000|n] passengers.

The novelist [Chidera Eze|p] grew up in [Enugu|l] and studied law at [Oxford|l]. Her second book,
published by [Faber|o] in [2019|d], sold [60,000|n] copies.

[Greenpeace|o] activists climbed a tower of the [Belchatow Power Station|l] in [Poland|l]. Police
arrested [nine|n] of them. The owner, [PGE|o], called it dangerous.

Lieutenant [Mara Voss|p] of the [Bremen Police Department|o] said that a man had stolen [€1,200|m]
from a kiosk near the [Weser River|l] on [Sunday|d] evening.

[Sundar Pichai|p], who leads [Google|o], met Prime Minister [Narendra Modi|p] in [New Delhi|l].
[Google|o] plans to spend [$10 billion|m] in [India|l] by [2030|d].

[Marta Lindqvist|p] opened her café in [Malmö|l] in [2015|d]. She employs [four|n] people and pays
[18,000 kronor|m] a month in rent. Her brother [Oskar|p] bakes the bread.

The [Ministry of Defence|o] confirmed on [Wednesday|d] that [two|n] helicopters had collided near
[Kharkiv|l]. General [Oleksandr Bondar|p] ordered an inquiry.

[Sarah|p] called me from [Dublin|l] [yesterday|d]. She said that Mr [Flynn|p] had sold the farm to
[Greenfield Foods plc|o] for [€750,000|m].

After the war, [Ludwig Hartmann|p] emigrated to [Argentina|l], where he taught physics at the
[University of Buenos Aires|o] until [1961|d].

The Brazilian striker [Renato Alves|p] joined [Everton|o] from [Flamengo|o] for [£31m|m] on [1
July 2024|d].

[Intel|o] will spend [$20 billion|m] on [two|n] factories near [Columbus|l], [Ohio|l]. Governor
[Mike DeWine|p] called it a great day.

Heavy rain flooded the streets of [Mombasa|l] on [Friday morning|d]. The [Kenya Red Cross|o] said
that [1,500|n] families had left their homes along the [Tana River|l].

At [Heathrow Airport|l], [Nadia Rahman|p] waited [nine|n] hours for her flight to [Dhaka|l].
[British Airways|o] offered her [£220|m].

The painter [Lucien Favre|p] died in [Marseille|l] on [March 4, 1932|d]. His widow gave [ninety|n]
pictures to the [Musée Cantini|o].

[Walmart|o] and [Target|o] cut prices in [November|d]. "Shoppers are careful," said [Kevin
Strand|p], an analyst at [Morgan Stanley|o].
"""
KINDS = {
    "p": "person",
    "l": "place",
    "o": "organisation",
    "d": "date",
    "m": "money",
    "n": "number",
}
ANNOTATION = re.compile(r"\[([^|\]]+)\|(\w)\]")

#: Labels, and texts with the label that is theirs.
LABELLED = {
    "sport, politics or cooking": [
        (
            "The striker scored twice in the second half and the visitors went home disappointed.",
            "sport",
        ),
        (
            "Fold the egg whites into the batter and leave it in the oven for forty minutes.",
            "cooking",
        ),
        ("The senate rejected the bill after a debate that lasted until midnight.", "politics"),
        (
            "She broke the national record in the 400 metres and hopes to run at the Olympics.",
            "sport",
        ),
        ("Let the onions soften in butter before you add the rice.", "cooking"),
        ("The chancellor's coalition lost its majority in the regional vote.", "politics"),
        ("Their goalkeeper signed a new contract for three seasons.", "sport"),
    ],
    "positive, negative, neutral": [
        ("This vacuum cleaner is fantastic, my carpets have never been so clean.", "positive"),
        ("It broke after two days and the shop refused to help me.", "negative"),
        ("The box contains a cable, a manual and two screws.", "neutral"),
        ("What a waste of money, I regret buying it.", "negative"),
        ("The staff were lovely and the room had a beautiful view.", "positive"),
        ("The shop opens at nine and closes at six.", "neutral"),
    ],
    "complaint, question, order, thanks": [
        ("Could you tell me whether the museum is open on Mondays?", "question"),
        ("The jacket has a hole in the sleeve and I am really annoyed.", "complaint"),
        ("Please send me two packs of the green tea and one teapot to the address below.", "order"),
        ("You were so kind to stay late and help me with the form, I appreciate it.", "thanks"),
        ("I have been waiting on hold for an hour, this is unacceptable.", "complaint"),
        ("How long does the battery last?", "question"),
        ("I'd like to buy the oak table in the large size, paid by card.", "order"),
    ],
    "technology; health; business; travel; science": [
        ("The new phone has a folding screen and charges in twenty minutes.", "technology"),
        ("Drinking enough water and sleeping eight hours lowers the risk of headaches.", "health"),
        ("Shares of the carmaker fell six per cent after it warned of lower sales.", "business"),
        ("The old town of Lisbon is best explored on foot, with a stop at the castle.", "travel"),
        ("Astronomers detected water vapour in the atmosphere of a distant planet.", "science"),
        ("The update fixes a bug that made the browser crash.", "technology"),
        ("The vaccine protects nine out of ten children from measles.", "health"),
        ("Our hotel was ten minutes from the beach and the ferry leaves every hour.", "travel"),
        ("The central bank raised interest rates to fight inflation.", "business"),
    ],
    "spam or not spam": [
        (
            "CONGRATULATIONS! You have been selected to receive a free iPhone, click the link now!",
            "spam",
        ),
        (
            "Hi Tom, I attached the minutes of yesterday's meeting, tell me if I missed anything.",
            "not spam",
        ),
        ("Lose 10 kilos in one week with this secret pill, order today at 80% discount!!!", "spam"),
        ("Are you still coming to dinner on Sunday? Grandma asked.", "not spam"),
        ("Earn $5000 a month from home, no experience needed, sign up here.", "spam"),
    ],
    "anger, joy, sadness, fear": [
        ("I passed the exam, I could dance through the streets!", "joy"),
        ("Since she left, the house is empty and I can't stop crying.", "sadness"),
        ("There was somebody in the dark corridor and my heart was pounding.", "fear"),
        ("He lied to me again and I slammed the door in his face.", "anger"),
        ("Our baby smiled for the first time today.", "joy"),
        ("My old dog died this morning.", "sadness"),
    ],
    "astronomy, botany, chess, plumbing": [
        ("The knight forks the queen and the rook on the seventh rank.", "chess"),
        ("The orchid needs indirect light and flowers twice a year.", "botany"),
        ("The tap under the sink drips because the washer is worn.", "plumbing"),
        ("Jupiter has four large moons that Galileo saw.", "astronomy"),
        ("White resigned after losing the bishop.", "chess"),
        ("The leaves of the beech are oval with wavy edges.", "botany"),
    ],
    "dogs, cats or horses": [
        ("The mare jumped the fence and cantered away.", "horses"),
        ("He barks whenever the postman comes.", "dogs"),
        ("She purrs on my lap and scratches the sofa.", "cats"),
        ("The labrador fetched the stick from the lake.", "dogs"),
    ],
    "landlord, employer, doctor": [
        ("Your rent goes up by forty pounds from March.", "landlord"),
        ("Your blood test shows a lack of iron; take one tablet a day.", "doctor"),
        (
            "Your salary review is on Thursday, please fill in the form about your goals.",
            "employer",
        ),
    ],
    "feature request, bug report, praise": [
        ("It would be great if I could export the chart as a PDF.", "feature request"),
        ("The page stays white after I press save.", "bug report"),
        ("Best editor I have ever used, well done!", "praise"),
        ("Please add a dark mode.", "feature request"),
    ],
    "kitchen, bathroom, garage": [
        ("The bicycle and the toolbox are next to the car.", "garage"),
        ("Put the towel near the shower.", "bathroom"),
        ("The pan is on the stove.", "kitchen"),
    ],
    "joke, recipe, weather report": [
        ("Why did the chicken cross the road? To get to the other side.", "joke"),
        ("Cloudy in the north with showers, up to 15 degrees in the south.", "weather report"),
        ("Mix 200 g flour with two eggs and bake for half an hour.", "recipe"),
    ],
    "about music, not about music": [
        ("The violinist played an encore.", "music"),
        ("The plumber came at noon to mend the pipe.", "not about music"),
        ("Her new album has twelve songs.", "music"),
        ("Prices of bread rose again.", "not about music"),
    ],
}


def names(tags: tuple[str, ...]) -> set[tuple[str, str]]:
    """Names and kinds without what annotators differ in: articles and parts of whole names."""
    found = {(name.lower(), kind) for name, kind in re.findall(r"(.+) \((\w+)\)", "\n".join(tags))}
    found = {(re.sub(r"^(?:the|last|next) ", "", name), kind) for name, kind in found}
    people = [set(name.split()) for name, kind in found if kind == "person"]
    return {
        (name, kind)
        for name, kind in found
        if kind != "person" or not any(set(name.split()) < other for other in people)
    }


def without_commas(name: str) -> str:
    return " ".join(re.sub(r"(?<=\d),(?=\d{3})", "", name).replace(",", " ").split())


def test_names_are_found_and_told_apart() -> None:
    right: Counter[str] = Counter()
    found_of: Counter[str] = Counter()
    wanted_of: Counter[str] = Counter()
    for passage in PASSAGES.strip().split("\n\n"):
        passage = " ".join(passage.split())
        tags = tuple(
            f"{without_commas(name)} ({KINDS[kind]})" for name, kind in ANNOTATION.findall(passage)
        )
        wanted = names(tags)
        found = names(named_entity_recognition(ANNOTATION.sub(r"\1", passage)))
        for counter, entities in ((right, wanted & found), (found_of, found), (wanted_of, wanted)):
            counter.update(kind for _, kind in entities)
    assert wanted_of.total() > 250
    assert right.total() / found_of.total() > 0.97
    assert right.total() / wanted_of.total() > 0.96
    for kind in KINDS.values():
        assert right[kind] / wanted_of[kind] > 0.9, kind
        assert right[kind] / found_of[kind] > 0.9, kind


def test_each_name_once_whole_and_without_commas() -> None:
    tags = named_entity_recognition(
        "Linda Torres was born on May 3, 1961. Torres hired 1,200 people. Linda Torres smiled."
    )
    assert tags == ("Linda Torres (person)", "May 3 1961 (date)", "1200 (number)")


@every_case(
    ("text", "tags"),
    [
        ("A black cat sits in front of a laptop on a wooden desk.", ()),
        ("The quick brown fox ran. Walking home was nice. However, nobody came.", ()),
        ("BREAKING NEWS: FIRE DESTROYS HOUSES IN BOSTON", ("Boston (place)",)),
        ("How to Bake Bread: A Guide for Beginners", ()),
        ("- Paris\n- Apples\n- John Smith", ("Paris (place)", "John Smith (person)")),
        ("May I come in? She may march on.", ()),
        ("Visit https://example.com/a1 or mail bob@example.com, page 4, at 10:30.", ()),
        ("so um today we talk about plants", ("today (date)",)),
        ("日本語のテキスト。", ()),
    ],
)
def test_capitals_and_digits_alone_are_no_names(text: str, tags: tuple[str, ...]) -> None:
    assert named_entity_recognition(text) == tags


def test_the_same_word_is_told_apart_by_what_stands_around_it() -> None:
    tags = named_entity_recognition("The Amazon flows through Brazil. Shares of Amazon.com fell.")
    assert "Amazon (place)" in tags
    assert "Amazon.com (organisation)" in tags


def test_a_long_text_is_looked_through_in_parts_and_can_be_stopped() -> None:
    text = "Angela Merkel met Tim Cook of Apple Inc. in Berlin, and it rained. " * 600
    told: list[float] = []
    tags = named_entity_recognition(text, context=Context(lambda part, words: told.append(part)))
    assert tags == (
        "Angela Merkel (person)",
        "Tim Cook (person)",
        "Apple Inc. (organisation)",
        "Berlin (place)",
    )
    assert len(told) > 3
    assert told == sorted(told)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        named_entity_recognition(text, context=Context(None, stop))


def test_texts_are_sorted_into_labels() -> None:
    results = []
    for labels, texts in LABELLED.items():
        for text, label in texts:
            found = text_classification(text, labels)
            assert sum(one.score for one in found) == pytest.approx(1)
            assert [one.score for one in found] == sorted(one.score for one in found)[::-1]
            results.append((found[0].name == label, found[0].score))
    assert len(results) >= 60
    right = sum(good for good, _ in results) / len(results)
    assert right >= 0.93
    # The shares say about how often the first is right.
    assert abs(sum(score for _, score in results) / len(results) - right) < 0.15


@every_case(
    ("words", "labels"),
    [
        ("sport, politics or cooking", ["sport", "politics", "cooking"]),
        ("Sort it into sport, politics or cooking", ["sport", "politics", "cooking"]),
        ("is it spam or not spam?", ["spam", "not spam"]),
        ("positive/negative/neutral", ["positive", "negative", "neutral"]),
        ("food and drink, travel, music", ["food and drink", "travel", "music"]),
        ("a complaint or a question", ["complaint", "question"]),
        ("Labels: cats; dogs", ["cats", "dogs"]),
        ("- sport\n- food and drink\n- sport", ["sport", "food and drink"]),
        ("“good” or “bad”", ["good", "bad"]),
        ("cats", ["cats"]),
    ],
)
def test_labels_are_read_from_words(words: str, labels: list[str]) -> None:
    assert labels_in(words) == labels


def test_all_of_a_long_text_is_weighed() -> None:
    text = "It was a day like any other. " * 40 + "The goalkeeper saved the penalty. " * 40
    (first, _) = text_classification(text, "football, cooking")
    assert first.name == "football"
    assert isinstance(first, Label)


@every_case(
    ("labels", "message"),
    [
        ("cats", "at least two labels"),
        ("", "at least two labels"),
        (", ".join(f"label{number}" for number in range(41)), "at most 40"),
        ("cats, " + "a very long label " * 10, "as long as a sentence"),
    ],
)
def test_labels_that_cannot_be_used_are_refused(labels: str, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        text_classification("Some text.", labels)


@every_case("text", ["", " \n ", "…!?"])
def test_no_text_is_refused(text: str) -> None:
    with pytest.raises(ToolError, match="no text"):
        text_classification(text, "a, b")
    with pytest.raises(ToolError, match="no text"):
        named_entity_recognition(text)


@every_case("text", ["x" * 9000, "A.B.C." * 2000, "1," * 9000, "Aa " * 5000, "日本"])
def test_odd_texts_are_taken(text: str) -> None:
    assert isinstance(named_entity_recognition(text), tuple)
    assert len(text_classification(text, "cats or dogs")) == 2
    with pytest.raises(ToolError, match="at most 400,000"):
        named_entity_recognition("x" * 400_001)
