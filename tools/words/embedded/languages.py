"""Languages: their names and codes, and which of them a text is written in."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

#: The code of ISO 639-1 (639-2 where that has none), then the names that people call it by.
_NAMES = """
af Afrikaans; am Amharic; ar Arabic, العربية; ast Asturian; az Azerbaijani, Azeri; ba Bashkir
be Belarusian; bg Bulgarian; bn Bengali, Bangla; br Breton; bs Bosnian; ca Catalan, català
ceb Cebuano; cs Czech, čeština; cy Welsh, Cymraeg; da Danish, dansk; de German, Deutsch
el Greek, ελληνικά; en English; eo Esperanto; es Spanish, Castilian, español; et Estonian
eu Basque; fa Persian, Farsi; fi Finnish, suomi; fr French, français; fy Frisian; ga Irish, Gaeilge
gd Scottish Gaelic, Gaelic; gl Galician; gu Gujarati; ha Hausa; he Hebrew, עברית; hi Hindi, हिन्दी
hr Croatian, hrvatski; ht Haitian Creole, Haitian; hu Hungarian, magyar; hy Armenian
id Indonesian, bahasa Indonesia; ig Igbo; ilo Ilocano; is Icelandic; it Italian, italiano
ja Japanese, 日本語; jv Javanese; ka Georgian; kk Kazakh; km Khmer, Cambodian; kn Kannada
ko Korean, 한국어; ku Kurdish; ky Kyrgyz; la Latin; lb Luxembourgish; lg Luganda, Ganda; ln Lingala
lo Lao, Laotian; lt Lithuanian; lv Latvian; mg Malagasy; mi Maori; mk Macedonian; ml Malayalam
mn Mongolian; mr Marathi; ms Malay; mt Maltese; my Burmese; ne Nepali
nl Dutch, Flemish, Nederlands; no Norwegian, norsk, Bokmål; oc Occitan; or Odia, Oriya
pa Punjabi, Panjabi; pl Polish, polski; ps Pashto; pt Portuguese, português; ro Romanian, română
ru Russian, русский; sd Sindhi; si Sinhala, Sinhalese; sk Slovak; sl Slovenian, Slovene; so Somali
sq Albanian; sr Serbian; su Sundanese; sv Swedish, svenska; sw Swahili; ta Tamil; te Telugu
tg Tajik; th Thai; tl Tagalog, Filipino; tn Tswana; tr Turkish, Türkçe; tt Tatar
uk Ukrainian, українська; ur Urdu; uz Uzbek; vi Vietnamese, tiếng Việt; wo Wolof; xh Xhosa
yi Yiddish; yo Yoruba; zh Chinese, Mandarin, 中文; zu Zulu
"""
#: Words that stand in almost every text of a language and in few of another; a line that begins
#: with a space goes on.
_SMALL_WORDS = """
en the and of to is are was were with that this it for not you have on at be his her they
  from how hello what
de der die das und ist nicht ein eine ich sie mit auf für den dem zu von wir es auch war sind im
  wie es geht dir heute guten danke
fr le la les des et est une dans pour je vous il elle que qui pas sur avec au du nous ce sont
  vous comment bonjour merci
es el los las que es una por con para del se no lo su como más pero está muy y en al
  está cómo usted gracias buenos buenas
