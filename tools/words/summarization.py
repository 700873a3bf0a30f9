"""Tools that work on running text: summary, title, tags, sentiment."""

from __future__ import annotations

from controlllm.resources import Tags, Text, Title
from controlllm.toolbox import Context, tool
from controlllm.values import Length

from ..cloud.endpoint import needs_chat
from ..hub.catalogue_language_and_sound import READERS
from ..shared.sentences import split_sentences
from .embedded import language_requests
from .embedded.condensing import condensed
from .embedded.feelings import sentence_feelings, text_feeling
from .embedded.given_text import check_text
from .embedded.headline import headline
from .embedded.key_phrases import key_phrases
from .embedded.language_requests import LanguageModel
from .embedded.summary import topic, vectors_of
from .language_models import by_language_model

#: How many sentences a downloaded model judges one by one.
_MOST_JUDGED = 200


@tool(
    domain="natural-language-processing",
    examples=[
        "Summarize this text.",
        "Give me the gist of the article in a few sentences.",
        "What are the main points of the transcript?",
        "Make it shorter but keep what matters.",
        "Condense the report.",
        "I don't have time to read all of it, what does it say in brief?",
        "Summarise this recording.",
        "A short summary of what is said.",
    ],
    aliases=["text_summarization"],
)
def summarization(text: Text, length: Length = "", context: Context | None = None) -> Text:
    """Shorten a long text to its few most important sentences, in their own order.

    Args:
        text: the article, report or transcript to shorten
        length: how long it may become, in sentences or words; as the text needs where nothing is
            said
    """
    sentences = _sentences(text, "summarize")
    if len(sentences) <= 2 and not length:
        return " ".join(sentences)
    context = context or Context()
    return condensed(text, lambda part: context.progress(part, "reading the text"), length)


@by_language_model(summarization)
def _summary(text: str, model: LanguageModel, context: Context, length: str = "") -> str:
    sentences = _sentences(text, "summarize")
    if len(sentences) <= 2 and not length:
        return " ".join(sentences)
    return language_requests.summarised(text, model, context, length)


@tool(
    domain="natural-language-processing",
    examples=[
        "Make a title for this text.",
        "Suggest a headline for the article.",
        "What should I call this story?",
        "Give the paragraph a short heading.",
        "Write a catchy title for my post.",
        "Name the document by what it is about.",
        "Come up with a headline for the transcript.",
    ],
    aliases=["text_to_title"],
)
def title_generation(text: Text, context: Context | None = None) -> Title:
    """Write a short title, a headline of at most ten words, for a text.

    Args:
        text: the text that needs a title
    """
    sentences = _sentences(text, "find a title for")[:400]
    context = context or Context()
    vectors = vectors_of(sentences, lambda part: context.progress(part, "reading the text"))
    return headline(sentences, vectors)


@by_language_model(title_generation)
def _title(text: str, model: LanguageModel, context: Context) -> str:
    check_text(text, "find a title for")
    return language_requests.titled(text, model, context)


