"""Words that requests begin and end with, whatever they ask for."""

from __future__ import annotations

import re

from controlllm.values.plain import UP_TO_TWELVE

#: Words that begin a question.
QUESTION_WORDS = frozenset(
    "what which who whom whose where when why how is are was were do does did can could will would "
    "should has have had".split()
)

#: Words that begin an order.
ORDER_WORDS = frozenset(
    "add answer apply blur build caption change check circle classify clip colour color combine "
    "compose compute convert copy count create crop cut delete describe detect determine display "
    "draw dub edit elaborate emphasise emphasize enhance erase estimate examine explain extract "
    "fetch fill find flip generate get give help highlight identify improve inpaint insert isolate "
    "join label let list listen locate look make mark mask measure merge mix mute name narrate "
    "outline paint paste pick play point predict produce provide put read recognise recognize "
    "recolour record redact remove render replace rotate save say scan search segment select "
    "separate show sketch sort speak spot state summarise summarize swap synthesise synthesize tag "
    "take tell trace transcribe transform translate trim turn upscale use verify write".split()
)

#: A greeting or thanks, which asks for nothing.
SMALL_TALK = re.compile(
    r"^\W*(?:(?:hello|hi|hey|hiya|good (?:morning|afternoon|evening|day)|greetings|thanks?"
    r"|thank you|thx|cheers|bye|goodbye|see you|how are you|who are you|what can you do|help|nice"
    r"|great|cool|ok|okay|there|controlllm|very much|so much|a lot)\b\W*)+$",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^(?:(?:please|pls|plz|kindly|now|ok|okay|hey|hi|hello|so|well|"
    rf"first(?!\s+(?:(?:\d\S*|{'|'.join(UP_TO_TWELVE)})\s+)?"
    r"(?:half|third|quarter|second|sec|minute|min|hour|frame|page|row|column|line)s?\b)|firstly|also|and|then"
    r"|just|finally|lastly|next)\b[,:]?\s*)+",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^(?:can|could|would|will)\s+you\s+(?:please\s+|kindly\s+|also\s+|then\s+)*"
    r"|^(?:i|we)\s*(?:'d|\s+would)\s+(?:like|love)\s+(?:you\s+)?to\s+"
    r"|^(?:i|we)\s+(?:want|need)\s+(?:you\s+)?to\s+"
    r"|^(?:would|do)\s+you\s+mind\s+",
    re.IGNORECASE,
)


def bare(text: str) -> str:
    """A clause without the polite words around what it asks for."""
    previous = None
    while previous != text:
        previous = text
        text = _POLITE.sub("", text.strip())
        text = _ASKING.sub("", text)
    return re.sub(r"[\s,]*\b(?:please|pls|thanks|thank you)[.!?]*$", "", text, flags=re.I).strip()
