"""PDFs with a password, without one again, and without what they say of who made them."""

from __future__ import annotations

import io

import pypdf
import pytest

from controlllm.resources import DocumentFile, Filed
from controlllm.toolbox import Context, ToolError
from tests.every_case import every_case
from tools.documents.pdf import document_information, text_to_pdf
from tools.documents.protecting import clear_pdf_properties, protect_pdf, unlock_pdf


@pytest.fixture(scope="module")
def letter(tmp_path_factory):
    folder = tmp_path_factory.mktemp("letter")
    made = text_to_pdf("Dear Anna,\n\nthis is the contract.")
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(made.content))
    writer.add_metadata({"/Author": "Karl Maier", "/Title": "Draft 3", "/Producer": "Writer 7"})
    writer.write(folder / "letter.pdf")
    return DocumentFile(folder / "letter.pdf")


@pytest.fixture
def locked(letter, tmp_path):
    path = tmp_path / "locked.pdf"
    path.write_bytes(protect_pdf(letter, "the password is Rose-17").content)
    return DocumentFile(path)


#: What is said, and the password that is meant.
SAID = [
    ("Put a password on this PDF: sesam42", "sesam42"),
    ("Protect the document with the password Rose-17", "Rose-17"),
    ("lock this pdf so nobody can open it without the code 8841", "8841"),
    ("Encrypt the PDF, password is hunter", "hunter"),
    ("It should only open with a password, take “green boat”.", "green boat"),
    ("Secure this PDF with sesame22 as the password.", "sesame22"),
    ("set the password to Winter", "Winter"),
    ("it must not open for anybody without the word Lindenhof", "Lindenhof"),
    ("lock it with the word Kastanie, the body stays open", "Kastanie"),
    ("the secret word is Amsel", "Amsel"),
    ("I want a password on it. Use bluebird.", "bluebird"),
    ("Save the payslip without its password (8841).", "8841"),
    ("Take the password off, it is tulip7", "tulip7"),
    ("I know the password, hunter2; make the PDF open without it.", "hunter2"),
    ("It wants a password every time. It's sesam42, please save it without.", "sesam42"),
    ("unlock it please (password: x9#b)", "x9#b"),
    ("numbered at the foot, with page numbers, with kirsche", "kirsche"),
    ("tulip7", "tulip7"),
    ("Put a password on “contract.pdf”: tulip7.", "tulip7"),
    ("protect the file called 'Lease' with the password Rose-17", "Rose-17"),
    ("Set the password „Müller 7“", "Müller 7"),
    ("the password is `green boat`", "green boat"),
    ("encrypt it with AES-256 using sesame22", "sesame22"),
]


@every_case("words, password", SAID)
def test_a_password_is_heard_put_on_and_taken_off(tmp_path, letter, words, password):
    context = Context()
    made = protect_pdf(letter, words, context=context)
    assert isinstance(made, Filed) and made.media_type == "application/pdf"
    found = pypdf.PdfReader(io.BytesIO(made.content))
    assert found.is_encrypted and not found.decrypt("") and found.decrypt(password)
    assert any(f"“{password}”" in remark for remark in context.remarks)
    (tmp_path / "made.pdf").write_bytes(made.content)
    opened = unlock_pdf(DocumentFile(tmp_path / "made.pdf"), words)
    again = pypdf.PdfReader(io.BytesIO(opened.content))
    assert not again.is_encrypted and "contract" in again.pages[0].extract_text()
    assert again.metadata.author == "Karl Maier"


def test_what_cannot_be_done_with_a_password_is_told(letter, locked):
    with pytest.raises(ToolError, match="not said which password"):
        protect_pdf(letter, "Put a password on it")
    with pytest.raises(ToolError, match="“rose” does not open this PDF"):
        unlock_pdf(locked, "the password is rose")
    with pytest.raises(ToolError, match="no password"):
        unlock_pdf(letter, "the password is rose")
    for tool, words in ((protect_pdf, ("the password is x1",)), (clear_pdf_properties, ())):
        with pytest.raises(ToolError, match="unlock it, the password is"):
            tool(locked, *words)


def test_who_made_a_document_is_taken_out(letter, tmp_path):
    assert "Made with: ControlLLM and Writer 7" in document_information(letter)
    context = Context()
    made = clear_pdf_properties(letter, context=context)
    found = pypdf.PdfReader(io.BytesIO(made.content))
    assert not found.metadata and found.xmp_metadata is None
    assert "contract" in found.pages[0].extract_text()
    assert b"Maier" not in made.content
    assert "Author: Karl Maier" in context.remarks[0]
    (tmp_path / "clear.pdf").write_bytes(made.content)
    with pytest.raises(ToolError, match="says nothing of who made it"):
        clear_pdf_properties(DocumentFile(tmp_path / "clear.pdf"))


def test_what_programs_note_elsewhere_is_taken_out(letter, tmp_path):
    writer = pypdf.PdfWriter(clone_from=letter.path)
    writer.metadata = None
    writer.write(tmp_path / "bare.pdf")
    picture, *notes = (pypdf.generic.StreamObject() for _ in range(3))
    for note, holder in zip(notes, (picture, writer.root_object), strict=True):
        note.set_data(b"<creator>Karl Maier</creator>")
        holder[pypdf.generic.NameObject("/Metadata")] = writer._add_object(note)
    writer.pages[0][pypdf.generic.NameObject("/Thumb")] = writer._add_object(picture)
    writer.write(tmp_path / "noted.pdf")
    assert b"Maier" in (tmp_path / "noted.pdf").read_bytes()
    context = Context()
    made = clear_pdf_properties(DocumentFile(tmp_path / "noted.pdf"), context=context)
    assert b"Maier" not in made.content and "notes of programs" in context.remarks[0]
    assert "contract" in pypdf.PdfReader(io.BytesIO(made.content)).pages[0].extract_text()

    writer = pypdf.PdfWriter(clone_from=tmp_path / "bare.pdf")
    writer.add_metadata({"/Company": "Maier Ltd"})
    writer.write(tmp_path / "firm.pdf")
    firm = DocumentFile(tmp_path / "firm.pdf")
    assert "Company: Maier Ltd" in document_information(firm)
    assert b"Maier" not in clear_pdf_properties(firm).content