it il che di non per sono gli una della con è del anche più questo ha si nel alla ma lo
pt o os uma não em que para com do da são é mais as dos na se por foi muito você
nl het een en van niet de ik is dat op te zijn met voor aan ook naar maar er wij bij
sv och att det som är på jag inte en för med av till har den ett om men vi från
da og at det som er på jeg ikke en for med af til har den et om men vi fra være
no og at det som er på jeg ikke en for med av til har den et om men vi fra være
fi ja on ei se että en hän mutta ovat oli joka kun niin myös tämä mitä ole sen
pl i w nie na się że z do jest to jak ale po co są przez od dla czy
cs a se v na je že to s z do o ale jsem jsou není jako by pro který tak
sk a sa v na je že to s z do o ale som sú nie ako by pre ktorý tak
hu a az és hogy nem is egy van meg de ez volt csak már mint még el ha vagy
ro și de la în nu o un este cu care pe pentru din mai sunt că au fost ce se
tr ve bir bu için da de ile çok ne var daha gibi ben ama olarak o değil mi sonra
id yang dan di ini itu untuk dengan tidak dari pada adalah saya dalam akan ke juga ada
vi và của là không có được cho một này người với trong những các đã tôi khi để
hr i u je se na da za su od ne s koji kao ali bio što sam nije
ca i el la els les de que és una amb per no del més com però dels va són
tl ang ng sa na mga ay at ko ka hindi ito siya ako para niya
sw na ya wa kwa ni katika la za kuwa hii yake hiyo lakini watu
et ja on ei et see oli ta kui ma ka siis mis aga seda oma
lt ir yra kad ne su iš į tai bet kaip buvo apie jis
lv un ir ka no uz ar bet tas par kas nav bija
sq dhe të në një që për me është nga më ka
af die en is nie het van 'n in dat vir sy ek met
"""
#: Letters that one language of an alphabet has and its neighbours have not.
_TELLING_LETTERS = {
    "de": "ß",
    "fr": "çèêàùœ",
    "es": "ñ¿¡",
    "pt": "ãõ",
    "pl": "ąęłśżźń",
    "cs": "řěů",
    "sk": "ľĺŕ",
    "hu": "őű",
    "ro": "șțăţş",
    "tr": "ğış",
    "vi": "đơưạảấầẩẫậắằẳẵặẹẻẽếềểễệịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    "da": "æø",
    "no": "æø",
    "lt": "ųėįž",
    "lv": "āēīņļķ",
    "et": "õ",
}
_SCRIPTS = {
    "HANGUL": "ko",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "CJK": "zh",
    "GREEK": "el",
    "HEBREW": "he",
    "THAI": "th",
    "ARMENIAN": "hy",
    "GEORGIAN": "ka",
    "KHMER": "km",
    "LAO": "lo",
    "MYANMAR": "my",
    "BENGALI": "bn",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "TAMIL": "ta",
    "TELUGU": "te",
    "KANNADA": "kn",
    "MALAYALAM": "ml",
    "SINHALA": "si",
    "ORIYA": "or",
    "ETHIOPIC": "am",
    "DEVANAGARI": "hi",
    "CYRILLIC": "ru",
    "ARABIC": "ar",
}
_CYRILLIC = (("ў", "be"), ("іїєґ", "uk"), ("ђћљњџј", "sr"), ("ѓќѕ", "mk"), ("ыэё", "ru"))
_ARABIC = (("ٹڈںےھ", "ur"), ("پچژگ", "fa"))
_READ_AT_MOST = 4_000


def code_of(words: str) -> str | None:
    """The code of the language that some words name ("into French, please"), None where they name
    none that is known."""
    plain = " ".join(words.casefold().split())
    if re.fullmatch(r"[a-z]{2,3}(?:[-_][a-z]{2,4})?", plain):
        code = re.split(r"[-_]", plain)[0]
        code = {"nb": "no", "nn": "no", "iw": "he", "fil": "tl"}.get(code, code)
        if code in _by_code():
            return code
    found = [
        (bool(re.search(r"\bfrom\s$", plain[: match.start()])), match.start(), -len(name), code)
        for name, code in _by_name().items()
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", plain)
    ]
    return min(found)[3] if found else None


def name_of(code: str) -> str:
    """The English name of a language."""
    return _by_code()[code]


def language_of(text: str) -> str | None:
    """The code of the language that a text is probably written in, None where nothing tells."""
    text = text[:_READ_AT_MOST].lower()
    script = _script_of(text)
    if script is None or script == "LATIN":
        return _latin_language(text) if script else None
    if script == "CYRILLIC":
        told = [code for letters, code in _CYRILLIC if any(letter in text for letter in letters)]
        return told[0] if told else "bg" if "ъ" in text else "ru"
    if script == "ARABIC":
        told = [code for letters, code in _ARABIC if any(letter in text for letter in letters)]
        return told[0] if told else "ar"
    return _SCRIPTS[script]


def _script_of(text: str) -> str | None:
    counts: dict[str, int] = {}
    for letter in text:
        if letter.isalpha():
            script = unicodedata.name(letter, "").split(" ")[0].split("-")[0]
            counts[script] = counts.get(script, 0) + 1
    if not counts:
        return None
    # A Japanese text is full of Chinese letters, and no Chinese one has any Japanese letter.
    kana = counts.get("HIRAGANA", 0) + counts.get("KATAKANA", 0)
    if kana and kana >= counts.get("CJK", 0) / 20:
        counts["HIRAGANA"] = kana + counts.pop("CJK", 0)
    found = max(counts, key=lambda script: counts[script])
    return found if found in _SCRIPTS or found == "LATIN" else None


def _latin_language(text: str) -> str | None:
    words = re.findall(r"'?[^\W\d_]+", text)
    weights = _small_words()
    scores = dict.fromkeys(weights, 0.0)
    for code in weights:
        scores[code] = sum(weights[code].get(word, 0.0) for word in words)
        letters = _TELLING_LETTERS.get(code, "")
        scores[code] += 0.6 * sum(text.count(letter) for letter in letters)
    if not words or not any(scores.values()):
        return None
    # Danish and Norwegian share their small words; these are spelt apart.
    for word, code in (("af", "da"), ("hvad", "da"), ("av", "no"), ("hva", "no"), ("ikkje", "no")):
        scores[code] += words.count(word)
    return max(scores, key=lambda code: scores[code])


@lru_cache(maxsize=1)
def _by_code() -> dict[str, str]:
    found = {}
    for entry in re.split(r"[;\n]", _NAMES):
        if entry.strip():
            code, names = entry.strip().split(" ", 1)
            found[code] = names.split(",")[0].strip()
    return found


@lru_cache(maxsize=1)
def _by_name() -> dict[str, str]:
    found = {}
    for entry in re.split(r"[;\n]", _NAMES):
        if entry.strip():
            code, names = entry.strip().split(" ", 1)
            found.update({name.strip().casefold(): code for name in names.split(",")})
    return found


@lru_cache(maxsize=1)
def _small_words() -> dict[str, dict[str, float]]:
    """The small words of each language with what they weigh: less where several have them."""
    lines = [line.split() for line in _SMALL_WORDS.strip().replace("\n ", "").splitlines()]
    counts = Counter(word for _, *words in lines for word in set(words))
    return {code: {word: 1 / counts[word] for word in words} for code, *words in lines}
