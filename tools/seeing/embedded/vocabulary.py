"""Everyday words for objects: plurals, synonyms, and groups of the classes that detectors know."""

from __future__ import annotations

IRREGULAR_PLURALS = {
    "people": "person",
    "persons": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "kids": "kid",
    "mice": "mouse",
    "geese": "goose",
    "oxen": "ox",
    "calves": "calf",
    "knives": "knife",
    "leaves": "leaf",
    "wolves": "wolf",
    "loaves": "loaf",
    "shelves": "shelf",
    "teeth": "tooth",
    "feet": "foot",
    "ladies": "lady",
    "policemen": "policeman",
    "buses": "bus",
    "ties": "tie",
    "movies": "movie",
    "cookies": "cookie",
    "zombies": "zombie",
}

#: Words that end in s and are no plurals, or are the same in both.
UNCHANGED = frozenset(
    [
        "bus",
        "skis",
        "scissors",
        "sheep",
        "deer",
        "fish",
        "glass",
        "grass",
        "glasses",
        "lens",
        "series",
        "species",
        "canvas",
        "cactus",
        "class",
        "dress",
        "boss",
        "octopus",
        "gas",
        "chess",
        "compass",
        "tennis",
        "sunglasses",
        "pants",
        "trousers",
        "shorts",
        "jeans",
    ]
)

#: What people say, and the class name that detectors use for it.
SYNONYMS = {
    "person": [
        "man",
        "woman",
        "child",
        "kid",
        "boy",
        "girl",
        "guy",
        "lady",
        "human",
        "someone",
        "somebody",
        "baby",
        "toddler",
        "adult",
        "player",
        "surfer",
        "skier",
        "skateboarder",
        "rider",
        "pedestrian",
        "driver",
        "cyclist",
        "policeman",
        "gentleman",
        "father",
        "mother",
        "dad",
        "mom",
        "mum",
        "son",
        "daughter",
        "bride",
        "groom",
        "bystander",
        "figure",
        "athlete",
        "catcher",
        "batter",
        "pitcher",
        "umpire",
        "waiter",
        "farmer",
        "worker",
        "passenger",
    ],
    "dog": [
        "puppy",
        "pup",
        "doggy",
        "hound",
        "pooch",
        "mutt",
        "basset",
        "terrier",
        "retriever",
        "poodle",
        "beagle",
    ]
    + ["basset hound", "golden retriever"],
    "cat": ["kitten", "kitty", "tabby", "tomcat"],
    "horse": ["pony", "foal", "mare", "stallion"],
    "cow": ["bull", "calf", "cattle", "ox"],
    "sheep": ["lamb", "ram", "ewe"],
    "bird": [
        "pigeon",
        "seagull",
        "gull",
        "sparrow",
        "duck",
        "goose",
        "chicken",
        "parrot",
        "crow",
        "swan",
        "eagle",
    ],
    "bicycle": ["bike", "cycle", "pushbike"],
    "motorcycle": ["motorbike", "scooter", "moped"],
    "car": ["automobile", "taxi", "cab", "sedan", "police car", "suv", "vehicle"],
    "truck": ["lorry", "pickup", "van"],
    "bus": ["coach", "double decker", "minibus"],
    "airplane": ["plane", "aeroplane", "aircraft", "jet", "biplane"],
    "boat": ["ship", "canoe", "kayak", "yacht", "sailboat"],
    "train": ["locomotive", "tram", "railcar"],
    "fire hydrant": ["hydrant", "fireplug"],
    "stop sign": ["sign", "road sign", "traffic sign"],
    "traffic light": ["stoplight", "traffic signal"],
    "couch": ["sofa", "settee"],
    "dining table": ["table", "desk"],
    "potted plant": ["plant", "houseplant", "pot plant", "flowerpot"],
    "tv": ["television", "monitor", "screen", "telly"],
    "laptop": ["notebook computer", "computer", "macbook"],
    "cell phone": ["phone", "mobile", "mobile phone", "smartphone", "telephone", "iphone"],
    "refrigerator": ["fridge"],
    "wine glass": ["glass", "goblet"],
    "cup": ["mug"],
    "sports ball": ["ball", "football", "basketball", "tennis ball", "soccer ball"],
    "tennis racket": ["racket", "racquet"],
    "baseball bat": ["bat"],
    "baseball glove": ["glove", "mitt"],
    "remote": ["remote control"],
    "donut": ["doughnut"],
    "hot dog": ["hotdog", "sausage"],
    "teddy bear": ["teddy", "stuffed bear", "stuffed animal"],
    "hair drier": ["hair dryer", "hairdryer"],
    "handbag": ["bag", "purse"],
    "suitcase": ["luggage", "bag"],
    "backpack": ["rucksack", "bag"],
    "umbrella": ["parasol"],
    "surfboard": ["board"],
    "skateboard": ["board"],
    "snowboard": ["board"],
    "tie": ["necktie"],
    "oven": ["stove", "cooker"],
    "clock": ["watch"],
    "potato": ["spud"],
}

