"""The marks that stand for what was found in words, and the words that conditions are said with."""

from __future__ import annotations

import operator

C, V, N, D, Q = (rf"(?<!\w){letter}\d+(?!\w)" for letter in "CVNDQ")
NOT = (
    r"(?:not|isn't|aren't|wasn't|weren't|other than|except(?: for)?|excluding|without|apart from|"
    r"but not|!=|<>|≠|no longer|non|outside(?: of)?|doesn't|don't|do not|does not|haven't|"
    r"hasn't|hadn't|didn't|won't|never)"
)
IS = (
    r"(?:is|are|was|were|be|being|equals?|equal to|=|==|:|as|named|called|of|in|on|at|from|for|"
    r"to|by|"
    r"with|that|which|who|whose|where|the|has|have|had|an?|only|just|made|came|live|lives|living|"
    r"exactly|says|said|value|during|within|marked|status|set|belongs?|belonging)"
)
MORE = (
    r"more than|over|above|greater than|higher than|larger than|bigger than|exceed(?:s|ing)?|"
    r"beyond|"
    r"in excess of|upwards of|better than|>|longer than|older than|taller than|heavier than|"
    r"later than|after|newer than|warmer than|faster than|dearer than|more expensive than|deeper "
    r"than|wider than|"
    r"hotter than|past"
)
LESS = (
    r"less than|under|below|fewer than|lower than|smaller than|<|shorter than|younger than|"
    r"lighter than|earlier than|before|cheaper than|colder than|slower than|prior to|worse than"
)
AT_LEAST = (
    r"at least|no less than|not less than|no fewer than|minimum(?: of)?|min|>=|=>|≥|since|"
    r"starting|from"
)
AT_MOST = (
    r"at most|no more than|not more than|up to|maximum(?: of)?|max|<=|=<|≤|until|till|through|"
    r"up till|no later than|by"
)
SAME = r"(?:the )?same as|equals?|equal to|identical to|matches|=="
OTHER = r"different from|differs? from|unequal to|does not match|!=|<>|≠"
#: What stands in a cell, where the cell is empty: "no mark in maths".
ENTRY = (
    r"value|cell|entry|entries|field|data|mark|grade|score|number|amount|figure|information|date|"
    r"address|note"
)
SIGNS = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}
FLIPPED = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "=": "!=", "!=": "="}
SAID = {">": "over", "<": "under", ">=": "at least", "<=": "at most", "=": "", "!=": "not"}
#: What a comparative is about where no column is named.
ABOUT = {
    "older": "age", "younger": "age", "taller": "height", "heavier": "weight", "lighter": "weight",
    "longer": "length duration time", "shorter": "length height duration time",
    "cheaper": "price cost rent fee rate", "dearer": "price cost rent fee rate",
    "expensive": "price cost rent fee rate",
    "deeper": "depth", "wider": "width", "hotter": "temperature",
    "warmer": "temperature", "colder": "temperature", "faster": "speed", "slower": "speed",
}  # fmt: skip
MONEY = r"(?:euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf|bucks|€|\$|£|quid|p|pence|cents?)"
#: What a number is measured in, which stands behind it and tells no other column.
UNIT = (
    rf"(?:{MONEY}|percent|%|degrees?(?: (?:celsius|fahrenheit|c|f))?|°[cf]?|[ckmµ]?m[23²³]?|kgs?|g|"
    rf"mg|"
    r"kilos?|kilograms?|grams?|tons?|tonnes?|lbs?|stone|ounces?|oz|kms?|kilomet(?:er|re)s?|"
    r"met(?:er|re)s?|miles?|inch(?:es)?|feet|foot|ft|square met(?:er|re)s?|sqm|hectares?|acres?|"
    r"l|ml|lit(?:er|re)s?|kwh|watts?|mb|gb|kb|mins?|minutes?|secs?|seconds?|hrs?|hours?|days?|"
    r"weeks?|months?|years?(?: old)?|pages?|points?)"
)