@tool(
    domain="natural-language-processing",
    examples=[
        "Find tags for this text.",
        "Which keywords describe the article?",
        "Extract the key phrases.",
        "Give me hashtags for this post.",
        "Label the document with its topics.",
        "What is it about, in a few keywords?",
        "List the most important terms of the paragraph.",
    ],
    aliases=["keyword_extraction"],
)
def text_to_tags(text: Text, context: Context | None = None) -> Tags:
    """List three to eight tags, the key words and phrases that say what a text is about.

    Args:
        text: the text to find tags for
    """
    sentences = _sentences(text, "find tags for")[:400]
    context = context or Context()
    vectors = vectors_of(sentences, lambda part: context.progress(part, "reading the text"))
    words = sum(len(sentence.split()) for sentence in sentences)
    most = min(max(3 + words // 40, 3), 8)
    phrases = key_phrases(" ".join(sentences), topic(sentences, vectors), most)
    return tuple(phrase.replace(",", "") for phrase in phrases)


@by_language_model(text_to_tags, runtimes=("hub",))
def _tags(text: str, model: LanguageModel, context: Context) -> tuple[str, ...]:
    check_text(text, "find tags for")
    return language_requests.tagged(text, model, context)


@text_to_tags.implementation("cloud", packages=("openai",), check=needs_chat, deterministic=False)
def _tags_by_endpoint(text: str, context: Context) -> tuple[str, ...]:
    from ..cloud import language

    check_text(text, "find tags for")
    return language.tags(text, context)


@tool(
    domain="natural-language-processing",
    examples=[
        "Is this review positive or negative?",
        "What is the mood of the text?",
        "Analyse the sentiment of this comment.",
        "Does the writer sound happy or angry?",
        "How do people feel about it in these messages?",
        "Tell me the tone of this e-mail.",
        "Rate how favourable the feedback is.",
    ],
    aliases=["text_sentiment_analysis"],
    packages=["vaderSentiment"],
)
def sentiment_analysis(text: Text) -> Text:
    """Say whether the feeling of a text is positive, negative, mixed or neutral, and how strongly.

    Args:
        text: the review, comment or message to judge
    """
    sentences = _sentences(text, "judge")
    each = sentence_feelings(sentences)
    score, mixed = text_feeling(each)
    return _judgement(score, mixed, sentences, [one.score for one in each])


@sentiment_analysis.implementation(
    "hub", packages=("torch", "transformers"), weights={"model": READERS}, memory="1 GiB"
)
def _feeling_by_downloaded_model(text: str, context: Context) -> str:
    from ..hub import reading_models

    sentences = _sentences(text, "judge")
    judged = sentences
    if len(sentences) > _MOST_JUDGED:
        step = len(sentences) / _MOST_JUDGED
        judged = [sentences[int(place * step)] for place in range(_MOST_JUDGED)]
    whole = [" ".join(judged)] if 1 < len(judged) <= 4 else []
    feelings = reading_models.feelings_of(context.weights["model"], [*judged, *whole], context)
    each = [float(score) for score in feelings[: len(judged)]]
    felt = [score for score in each if abs(score) >= 0.1]
    score = float(feelings[-1]) if whole else sum(felt) / max(len(felt), 1)
    return _judgement(score, _is_mixed(score, each), judged, each)


@sentiment_analysis.implementation(
    "cloud", packages=("openai",), check=needs_chat, deterministic=False
)
def _feeling_by_endpoint(text: str, context: Context) -> str:
    from ..cloud import language

    sentences = _sentences(text, "judge")
    score, mixed, each = language.feeling(sentences, context)
    return _judgement(score, mixed, sentences, each)


def _is_mixed(score: float, each: list[float]) -> bool:
    return min(each) <= -0.3 and max(each) >= 0.3 and abs(score) < 0.35


def _judgement(score: float, mixed: bool, sentences: list[str], each: list[float]) -> str:
    """The answer: the feeling from -1 to 1, and the sentences in which it is strongest."""
    name = "mixed" if mixed else _feeling(score)
    answer = f"The feeling of this text is {name} ({score:+.2f} between -1 and +1)."
    if len(sentences) > 1 and name != "neutral":
        strongest = max(range(len(each)), key=lambda place: each[place])
        weakest = min(range(len(each)), key=lambda place: each[place])
        if name in ("mixed", "positive"):
            answer += f" Most positive: “{sentences[strongest]}”"
        if name in ("mixed", "negative"):
            answer += f" Most negative: “{sentences[weakest]}”"
    return answer


def _feeling(score: float) -> str:
    if abs(score) < 0.05:
        return "neutral"
    strength = "very " if abs(score) >= 0.75 else "slightly " if abs(score) < 0.3 else ""
    return f"{strength}{'positive' if score > 0 else 'negative'}"


def _sentences(text: str, work: str) -> list[str]:
    check_text(text, work)
    return split_sentences(text)
