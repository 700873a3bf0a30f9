"""The tools of the two papers are all here, under their names or as aliases."""

from __future__ import annotations

from controlllm.resources import ResourceType
from controlllm.toolbox import RUNTIMES, Toolbox
from tests.every_case import every_case

TOOLBOX = Toolbox.load()

#: ControlLLM Table 11 and Sec. 10, with the tools that this project adds between them.
NAMES = """
question_answering image_question_answering video_question_answering
summarization title_generation text_to_tags text_to_text_generation sentiment_analysis
text_classification named_entity_recognition translation text_generation
object_detection image_captioning visual_grounding image_classification segment_anything
instance_segmentation segment_by_points segment_by_box segment_by_mask optical_character_recognition
text_to_image image_to_image line_text_to_image hed_text_to_image scribble_text_to_image
pose_text_to_image segmentation_text_to_image edge_text_to_image canny_text_to_image
depth_text_to_image normal_text_to_image
text_image_editing partial_image_editing image_inpainting image_cropping mask_image
highlight_object_on_image remove_background replace_background super_resolution style_transfer
image_crop_left image_crop_right image_crop_top image_crop_bottom color_pop background_blur emoji
tag
image_to_edge image_to_canny image_to_line image_to_hed image_to_scribble image_to_pose
image_to_depth image_to_normal
select_bbox select_mask select_category count_objects count_masks count_categories bbox_to_mask
mask_to_bbox
video_classification video_captioning dub_video video_to_webpage image_audio_to_video image_to_video
text_to_video video_to_audio video_cutting video_to_frames video_speed
speech_to_text audio_classification text_to_speech text_to_music audio_to_audio audio_mixing
audio_to_image
get_weather get_location get_time get_math_fact get_trivia_fact get_year_fact get_date_fact
search_movie love_calculator wikipedia_simple_search
""".split()

#: m&m's Table 1.
ALSO_CALLED = """
text_generation text_summarization text_classification question_answering
optical_character_recognition image_generation image_editing image_captioning image_classification
image_segmentation object_detection visual_question_answering automatic_speech_recognition
get_weather get_location get_math_fact get_trivia_fact get_year_fact get_date_fact search_movie
love_calculator wikipedia_simple_search
image_crop image_crop_top image_crop_bottom image_crop_left image_crop_right select_object count tag
color_pop emoji background_blur
""".split()


@every_case("name", NAMES)
def test_a_tool_is_here_and_can_be_done_on_some_runtime(name):
    assert TOOLBOX[name].name == name
    assert TOOLBOX.implementations[name]


def test_the_33_tools_are_found_by_their_other_names():
    assert len(set(ALSO_CALLED)) == 33
    assert [name for name in ALSO_CALLED if name not in TOOLBOX] == []


@every_case("tool", list(TOOLBOX))
def test_a_tool_says_what_the_planner_and_people_need(tool):
    assert len(tool.description) > 20 and tool.description.endswith(".")
    assert 6 <= len(tool.examples) <= 14
    assert len(set(tool.examples)) == len(tool.examples)
    for argument in (*tool.args, tool.returns):
        assert ResourceType(argument.type)
    for argument in tool.args:
        assert argument.description, argument.name


@every_case("tool", list(TOOLBOX))
def test_implementations_say_what_they_need(tool):
    for way in TOOLBOX.implementations[tool.name]:
        assert way.runtime in RUNTIMES
        assert bool(way.weights) == (way.runtime == "hub")
        if way.runtime == "cloud":
            assert way.check is not None
            assert way.reason_unavailable()
        if way.runtime == "embedded":
            assert not {"torch", "transformers", "diffusers"} & set(way.packages)
