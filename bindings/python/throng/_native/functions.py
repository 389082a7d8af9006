"""The calls of throng.h, one a line; tests/test_declarations.py compares them with the header.

A handle, and a pointer into an array, is a pointer. A call that returns a status has one more parameter, for
the details.
"""

from __future__ import annotations

import ctypes
from typing import Any

from .structs import OPTIONS, STRUCTS, TYPES, EngineConfig

_TEXT = """
uint32 version()
text status_text(int32)
uint64 status_describe(StatusDetails*, text, uint64)
int32 boxes_min_max(Boxes*, pointer, pointer, pointer, pointer, uint64, uint64)
int32 boxes_centre_half(Boxes*, pointer, pointer, pointer, pointer, uint64, uint64)
int32 boxes_points(Boxes*, pointer, pointer, float, uint64, uint64)
int32 boxes_of(Boxes*, pointer, uint64)
int32 boxes_circles(Boxes*, pointer, uint64)
int32 boxes_shapes(Boxes*, pointer, uint64)
status engine_create(EngineConfig*, pointer*)
void engine_destroy(pointer)
status engine_update(pointer, Boxes*, Labels*)
status engine_update_by_ids(pointer, pointer, uint64, Boxes*, Labels*)
status engine_update_with_pairs(pointer, Boxes*, Labels*, pointer)
status engine_update_by_ids_with_pairs(pointer, pointer, uint64, Boxes*, Labels*, pointer)
status engine_update_legal(pointer, Boxes*, Labels*, pointer, uint64, uint64*)
status engine_update_legal_by_ids(pointer, pointer, uint64, Boxes*, Labels*, pointer, uint64, uint64*)
status engine_insert(pointer, Boxes*, Labels*, pointer, uint64)
status engine_move(pointer, pointer, uint64, Boxes*)
status engine_relabel(pointer, pointer, uint64, Labels*)
status engine_remove(pointer, pointer, uint64)
status engine_commit(pointer)
status engine_discard(pointer)
uint64 engine_staged(pointer)
status engine_handle(pointer, uint32, Handle*)
status engine_insert_handle(pointer, Box*, Label*, Handle*)
status engine_move_handle(pointer, Handle*, Box*)
status engine_relabel_handle(pointer, Handle*, Label*)
status engine_remove_handle(pointer, Handle*)
int32 engine_is_current(pointer, Handle*)
status engine_rebase(pointer, float, float)
status engine_renumber(pointer, pointer, uint64)
status static_layer_create(pointer, Boxes*, Labels*, pointer*)
status static_layer_rebased(pointer, float, float, pointer*)
void static_layer_destroy(pointer)
status static_layer_frame(pointer, pointer*)
status engine_set_static_layer(pointer, pointer)
status engine_clear_static_layer(pointer)
status engine_reserve(pointer, uint64, uint64)
status engine_release_memory(pointer)
status engine_memory(pointer, MemoryReport*)
status engine_tuning(pointer, Tuning*)
uint64 build_describe(text, uint64)
status engine_validate(pointer, Validation*)
uint64 engine_size(pointer)
text engine_isa(pointer)
text tuning_text(int32)
text fault_text(int32)
status engine_frame(pointer, pointer*)
void frame_retain(pointer)
void frame_release(pointer)
uint64 frame_size(pointer)
uint64 frame_id_bound(pointer)
uint64 frame_number(pointer)
uint64 frame_fingerprint(pointer)
status frame_static_layer(pointer, pointer*)
status frame_serial(pointer, pointer*)
status frame_agent_box(pointer, uint32, Box*)
status frame_agent_label(pointer, uint32, Label*)
status frame_agent_boxes(pointer, pointer, uint64, pointer, uint64)
status frame_agent_labels(pointer, pointer, uint64, pointer, uint64)
status frame_agents(pointer, pointer, pointer, uint64)
status frame_row_order(pointer, pointer, uint64)
status hits_create(pointer, pointer*)
void hits_destroy(pointer)
pointer hits_offsets(pointer, uint64*)
pointer hits_ids(pointer, uint64*)
status pairs_create(pointer, pointer*)
void pairs_destroy(pointer)
pointer pairs_get(pointer, uint64*)
status pairs_sort(pointer)
status neighbours_create(pointer, pointer*)
void neighbours_destroy(pointer)
pointer neighbours_offsets(pointer, uint64*)
pointer neighbours_ids(pointer, uint64*)
pointer neighbours_squared_distances(pointer, uint64*)
pointer neighbours_agents(pointer, uint64*)
status cast_hits_create(pointer, pointer*)
void cast_hits_destroy(pointer)
pointer cast_hits_offsets(pointer, uint64*)
pointer cast_hits_get(pointer, uint64*)
status hits_as_found_create(pointer, pointer*)
void hits_as_found_destroy(pointer)
pointer hits_as_found_queries(pointer, uint64*)
pointer hits_as_found_offsets(pointer, uint64*)
pointer hits_as_found_ids(pointer, uint64*)
status pair_changes_create(pointer, pointer*)
void pair_changes_destroy(pointer)
void pair_changes_clear(pointer)
pointer pair_changes_began(pointer, uint64*)
pointer pair_changes_ended(pointer, uint64*)
pointer pair_changes_pairs(pointer, uint64*)
status kept_neighbours_create(pointer, KeptNeighbourhood*, pointer*)
void kept_neighbours_destroy(pointer)
void kept_neighbours_clear(pointer)
pointer kept_neighbours_offsets(pointer, uint64*)
pointer kept_neighbours_ids(pointer, uint64*)
uint64 kept_neighbours_times_rebuilt(pointer)
int32 kept_neighbours_was_rebuilt(pointer)
status hits_block(pointer, uint64, uint64)
status neighbours_block(pointer, uint64, uint64)
status cast_hits_block(pointer, uint64, uint64)
status frame_overlaps(pointer, Box*, Filter*, pointer, uint64, uint64*)
status frame_count(pointer, Box*, Filter*, uint64*)
status frame_any(pointer, Box*, Filter*, int32*)
status frame_overlaps_shape(pointer, Shape*, Filter*, pointer, uint64, uint64*)
status frame_count_shape(pointer, Shape*, Filter*, uint64*)
status frame_any_shape(pointer, Shape*, Filter*, int32*)
status frame_overlaps_of(pointer, Boxes*, Filter*, pointer)
status frame_count_of(pointer, Boxes*, Filter*, pointer, uint64)
status frame_any_of(pointer, Boxes*, Filter*, pointer, uint64)
status frame_overlaps_into(pointer, Boxes*, Filter*, pointer, uint64, pointer, uint64, uint64*)
status frame_overlaps_of_both(pointer, Boxes*, Filter*, pointer, pointer)
status frame_overlaps_as_found(pointer, Boxes*, Filter*, pointer)
status frame_overlaps_as_found_both(pointer, Boxes*, Filter*, pointer, pointer)
status frame_pairs(pointer, PairQuery*, pointer)
status frame_count_pairs(pointer, PairQuery*, uint64*)
status frame_pairs_into(pointer, PairQuery*, pointer, uint64, uint64*)
status frame_pairs_with(pointer, pointer, PairQuery*, pointer)
status frame_count_pairs_with(pointer, pointer, PairQuery*, uint64*)
status frame_pairs_with_into(pointer, pointer, PairQuery*, pointer, uint64, uint64*)
status frame_pair_changes(pointer, PairQuery*, pointer)
status frame_neighbours_within(pointer, Within*, Filter*, pointer)
status frame_neighbours_nearest(pointer, Nearest*, Filter*, pointer)
status frame_neighbours_within_of(pointer, Points*, Within*, Filter*, pointer)
status frame_neighbours_nearest_of(pointer, Points*, Nearest*, Filter*, pointer)
status frame_neighbours_within_in(pointer, pointer, Within*, Filter*, pointer)
status frame_neighbours_nearest_in(pointer, pointer, Nearest*, Filter*, pointer)
status frame_neighbours_within_both(pointer, Within*, Filter*, pointer, pointer)
status frame_neighbours_nearest_both(pointer, Nearest*, Filter*, pointer, pointer)
status frame_neighbours_within_of_both(pointer, Points*, Within*, Filter*, pointer, pointer)
status frame_neighbours_nearest_of_both(pointer, Points*, Nearest*, Filter*, pointer, pointer)
status frame_count_neighbours(pointer, Within*, Filter*, pointer, uint64)
status frame_count_neighbours_of(pointer, Points*, Within*, Filter*, pointer, uint64)
status frame_neighbours_kept(pointer, pointer)
status frame_neighbours_within_into(pointer, float, float, Within*, Filter*, pointer, uint64, uint64*)
status frame_neighbours_nearest_into(pointer, float, float, Nearest*, Filter*, pointer, uint64, uint64*)
status frame_nearest(pointer, float, float, Filter*, Neighbour*, int32*)
status frame_first_hit(pointer, Cast*, Filter*, CastHit*)
status frame_blocked(pointer, Cast*, Filter*, int32*)
status frame_all_hits(pointer, Cast*, Filter*, pointer, uint64, uint64*)
status frame_first_hits_of(pointer, pointer, uint64, Filter*, pointer, uint64)
status frame_blocked_of(pointer, pointer, uint64, Filter*, pointer, uint64)
status frame_all_hits_of(pointer, pointer, uint64, Filter*, pointer)
status frame_explain(pointer, Boxes*, Filter*, Explanation*)
status arrays_overlaps_of(Boxes*, Boxes*, EngineConfig*, pointer)
status arrays_count_of(Boxes*, Boxes*, EngineConfig*, pointer, uint64)
status arrays_any_of(Boxes*, Boxes*, EngineConfig*, pointer, uint64)
status arrays_neighbours_within_of(Boxes*, Points*, Within*, EngineConfig*, pointer)
status arrays_neighbours_nearest_of(Boxes*, Points*, Nearest*, EngineConfig*, pointer)
"""


def _type(name: str) -> Any:
    if name == "void":
        return None
    if not name.endswith("*"):
        return TYPES[name]
    base = name[:-1]
    return ctypes.POINTER(_structs[base] if base in _structs else TYPES[base])


def _function(line: str) -> tuple[str, tuple[Any, list[Any]]]:
    result, rest = line.split(" ", 1)
    name, parameters = rest[:-1].split("(")
    types = [_type(each.strip()) for each in parameters.split(",") if each]
    if result == "status":
        return "throng_" + name, (ctypes.c_int32, [*types, _type("StatusDetails*")])
    return "throng_" + name, (_type(result), types)


_structs = {struct.__name__: struct for struct in STRUCTS.values()}
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = dict(map(_function, _TEXT.split("\n")[1:-1]))


def init_of(name: str) -> str:
    """The call that fills in the defaults of a struct with options."""
    return name.replace("throng_", "throng_init_", 1)


for _name, _struct in OPTIONS.items():
    _version = [ctypes.c_uint32] if _struct is EngineConfig else []
    FUNCTIONS[init_of(_name)] = (ctypes.c_int32, [ctypes.POINTER(_struct), ctypes.c_uint32, *_version])
