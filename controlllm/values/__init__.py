"""Values that tools take as typed parameters: sizes, times, levels, colours, places and the like.

Each kind of value reads itself out of plain words, so that the planner fills a tool's parameters
without knowing the tool, and people may type the same words into a field.
"""

from controlllm.values.filling import as_said, values_and_rest, values_in
from controlllm.values.kinds import Choice, Flag, Kind, kind_of_hint
from controlllm.values.lengths import Length as Length
from controlllm.values.named import (
    Colour,
    Decibels,
    Degrees,
    FileSize,
    Hertz,
    Pages,
    Passage,
    Passages,
    Percent,
    Pixels,
    Place,
    Ratio,
    Seconds,
    Size,
    SomePages,
    ToldPages,
)
from controlllm.values.reading import pages_of, passage_within, ratio_of, size_in_pixels
