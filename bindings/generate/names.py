"""The classes of C# that calls belong to, and the names of their methods."""
from __future__ import annotations

import re

from .header import Call, Header
from .words import pascal

NAMES = {
    "throng_engine_handle": "HandleOf",
    "throng_engine_id": "IdOf",
    "throng_engine_size": "Count",
    "throng_frame_size": "Count",
    "throng_frame_count": "CountIn",
    "throng_frame_count_of": "CountIn",
    "throng_frame_count_shape": "CountIn",
    "throng_frame_any": "AnyIn",
    "throng_frame_any_of": "AnyIn",
    "throng_frame_any_shape": "AnyIn",
    "throng_frame_agent_box": "Box",
    "throng_frame_agent_boxes": "Boxes",
    "throng_frame_agent_label": "Label",
    "throng_frame_agent_labels": "Labels",
    "throng_frame_agent_height": "Height",
    "throng_frame_agent_heights": "Heights",
    "throng_frame_pair_changes": "Changes",
}
TOLD_BY_PARAMETERS = re.compile(r"_(by_ids|with_pairs|as_found|of|shape|into|both)(?=_|$)")
# Queries without an engine.
ARRAYS = "throng_arrays"


def owner_of(header: Header, call: Call) -> str:
    """What it is called for, by its name in C: throng_frame."""
    owners = [each for each in (*header.opaque, ARRAYS) if call.name.startswith(each + "_")]
    return max(owners, key=len, default="")


def name_of(header: Header, call: Call) -> str:
    """That in C without the words that tell apart what C# tells apart by parameters."""
    words = TOLD_BY_PARAMETERS.sub("", call.name.removeprefix(owner_of(header, call) + "_"))
    return NAMES.get(call.name) or pascal(re.sub(r"neighbours_(within|nearest|kept)", "neighbours", words))
