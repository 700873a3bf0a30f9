"""Words as they are compared: small, without plural endings, parted where headers join them."""

from __future__ import annotations

import re
from functools import lru_cache

#: What a word of a question may mean in a header.
_ALIKE = """
amount sum value betrag summe total
price cost rate preis kosten
revenue sale turnover income umsatz earning
cost expense expenditure spending kosten
quantity qty unit piece menge anzahl count
customer client buyer kunde
employee staff worker colleague mitarbeiter person
product item article artikel produkt good
date day datum when
city town stadt place
country nation land
category type kind kategorie art
name who person
salary wage pay gehalt
age old alter
department dept division abteilung team
time hour duration dauer stunde
score mark grade point result note goal
weight kg gewicht kilo kilogram mass
km kilometre kilometer distance
t tonne ton
h hour
min minute
l litre liter
ha hectare acre area
spent spend spending
paid pay payment
sold sell
bought buy
temperature temp temperatur
email mail e-mail
phone telephone tel mobile
region area territory
population inhabitant
status state
""".strip()
_GROUPS = [frozenset(line.split()) for line in _ALIKE.split("\n")]
_IRREGULAR = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse",
    "feet": "foot", "data": "data", "sales": "sale", "status": "status", "gas": "gas",
    "bus": "bus", "news": "news", "series": "series", "this": "this", "is": "is", "has": "has",
    "was": "was", "as": "as", "its": "its", "us": "us", "plus": "plus", "less": "less",
    "always": "always", "paris": "paris", "texas": "texas", "james": "james",
}  # fmt: skip

#: Words for not having survived.
NOT_ALIVE = frozenset("died die dies dead drowned drown perished perish killed deceased".split())
#: What else people call the values that tables have for who is a woman and who is a man.
SEXES = {
    "women woman girl lady females": {"female", "f", "w"},
    "men man boy gentleman males guys": {"male", "m"},
}


@lru_cache(65536)
def stem(word: str) -> str:
    """A word in small letters without its plural ending."""
    word = word.casefold().replace("’", "'").removesuffix("'s").strip("'.")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if len(word) > 4 and word.endswith("men"):
        return f"{word[:-2]}an"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def root(word: str) -> str:
    """A word without the ending that makes it a verb or a noun: "donat" of donated, donation."""
    return re.sub(r"(?:ions?|ings?|ers?|ed|es|s|e)$", "", word.casefold())


def parts(name: str) -> list[str]:
    """The words of a header: "unitPrice (EUR)" is unit, price, eur; stems of them."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ")
    return [stem(word) for word in re.findall(r"[^\W_]+(?:'[^\W_]+)?", name)]


def alike(word: str) -> frozenset[str]:
    """Words that may stand for a stem in a header."""
    return frozenset().union(*(group for group in _GROUPS if word in group)) - {word}
