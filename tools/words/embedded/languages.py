"""Languages: their names and codes, and which of them a text is written in."""

from __future__ import annotations

import re
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
    """The code of the language that a text is probably written in, None where it has no letters."""
    text = text[:_READ_AT_MOST]
    if not any(letter.isalpha() for letter in text):
        return None
    import py3langid

    code = str(py3langid.classify(text)[0])
    return code if code in _by_code() else None


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
