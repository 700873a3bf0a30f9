"""Documents as programs write them, and as those write them who mean harm."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
    'content-types"><Default Extension="xml" ContentType="application/xml"/><Override '
    'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
    'relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/'
    '2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
)


def pdf(path: Path, pages: Sequence[str], encrypted: bool = False) -> Path:
    """A PDF with a heading and a coloured square on each page, its words in Helvetica."""
    bodies: list[bytes] = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b""]
    bodies[2] = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    kids = []
    for number, words in enumerate(pages):
        lines = "".join(f"({line}) Tj 0 -20 Td " for line in words.split("\n"))
        colour = "1 0 0" if number % 2 == 0 else "0 0 1"
        drawn = f"{colour} rg 50 50 100 100 re f 0 g BT /F 14 Tf 50 700 Td {lines}ET".encode()
        bodies.append(b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn))
        kids.append(len(bodies) + 1)
        bodies.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R"
            b"/Resources<</Font<</F 3 0 R>>>>>>" % (kids[-1] - 1)
        )
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    bodies[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), listed)
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    lock = b"/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>>>/ID[<00><00>]" % (
        b"11" * 32, b"22" * 32,
    )  # fmt: skip
    out += b"trailer<</Size %d/Root 1 0 R%s>>\n" % (len(bodies) + 1, lock if encrypted else b"")
    path.write_bytes(out + b"startxref\n%d\n%%%%EOF" % start)
    return path


def word(path: Path, body: str, head: str = "", more: Mapping[str, bytes] | None = None) -> Path:
    """A Word document of this body; `head` stands before its root element."""
    content = f'<?xml version="1.0"?>{head}<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body>'
    return archive(
        path,
        {
            "[Content_Types].xml": _TYPES.encode(),
            "_rels/.rels": _RELATIONS.encode(),
            "word/document.xml": f"{content}</w:document>".encode(),
            **(more or {}),
        },
    )


def paragraph(words: str, style: str = "") -> str:
    """A paragraph of a Word document."""
    kind = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{kind}<w:r><w:t>{words}</w:t></w:r></w:p>"


def book(path: Path, chapters: Sequence[str], head: str = "", more: str = "") -> Path:
    """An e-book (EPUB) with these chapters, HTML; `head` stands before the list of them, `more`
    in it."""
    items = "".join(f'<item id="c{n}" href="c{n}.xhtml"/>' for n in range(len(chapters)))
    order = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    return archive(
        path,
        {
            "mimetype": b"application/epub+zip",
            "META-INF/container.xml": b'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:'
            b'container"><rootfiles><rootfile full-path="in/book.opf"/></rootfiles></container>',
            "in/book.opf": f'<?xml version="1.0"?>{head}<package xmlns="http://www.idpf.org/2007/'
            f'opf">{more}<manifest>{items}</manifest><spine>{order}</spine></package>'.encode(),
            **{f"in/c{n}.xhtml": chapter.encode() for n, chapter in enumerate(chapters)},
        },
    )


def archive(path: Path, members: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def raw_photo(path: Path) -> Path:
    """A DNG as a camera writes it: 16-bit levels under a filter of red, green and blue."""
    import tifffile

    levels = np.full((128, 192), 2000, np.uint16)
    levels[0::2, 0::2] = 30000  # the red ones

    def numbers(*given: int) -> tuple[int, ...]:
        return tuple(part for number in given for part in (number, 10000))

    matrix = (numbers(10000, 0, 0, 0, 10000, 0, 0, 0, 10000),)
    tags = [
        (50706, "B", 4, (1, 4, 0, 0), False),  # DNGVersion
        (50708, "s", 0, "Test camera", False),
        (33421, "H", 2, (2, 2), False),  # the filter's size
        (33422, "B", 4, (0, 1, 1, 2), False),  # red, green, green, blue
        (50714, "H", 1, 0, False),
        (50717, "H", 1, 65535, False),
        (50721, "2i", 9, matrix[0], False),
        (50728, "2I", 3, numbers(10000, 10000, 10000), False),
        (50778, "H", 1, 21, False),
    ]
    tifffile.imwrite(path, levels, photometric=32803, extratags=tags, metadata=None)
    return path
