"""The 1000 classes of ImageNet: their names, and the everyday object that each one is."""

from __future__ import annotations

from functools import cache

from controlllm.models import Model, ModelFile

NAMES = ModelFile(
    "imagenet-classes.txt",
    "354d7f9b94bc2a0e8b2a49df69cb8d8386fd7951ae7843bda68f4b10a33502f7",
    Model(
        "Names of classes",
        "what EfficientNet's 1000 classes are called",
        "Apache-2.0",
        "PyPI `gradio`, made plainer here",
        page="efficientnet-lite2.md",
    ),
)

#: Everyday names for runs of class numbers, both ends included.
_RUNS = {
    "fish": "0-6 389-397",
    "bird": "7-24 80-100 127-146",
    "salamander": "25-29",
    "frog": "30-32",
    "turtle": "33-37",
    "lizard": "38-48",
    "crocodile": "49-50",
    "snake": "52-68",
    "spider": "70-70 72-77",
    "jellyfish": "107-107",
    "snail": "113-114",
    "crab": "118-121 125-125",
    "lobster": "122-124",
    "whale": "147-148",
    "sea lion": "150-150",
    "dog": "151-268",
    "wolf": "269-271",
    "wild dog": "272-275",
    "fox": "277-280",
    "cat": "281-285",
    "leopard": "286-290",
    "cheetah": "293-293",
    "lion": "291-291",
    "tiger": "292-292",
    "bear": "294-297",
    "insect": "300-307 310-320",
    "fly": "308-308",
    "bee": "309-309",
    "butterfly": "321-326",
    "starfish": "327-327",
    "rabbit": "330-332",
    "hamster": "333-333",
    "squirrel": "335-335",
    "horse": "339-339",
    "zebra": "340-340",
    "pig": "341-343",
    "hippopotamus": "344-344",
    "cow": "345-347",
    "sheep": "348-350",
    "antelope": "351-353",
    "camel": "354-354",
    "llama": "355-355",
    "monkey": "365-382",
    "elephant": "101-101 385-386",
    "panda": "387-388",
    "airplane": "404-404 895-895 908-908",
    "car": "407-407 436-436 468-468 511-511 609-609 627-627 656-656 661-661 734-734 751-751"
    " 817-817",
    "backpack": "414-414",
    "balloon": "417-417",
    "bicycle": "444-444 671-671 870-870 880-880",
    "bottle": "440-440 720-720 737-737 898-898 907-907",
    "boat": "403-403 472-472 484-484 510-510 554-554 576-576 625-625 628-628 724-724 780-780"
    " 814-814 833-833 871-871 914-914",
    "clock": "409-409 530-530 892-892",
    "train": "466-466 547-547 565-565 705-705 820-820",
    "tram": "829-829",
    "truck": "555-555 569-569 675-675 717-717 864-864 867-867",
    "bus": "654-654 779-779 874-874",
    "motorcycle": "665-665 670-670",
    "cup": "504-504 967-968",
    "cell phone": "487-487",
    "keyboard": "508-508 878-878",
    "dining table": "532-532",
    "guitar": "402-402 546-546",
    "piano": "579-579 881-881",
    "basket": "588-588 790-790",
    "hair drier": "589-589",
    "laptop": "620-620 681-681",
    "lamp": "619-619 846-846",
    "mailbox": "637-637",
    "microwave": "651-651",
    "tv": "664-664 782-782 851-851",
    "mouse": "673-673",
    "tent": "672-672",
    "bench": "703-703",
    "parking meter": "704-704",
    "handbag": "748-748",
    "refrigerator": "760-760",
    "remote": "761-761",
    "chair": "423-423 559-559 765-765",
    "couch": "831-831",
    "sports ball": "429-430 522-522 574-574 722-722 768-768 805-805 852-852 890-890",
    "tennis racket": "752-752",
    "teapot": "849-849",
    "teddy bear": "850-850",
    "toaster": "859-859",
    "umbrella": "879-879",
    "vase": "883-883",
    "sink": "896-896",
    "traffic light": "920-920",
    "sign": "919-919",
    "wine glass": "572-572",
    "hot dog": "934-934",
    "broccoli": "937-937",
    "mushroom": "947-947 991-997",
    "apple": "948-948",
    "strawberry": "949-949",
    "orange": "950-950",
    "lemon": "951-951",
    "pineapple": "953-953",
    "banana": "954-954",
    "pizza": "963-963",
    "flower": "985-986",
    "cucumber": "943-943",
    "pepper": "945-945",
    "cabbage": "936-936",
    "cauliflower": "938-938",
    "corn": "987-987",
    "ice cream": "928-929",
    "burger": "933-933",
}

_ANIMALS = """fish,bird,salamander,frog,turtle,lizard,crocodile,snake,spider,jellyfish,snail,crab,
lobster,whale,sea lion,dog,wild dog,wolf,fox,cat,leopard,cheetah,lion,tiger,bear,insect,fly,bee,
butterfly,starfish,rabbit,hamster,squirrel,horse,zebra,pig,hippopotamus,cow,sheep,antelope,camel,llama,
monkey,elephant,panda,giraffe"""

#: The everyday names that are animals.
ANIMALS = frozenset(_ANIMALS.replace("\n", "").split(","))

#: Classes that are kinds of scenery, not things with an outline.
SCENERY = frozenset({*range(970, 981), 424, 454, 467, 498, 509, 582, 598, 624, 634, 706, 762, 788})
SCENERY |= {727, 743, 819, 860, 865, 915, 916, 410, 415, 449, 500, 580, 663, 888, 984}


@cache
def class_names() -> tuple[str, ...]:
    """The names of the 1000 classes, in the order of their numbers."""
    return tuple(NAMES.path().read_text().split("\n")[:1000])


@cache
def members() -> dict[str, tuple[int, ...]]:
    """Everyday name to the numbers of the classes that are one."""
    found = {}
    for name, runs in _RUNS.items():
        ends = [tuple(map(int, run.split("-"))) for run in runs.split()]
        found[name] = tuple(number for low, high in ends for number in range(low, high + 1))
    return found


@cache
def everyday_names() -> tuple[str, ...]:
    """What a person would call each class at a glance: "dog" for every breed of dog."""
    names = [name.split(" (")[0] for name in class_names()]
    for everyday, numbers in members().items():
        for number in numbers:
            names[number] = everyday
    return tuple(names)


def numbers_of(noun: str) -> tuple[int, ...]:
    """The classes that a singular noun names: an everyday name, a class name or its last word."""
    noun = noun.lower()
    if noun in members():
        return members()[noun]
    plain = [name.lower().split(" (")[0] for name in class_names()]
    exact = tuple(number for number, name in enumerate(plain) if name == noun)
    return exact or tuple(n for n, name in enumerate(plain) if name.endswith(" " + noun))
