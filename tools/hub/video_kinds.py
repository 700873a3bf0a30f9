"""What is done in a video: which of many activities its frames fit best."""

from __future__ import annotations

from pathlib import Path

import PIL.Image

from controlllm.resources import Clip, Label
from controlllm.toolbox import Context

from ..shared import video_files
from ..video.embedded import camera_motion
from .device import loaded, placement, pretrained

_LEAST = 0.05
_MOST = 5

#: What people commonly film, in everyday words.
ACTIVITIES = tuple(
    " ".join(activity.split())
    for activity in """
    walking, running, jogging, climbing stairs, hiking, rock climbing, crawling, jumping,
    riding a bicycle, riding a motorcycle, riding a horse, driving a car, riding a bus,
    travelling by train, flying in an airplane, sailing a boat, rowing a boat, paddling a canoe,
    surfing, swimming, diving, snorkelling, water skiing, fishing, skiing, snowboarding,
    ice skating, sledging, skateboarding, roller skating, playing football, playing basketball,
    playing volleyball, playing tennis, playing badminton, playing table tennis, playing baseball,
    playing cricket, playing golf, playing hockey, playing rugby, bowling, archery, boxing, fencing,
    wrestling, practising martial arts, doing gymnastics, lifting weights, doing push-ups,
    doing yoga, stretching, dancing, ballet dancing, dancing in a club, singing, playing the guitar,
    playing the piano, playing the violin, playing the drums, playing the flute,
    playing the trumpet, a band on a stage, an orchestra playing, giving a speech, talking to the
    camera, an interview, people talking to each other, a lesson in a classroom, a meeting in an
    office, reading a book, writing, drawing, painting a picture, typing on a computer, using a
    phone, playing a video game, watching television, playing cards, playing chess, cooking,
    baking, cutting vegetables, frying food, grilling meat, eating, eating ice cream, drinking,
    pouring a drink, washing dishes, cleaning a room, vacuuming, doing laundry, ironing, making a
    bed, sewing, knitting, gardening, mowing the lawn, watering plants, chopping wood, building
    something of wood, repairing a machine, repairing a car, painting a wall, welding, working on a
    building site, farming, milking a cow, shearing sheep, feeding animals, walking a dog, playing
    with a dog, playing with a cat, a cat resting, a dog running, birds flying, fish swimming, wild
    animals, insects, brushing teeth, washing hands, cutting hair, shaving, putting on make-up,
    getting dressed, trying on clothes, shopping, a market, opening presents, a birthday party, a
    wedding, a parade, fireworks, a crowd cheering, children playing, playing on a swing, a baby
    crawling, holding a baby, hugging, kissing, shaking hands, laughing, crying, clapping, waving,
    sleeping, a massage, a visit at the doctor, a scientific experiment, traffic in a street, a
    busy city, a quiet landscape, mountains, the sea and waves, a river or waterfall, a forest,
    rain, snowfall, a storm, clouds passing, a sunset, stars at night, fire burning, an explosion,
    a news broadcast, a cartoon, a computer animation, a screen recording, text on a screen, a
    magic trick, juggling, blowing bubbles, flying a kite, unpacking a product, folding paper,
    making pottery, taking a photograph
    """.split(",")
)


load_activities = pretrained("XCLIPModel", "AutoImageProcessor", "AutoTokenizer")


def classify(folder: Path, clip: Clip, context: Context) -> tuple[Label, ...]:
    """What is done in the video with probabilities, likeliest first, then how the camera moves."""
    import torch

    facts = video_files.read_facts(clip)
    context.progress(0.05, "Loading the model")
    images, words, model = loaded(load_activities, folder)
    count = int(model.config.vision_config.num_frames)
    frames: list[PIL.Image.Image] = []
    for _, frame in video_files.sample_frames(clip, count):
        context.progress(0.1 + 0.3 * len(frames) / count, "Looking at the frames")
        frames.append(frame)
    # A video with fewer pictures than the model takes is shown with some of them twice.
    shown = [frames[number * len(frames) // count] for number in range(count)]
    context.progress(0.4, "Comparing with what people film")
    where = placement()
    pixels = torch.as_tensor(images(images=shown, return_tensors="np")["pixel_values"])
    if pixels.ndim == 4:
        pixels = pixels[None]
    tokens = words(list(ACTIVITIES), padding=True, truncation=True, return_tensors="pt")
    with torch.inference_mode():
        seen = model(pixel_values=pixels.to(where.device, where.dtype), **tokens.to(where.device))
    likely = seen.logits_per_video[0].float().softmax(dim=0)
    best = likely.topk(_MOST)
    labels = [
        Label(ACTIVITIES[int(number)], round(float(share), 3))
        for share, number in zip(best.values, best.indices, strict=True)
    ]
    labels = [label for label in labels if label.score >= _LEAST] or labels[:1]
    motion = camera_motion.measure(clip, facts.seconds, context.part(0.7, 1.0))
    if motion is not None:
        labels.append(Label(motion.words, round(motion.share, 3)))
    return tuple(labels)
