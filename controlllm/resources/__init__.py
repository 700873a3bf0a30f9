"""Resources: typed values in a session, their types, their Python values and their files."""

from controlllm.resources.encoding import as_image, as_text, decode, encode, union
from controlllm.resources.intake import BadInput, Ingested, Limits
from controlllm.resources.long_sounds import LongSound, gathered
from controlllm.resources.probing import details_of, ingest
from controlllm.resources.resource import EMPTY, GIVEN_AS, KILOBITS, REMARKS, Resource
from controlllm.resources.types import (
    FILE_TYPES,
    PARENTS,
    MembersOf,
    ResourceType,
    TypeLattice,
    guess_type,
    plain_name,
)
from controlllm.resources.values import (
    BLOCK,
    Archive,
    Audio,
    AudioFiles,
    Box,
    Boxes,
    Canny,
    Category,
    ClickedPoint,
    Clip,
    Depth,
    Document,
    DocumentFile,
    DocumentFiles,
    Edge,
    Filed,
    Files,
    Hed,
    Html,
    Image,
    ImageFiles,
    Label,
    Line,
    Mask,
    Member,
    Normal,
    Number,
    Points,
    Pose,
    Region,
    Scribble,
    Segmentation,
    Sound,
    Table,
    Tags,
    Text,
    Title,
    Video,
    VideoFiles,
    members_type_of,
    resource_type_of,
)
