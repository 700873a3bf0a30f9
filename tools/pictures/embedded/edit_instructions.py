"""Reading what is to be done to a picture: "a bit brighter, then crop the left half".

Every part of the instruction must be understood: an edit that quietly leaves a part out would
look like an answer and be none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.pictures.embedded import art_styles, backdrops

#: What can be done, in words for a person.
CHOICES = (
    "make it brighter or darker, change contrast or colour strength, make it warmer or cooler, "
    "sharpen, blur or denoise it, rotate, flip, resize or crop it to a half or a square, make it "
    "grey or a negative, add a vignette, a border or a tint, recolour an object that can be found "
    "(“make the car red”), change the background, or give it a drawn look such as pencil, "
    "watercolour or cartoon"
)


@dataclass(frozen=True)
class Step:
    """One change: its name, how strong it is, and the words or colour that belong to it."""

    action: str
    amount: float = 0.0
    detail: str = ""
    size: tuple[float, float] = (0.0, 0.0)


class NotUnderstoodError(ValueError):
    """A part of the instruction asks for what cannot be done; the argument is that part."""


_COLOUR_WORD = rf"\b(?:{'|'.join(backdrops.SHADES)})\b"
_COLOUR = (
    r"(?P<colour>(?:(?:light|pale|pastel|bright|dark|deep)[ -]+)?(?:"
    + "|".join(sorted(backdrops.SHADES, key=len, reverse=True))
    + r"))(?:ish)?\b"
)
_MORE = r"(?:increase|raise|more|higher|boost|add|up|enhance|improve|strengthen|stronger|turn up)"
_LESS = r"(?:decrease|lower|less|reduce|drop|weaken|weaker|cut|turn down|tone down|lessen|fewer)"

#: Actions with their sign and the words that ask for them; tried in this order on each part.
_RULES: tuple[tuple[str, float, str], ...] = (
    ("flip vertical", 0, r"(?:flip|mirror|reflect)\w*.*(?:vertical\w*|upside[- ]down|"
                         r"top to bottom)|"
                         r"vertical\w* (?:flip|mirror)\w*"),
    ("flip horizontal", 0, r"(?:flip|mirror|reflect)\w*(?:.*(?:horizontal\w*|left to right|"
                           r"sideways))?|horizontal\w* (?:flip|mirror)\w*"),
    ("rotate", 180, r"upside[- ]down"),
    ("rotate", 0, r"(?:rotat|turn|spin|tilt|straighten)\w*\b(?=.*(?:degree|°|\d|clockwise|left|"
                  r"right|"
                  r"quarter|half))|rotat\w*"),
    ("crop", 0, r"(?:crop|cut|keep|trim|only|just|take|use|remain)\w*\b.*?\b(?P<side>left|right|"
                r"top|"
                r"upper|bottom|lower)(?:[- ]hand)?\b(?: (?:half|part|side))?|"
                r"(?P<side2>left|right|top|upper|bottom|lower)(?:[- ]hand)? half(?: only)?"),
    ("square", 0, r"(?:crop|cut|make|trim)\w*\b.*\bsquare\b|^square$"),
    ("resize", 0, r"(?:resiz|scal|shrink|enlarg|reduc|doubl|halv|half|twice)\w*\b.*\b(?:\d+ ?%|"
                  r"percent|\d+ ?(?:x|by|×) ?\d+|size\w*|pixels?|px|wide|high|tall|half|twice|"
                  r"double|"
                  r"width|height|\d+)|(?:make|turn).*\b(?:smaller|bigger|larger)\b|smaller|bigger|"
                  r"larger|shrink|enlarge|(?:twice|half|\w+ times) (?:as|its|the) \w+|"
                  r"double the size|half the size|halve|"
                  r"\d+ ?(?:x|×) ?\d+(?: pixels)?|\d+ (?:pixels|px) (?:wide|high|tall)"),
    ("background", 0, r".*\bback(?:ground|drop)\b.*"),
    ("denoise", 1, r"denois\w*|(?:remove|reduce|less|clean up|get rid of)\b.*\b(?:noise|grain)\w*"),
    ("invert", 0, r"invert\w*(?: (?:the )?colou?rs)?|negative\b"),
    ("vignette", 1, r"(?:dark |soft |strong |black )*vignett\w*|"
                    r"dark(?:en)?(?:er)? (?:the )?(?:corners|edges)"),
    ("border", 0, r"\b(?:border|frame|edging)\b"),
    ("tint", 0, rf"(?:tint\w*|ton(?:e|ing)|cast|hue|wash|filter|overlay|veil|"
                rf"shade)\b(?=.*{_COLOUR})|"
                rf"{_COLOUR.replace('colour', 'colour2')} (?:tint|tone|cast|hue|filter|overlay|"
                rf"wash)"),
    ("brighten", -1, rf"darker|darken\w*|\bdim\b|dimmer|{_LESS} (?:the )?(?:brightness|light|"
                     rf"exposure)"
                     r"|too (?:bright|light)|overexposed|less bright|(?<!too )(?<!less )\bdark\b"),
    ("brighten", 1, rf"brighter|brighten\w*|lighter|lighten\w*|{_MORE} (?:the )?(?:brightness|"
                    rf"light|"
                    r"exposure)|too dark|underexposed|more light|less dark|\bbright\b"),
    ("contrast", -1, rf"{_LESS} (?:the |of the )?contrast\w*|flatter|low(?:er)? contrast"),
    ("contrast", 1, rf"{_MORE} (?:the )?contrast\w*|punchier|high(?:er)?[- ]contrast|\bcontrast\w*|"
                    r"crunchier|dramatic"),
    ("saturate", -1, rf"desaturat\w*|{_LESS} (?:the )?(?:colou?rs?|saturat\w*|colou?rful|vivid|"
                     r"vibran\w*)|mute(?:d)? (?:the )?colou?rs|muted|paler|washed out"),
    ("saturate", 1, rf"{_MORE} (?:the )?(?:colou?rs?(?!\w)|saturat\w*|vibran\w*|colou?rful|vivid)|"
                    r"\bsaturat\w*|vibran\w*|vivid\w*|(?:more )?colou?rful|richer colou?rs|"
                    r"colou?rs? pop|\bpop\b|\bdull\b"),
    ("warm", -1, rf"cool\w*|colder|{_LESS} (?:the )?warm\w*|bluer|more blue|less warm"),
    ("warm", 1, r"warm\w*|less cold|less blue|more (?:orange|golden)"),
    ("blur", 1, rf"{_LESS} (?:the )?(?:sharp\w*|detail\w*)"),
    ("sharpen", 1, rf"{_LESS} (?:the )?blur\w*|de-?blur\w*|(?:remove|too) (?:the )?blur\w*"),
    ("sharpen", 1, r"sharp\w*|crisp\w*|(?:more )?detail\w*|less blurry|clearer"),
    ("blur", 1, r"blur\w*|soften\w*|softer|smooth\w*|out of focus"),
)  # fmt: skip

_RECOLOUR = re.compile(
    r"^(?:.*?\b)?(?:make|paint|turn|change|colou?r|recolou?r|dye|tint|give)\s+"
    r"(?:the colou?r of )?(?P<thing>.+?)\s+(?:(?:in)?to |into |a |in |from \w+ to |look )*"
    + _COLOUR
    + r"(?:\s+(?:colou?r|instead|paint))*$"
)
_WHOLE = re.compile(r"^(?:it|this|that|them|everything|all|(?:the |this |that |my )?(?:whole |"
                    r"entire )?"
                    r"(?:picture|image|photo\w*|scene|colou?rs?))$")  # fmt: skip
_SPLIT = re.compile(
    r"\s*(?:[;,]|\.\s|\.$|!|\?)\s*(?:and |then |also )*|\s+(?:and then|then|and also|and|but|plus|"
    r"while|as well as|&)\s+"
)
_KEEP_TOGETHER = re.compile(r"\bblack\s*(?:and|&)\s*white\b|\bb\s*&\s*w\b")
_FILLER = frozenset(
    "a an the this that it its my our of in on to into by for with and or as at be is are was so "
    "please can could would you i i'd i'll want wish like need let's lets make give get turn "
    "change "
    "set put apply do add have let look looks looking appear seem show whole entire full all "
    "picture image photo photograph photos snapshot portrait shot scene pic edit adjust bit little "
    "slightly slight lot much more less very really quite somewhat rather way far too just only "
    "even still overall me some also same time effect version style filter touch up out colours "
    "colors colour color tones tone should now then there what when one kind sort "
    "levels "
    "level degree degrees strongly strong gently gentle subtle heavily heavy extremely visible "
    "nice nicely good better there's it's bring convert transform create draw render produce "
    "percent percentage hand thin thick around edges sides side half part portion section pixels "
    "px wide high tall size sized width height times square shape back again few keep keeping "
    "clockwise anticlockwise counterclockwise left right down upper lower top bottom quarter "
    "horizontally vertically along axis drawing painting art work artwork everything "
    "overly generally feel feeling mood atmosphere them away off remain crop cut trim "
    "turned".split()
)
_BARE_QUALITY = re.compile(
    r"^(?:the |its )?(?:contrast|saturation|brightness|exposure|light|colou?rs?|sharpness|warmth|"
    r"noise|vibrance|vibrancy|vividness)$"
)
_STRONG = re.compile(
    r"\b(?:much|very|a lot|lots|strong\w*|extreme\w*|really|way|far|heav\w+|greatly)\b"
)
_WEAK = re.compile(
    r"\b(?:a bit|bit|slight\w*|a little|little|touch|subtl\w+|gent\w+|somewhat|tad)\b"
)
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|per ?cent)")


def read(instruction: str) -> tuple[Step, ...]:
    """The changes that an instruction asks for, in its order.

    Raises NotUnderstoodError with the part that no change here does.
    """
    text = " ".join(instruction.lower().replace("’", "'").split())
    text = _KEEP_TOGETHER.sub("greyscale", text)
    text = re.sub(rf"({_COLOUR_WORD}) and (?={_COLOUR_WORD})", r"\1 with ", text)
    steps: list[Step] = []
    verb = ""
    for part in (piece for piece in _SPLIT.split(text) if piece and piece.strip(" .")):
        part = re.sub(r"^(?:then|also|and|but|first|next|finally|lastly)\s+", "", part.strip(" ."))
        if verb and _BARE_QUALITY.match(part):
            # "Increase the contrast and saturation": the verb counts for both.
            part = f"{verb} {part}"
        try:
            steps += _read_part(part)
        except NotUnderstoodError:
            if any(word not in _FILLER for word in _names(part)) or re.search(r"\d", part):
                if not verb:
                    raise
                steps += _read_part(f"{verb} {part}")
        found = re.match(rf"(?:please |can you |could you )*({_MORE}|{_LESS}|make it|make|crop|"
                         rf"rotate|"
                         r"add|turn it)\b", part)  # fmt: skip
        verb = found[1] if found else verb
    if not steps:
        raise NotUnderstoodError(instruction.strip())
    return tuple(steps)


def _names(part: str) -> list[str]:
    return re.findall(r"[a-z]+(?:['-][a-z]+)*", part)


def _read_part(part: str) -> list[Step]:
    if re.search(r"\bback(?:ground|drop)\b", part):
        return [_background(part)]
    recolour = _recolour(part)
    if recolour:
        return [recolour]
    style = art_styles.style_of(part)
    rest, steps = part, []
    if style:
        rest = re.sub(rf"(?<![a-z])(?:{art_styles.words_for_styles()})(?![a-z])", " ", rest)
        steps.append(Step("style", detail=style))
    for action, sign, pattern in _RULES:
        match = re.search(rf"(?<![a-z])(?:{pattern})(?![a-z])", rest)
        if match is None or any(step.action == action for step in steps):
            continue
        steps.append(_step(action, sign, part, match))
        rest = rest[: match.start()] + " " + rest[match.end() :]
        if action in ("rotate", "resize"):
            rest = re.sub(r"\d+(?:\.\d+)?|°|\b(?:x|twice|double|three|two|four)\b", " ", rest)
        if action in ("tint", "border"):
            rest = re.sub(_COLOUR, " ", rest)
    left = [name for name in _names(_PERCENT.sub(" ", rest)) if name not in _FILLER]
    if not steps or left:
        raise NotUnderstoodError(part)
    return steps


def _background(part: str) -> Step:
    """A change of the background: the words say what the new one is."""
    if re.search(r"\b(?:remove|delete|erase|cut out|take away|get rid of|without)\b", part):
        return Step("background", detail="transparent")
    words = re.sub(r"\b(?:replace|swap|remove|change|the|make|more|blurry|a bit)\b", " ", part)
    if re.search(r"\bblur", part):
        words = "blur"
    if backdrops.parse(words) is None:
        raise NotUnderstoodError(part)
    return Step("background", detail=words)


def _recolour(part: str) -> Step | None:
    match = _RECOLOUR.match(part)
    if match is None:
        return None
    thing = re.sub(r"\b(?:look|appear|be|all)$", "", match["thing"]).strip()
    if re.search(r"\b(?:tint|tone|cast|filter|border|frame|hue|overlay|vignette)\b", part):
        return None
    if _WHOLE.match(thing):
        if match["colour"] in ("grey", "gray"):
            return Step("style", detail="black and white")
        return Step("tint", _strength(part, 0.8), match["colour"])
    words = _names(re.sub(r"^(?:the|a|an|this|that|my|his|her|their)\s+", "", thing))
    if not words or all(word in _FILLER for word in words):
        return None
    return Step("recolour", 1.0, f"{thing}|{match['colour']}")


def _strength(part: str, usual: float) -> float:
    percent = _PERCENT.search(part)
    if percent:
        return min(float(percent[1]) / 100, 1.5)
    if _WEAK.search(part):
        return 0.5 * usual
    return 1.8 * usual if _STRONG.search(part) else usual


def _step(action: str, sign: float, part: str, match: re.Match[str]) -> Step:
    if action == "rotate":
        return Step(action, sign or _degrees(part))
    if action == "resize":
        return _resize(part)
    if action == "crop":
        side = match["side"] or match["side2"]
        return Step(action, detail={"upper": "top", "lower": "bottom"}.get(side, side))
    if action in ("tint", "border"):
        found = re.search(_COLOUR, part)
        return Step(action, _strength(part, 0.45), found["colour"] if found else "white")
    usual = {"saturate": 0.5, "warm": 0.5, "blur": 0.5, "denoise": 0.5, "vignette": 0.5}
    return Step(action, sign * _strength(part, usual.get(action, 0.4)))


def _degrees(part: str) -> float:
    """How far to turn clockwise; "left" and "anticlockwise" are the other way."""
    number = re.search(r"(-?\d+(?:\.\d+)?)", part)
    degrees = float(number[1]) if number else 180.0 if "half" in part else 90.0
    back = re.search(r"\bleft\b|anti-?clockwise|counter-?clockwise", part)
    return -degrees if back else degrees


def _resize(part: str) -> Step:
    """The new size: in pixels (0 where it follows from the other), or as a factor."""
    both = re.search(r"(\d+)\s*(?:x|by|×)\s*(\d+)", part)
    if both:
        return Step("resize", size=(float(both[1]), float(both[2])))
    percent = _PERCENT.search(part)
    shrink = re.search(r"shrink|smaller|reduc", part)
    if percent:
        share = float(percent[1]) / 100
        if re.search(r"\bby\b", part):
            share = 1 - share if shrink else 1 + share if re.search("larg|bigg", part) else share
        return Step("resize", share)
    number = re.search(r"(\d+)\s*(?:px|pixels?)?(?:\s+(wide|high|tall|in width|in height))?", part)
    if number and not re.search(r"\d+ times|\btimes\b", part):
        tall = (number[2] or "") in ("high", "tall", "in height") or "height" in part
        pixels = float(number[1])
        return Step("resize", size=(0.0, pixels) if tall else (pixels, 0.0))
    if number:
        return Step("resize", float(number[1]))
    if re.search(r"double|twice|two times", part):
        return Step("resize", 2.0)
    if shrink or re.search(r"hal[fv]", part):
        return Step("resize", 0.5)
    return Step("resize", 2.0)
