"""Words of PDFs blacked out, looked at and searched for."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pypdf
import pypdfium2
import pytest

from controlllm.resources import DocumentFile
from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.every_case import every_case
from tools.documents.pdf import text_to_pdf
from tools.documents.redacting import black_out_in_pdf
from tools.words.embedded import private_words

REPORT = (
    "Contact: Helen Moore, garden@example.org, phone 0131 496 0999. Ask Mrs Moore.\n\n"
    "The pump cost 3,150.00 euros and stands in Elm Road."
)


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> DocumentFile:
    """One page with a contact behind one without."""
    writer = pypdf.PdfWriter()
    for text in ("Nothing here is a secret.", REPORT):
        writer.append(io.BytesIO(text_to_pdf(text).content))
    writer.add_metadata({"/Author": "Helen Moore"})
    path = tmp_path_factory.mktemp("pdf") / "report.pdf"
    writer.write(path)
    return DocumentFile(path)


def hidden(document: DocumentFile, request: str) -> tuple[bytes, Context]:
    kinds = {item.name: item.kind for item in black_out_in_pdf.tool.parameters if item.kind}
    context = Context()
    made = black_out_in_pdf(document, request, **values_in(request, kinds), context=context)
    return made.content, context


def test_what_is_under_the_bars_is_gone(report):
    content, context = hidden(
        report, "black out the name of the contact, her email and the phone number"
    )
    assert "4 places are blacked out on page 2" in context.remarks[0]
    for secret in (b"Moore", b"garden@", b"0999"):
        assert secret not in content
    first, second = (page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)
    assert first.strip() == "Nothing here is a secret." and not second.strip()
    # Bars are there, and the other words still are.
    drawn = np.asarray(pypdfium2.PdfDocument(content)[1].render(scale=2).to_pil().convert("L"))
    black = (drawn < 20).mean(axis=1)
    assert black.max() > 0.25 and (drawn < 100)[black < 0.02].any()


@every_case(
    ("request_", "told"),
    [
        ("redact Elm Road", "1 place is blacked out"),
        ("hide “the pump” please", "1 place is blacked out"),
        ("black out all prices", "3,150.00 euros"),
        ("anonymise it", "garden@example.org"),
    ],
)
def test_what_was_asked_for_is_hidden(report, request_, told):
    assert told in hidden(report, request_)[1].remarks[0]


@every_case(
    ("text", "secrets", "kept"),
    [
        ("Please pay to: sort code 00-11-22, account 12345678", ("00-11-22", "12345678"), "pay to"),
        ("Account No: 1234 5678 due 309.60", ("1234 5678",), "due 309.60"),
        ("Sort code Account no\n00-11-22 12345678\nTotal 9.50", ("00-11", "12345678"), "9.50"),
        ("Sort code\r\nAccount\r\n00-11-22\r\n12345678\r\nTotal 9.50", ("00-11", "5678"), "9.50"),
        ("Account holder Dobbs Ltd, 12345678, 3 May 2026", ("5678",), "Ltd, ■, 3 May 2026"),
        ("Bank account details follow on 14.11.2026: 4711", (), "on 14.11.2026"),
        ("Kontonummer: 532013000, BLZ 370 400 44", ("532013000", "370 400 44"), "BLZ"),
        ("IBAN DE89 3704 0044 0532 0130 00 BIC: COBADEFFXXX", ("3704", "COBADEFFXXX"), "IBAN"),
        ("IBAN / BIC: GB29NWBK60161331926819", ("NWBK",), "BIC"),
        ("Routing number 021000021, acct. #98-7654-3", ("021000021", "98-7654-3"), "Routing"),
        ("Card 4111 1111 1111 1111 paid 12.00 on 14/11/2026", ("4111",), "12.00 on 14/11/2026"),
        ("Ref 5500-0000-0000-0004, card ending 4417", ("5500-0000", "4417"), "Ref"),
        ("Visa **** **** **** 4417 total 99.00", ("4417",), "total 99.00"),
    ],
)
def test_numbers_of_accounts_are_covered_whatever_their_form(text, secrets, kept):
    found, missing = private_words.wanted("black out the bank details", ["ibans"], text)
    left = text
    for said in found:
        left = left.replace(said, "■")
    assert (
        bool(missing) is not bool(secrets)
        and kept in left
        and not any(secret in left for secret in secrets)
    ), left


def test_nothing_is_said_not_to_be_there(report, tmp_path):
    bill = "Tel. 01584 555 0177\n\nPay to: sort code 00-11-22, account 12345678\n\nTotal GBP 309.60"
    path = tmp_path / "bill.pdf"
    path.write_bytes(text_to_pdf(bill).content)
    request = "black out the plumbers bank details and telephone"
    told = hidden(DocumentFile(path), request)[1].remarks
    assert told[0].startswith("3 places are blacked out") and "00-11-22, 12345678" in told[0]
    told = hidden(report, request)[1].remarks
    assert told[1].startswith("I found no account or card number. Please look over the rest")


@pytest.mark.parametrize("request_", ["black out the IBAN", "hide “Falcon”", "black it out"])
def test_nothing_found_is_told_and_nothing_handed_over(report, request_):
    with pytest.raises(ToolError, match=r"nothing was blacked out|not in this PDF"):
        hidden(report, request_)


@pytest.mark.long
def test_a_scan_is_read_by_sight(tmp_path):
    page = PIL.Image.new("RGB", (900, 300), "white")
    font = PIL.ImageFont.load_default(40)
    PIL.ImageDraw.Draw(page).text((40, 120), "Mail: anna@example.org today", "black", font)
    page.save(tmp_path / "scan.pdf", resolution=100)
    content, context = hidden(DocumentFile(tmp_path / "scan.pdf"), "black out the e-mail address")
    shown = np.asarray(pypdfium2.PdfDocument(content)[0].render(scale=1).to_pil().convert("L"))
    assert (shown < 20).mean(axis=1).max() > 0.3 and context.remarks