#: COCO's class names, in the order of their numbers.
COCO_CLASSES = [
    "person",
    "bicycle",
    "car",
    "motorcycle",
    "airplane",
    "bus",
    "train",
    "truck",
    "boat",
    "traffic light",
    "fire hydrant",
    "stop sign",
    "parking meter",
    "bench",
    "bird",
    "cat",
    "dog",
    "horse",
    "sheep",
    "cow",
    "elephant",
    "bear",
    "zebra",
    "giraffe",
    "backpack",
    "umbrella",
    "handbag",
    "tie",
    "suitcase",
    "frisbee",
    "skis",
    "snowboard",
    "sports ball",
    "kite",
    "baseball bat",
    "baseball glove",
    "skateboard",
    "surfboard",
    "tennis racket",
    "bottle",
    "wine glass",
    "cup",
    "fork",
    "knife",
    "spoon",
    "bowl",
    "banana",
    "apple",
    "sandwich",
    "orange",
    "broccoli",
    "carrot",
    "hot dog",
    "pizza",
    "donut",
    "cake",
    "chair",
    "couch",
    "potted plant",
    "bed",
    "dining table",
    "toilet",
    "tv",
    "laptop",
    "mouse",
    "remote",
    "keyboard",
    "cell phone",
    "microwave",
    "oven",
    "toaster",
    "sink",
    "refrigerator",
    "book",
    "clock",
    "vase",
    "scissors",
    "teddy bear",
    "hair drier",
    "toothbrush",
]

_ANIMALS = "bird cat dog horse sheep cow elephant bear zebra giraffe butterfly fish monkey lion"
_VEHICLES = "bicycle car motorcycle airplane bus train truck boat"
_FRUIT = "banana apple orange"
_FOOD = "sandwich broccoli carrot donut cake pizza"

#: Words for a whole group, and the classes in it.
GROUPS = {
    "animal": frozenset(_ANIMALS.split()),
    "pet": frozenset({"dog", "cat", "bird"}),
    "creature": frozenset(_ANIMALS.split()),
    "wildlife": frozenset({"elephant", "bear", "zebra", "giraffe", "bird"}),
    "vehicle": frozenset(_VEHICLES.split()),
    "fruit": frozenset(_FRUIT.split()),
    "food": frozenset([*_FRUIT.split(), *_FOOD.split(), "hot dog"]),
    "furniture": frozenset({"chair", "couch", "bed", "dining table", "bench"}),
    "seat": frozenset({"chair", "couch", "bench"}),
    "cutlery": frozenset({"fork", "knife", "spoon"}),
    "dish": frozenset({"bowl", "cup", "wine glass"}),
    "device": frozenset({"tv", "laptop", "mouse", "remote", "keyboard", "cell phone"}),
    "electronics": frozenset({"tv", "laptop", "mouse", "remote", "keyboard", "cell phone"}),
    "appliance": frozenset({"microwave", "oven", "toaster", "refrigerator", "sink"}),
    "luggage": frozenset({"backpack", "handbag", "suitcase"}),
    "bag": frozenset({"backpack", "handbag", "suitcase"}),
}

#: Nouns that stand for any object.
ANYTHING = frozenset(
    [
        "object",
        "thing",
        "item",
        "one",
        "ones",
        "box",
        "region",
        "mask",
        "area",
        "instance",
        "detection",
        "everything",
        "anything",
        "all",
        "element",
        "subject",
        "part",
        "category",
        "label",
        "class",
        "result",
    ]
)

_CLASS_OF: dict[str, frozenset[str]] = {}
for _name, _words in SYNONYMS.items():
    for _word in _words:
        _CLASS_OF[_word] = _CLASS_OF.get(_word, frozenset()) | {_name}


def singular(word: str) -> str:
    """The singular of an English noun; other words come back as they are."""
    if word in IRREGULAR_PLURALS:
        return IRREGULAR_PLURALS[word]
    if word in UNCHANGED or len(word) < 4 or not word.endswith("s"):
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes", "oes")):
        return word[:-2]
    return word[:-1]


def is_plural(word: str) -> bool:
    """Whether the word is a plural noun, as far as its form tells."""
    return word in IRREGULAR_PLURALS or singular(word) != word


def is_known(noun: str) -> bool:
    """Whether the word lists know the noun, so that its meaning need not be guessed."""
    return noun in COCO_CLASSES or noun in GROUPS or noun in _CLASS_OF


def classes_of(noun: str) -> frozenset[str]:
    """The class names that a singular noun may mean, itself among them."""
    return frozenset({noun}) | _CLASS_OF.get(noun, frozenset()) | GROUPS.get(noun, frozenset())
