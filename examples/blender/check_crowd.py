"""What has to hold of the add-on; run inside Blender.

    blender --background --factory-startup --python-exit-code 1 --python check_crowd.py -- FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import render  # noqa: E402
import throng_crowd  # noqa: E402

COUNT, EXTENT, FRAMES = 2000, 25.0, 60


def positions() -> Any:
    mesh = bpy.context.scene.throng_crowd.agents.data
    flat = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3)[:, :2]


def make() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    settings = scene.throng_crowd
    settings.count, settings.extent, settings.walls = COUNT, EXTENT, render.plaza(EXTENT)
    bpy.context.view_layer.update()
    bpy.ops.throng.create_crowd()


def free_room(places: Any, walls: Any) -> float:
    """How far the nearest wall is from any agent's centre."""
    gaps = np.maximum(0, np.maximum(walls[:, None, :2] - places, places - walls[:, None, 2:]))
    return float(np.hypot(gaps[..., 0], gaps[..., 1]).min())


def every_agent_is_an_instance_of_the_figure() -> None:
    make()
    graph = bpy.context.evaluated_depsgraph_get()
    figures = [instance.matrix_world.translation.to_2d() for instance in graph.object_instances
               if instance.is_instance and instance.parent.name == "Crowd"]
    assert len(figures) == COUNT, len(figures)
    assert np.abs(np.array(figures) - positions()).max() < 1e-4


def agents_walk_and_none_enters_a_wall() -> None:
    make()
    scene = bpy.context.scene
    crowd = throng_crowd.running[scene.name].crowd
    before = positions()
    for frame in range(2, FRAMES + 1):
        scene.frame_set(frame)
        now = positions()
        assert np.isfinite(now).all() and np.abs(now).max() <= EXTENT, frame
        assert free_room(now, crowd.walls) > crowd.radius, (frame, free_room(now, crowd.walls))
    ahead = ((positions() - before) * crowd.goal).sum(1)
    stayed = ahead[np.abs(ahead) < EXTENT]  # the others came round
    assert 0.5 < stayed.mean() / ((FRAMES - 1) / 24 * 1.4) < 1.2, stayed.mean()


def agents_keep_apart() -> None:
    """With the forces that agents feel from each other, fewer of them overlap."""
    make()
    scene = bpy.context.scene
    scene.frame_set(FRAMES)
    crowd = throng_crowd.running[scene.name].crowd
    crowd.engine.update(crowd.position, radius=crowd.radius)
    with_forces = crowd.engine.frame.count_pairs()
    chance = throng_crowd.Crowd(COUNT, EXTENT, 1.4, crowd.radius, crowd.walls, 1)
    chance.engine.update(chance.position, radius=chance.radius)
    assert with_forces < 0.5 * chance.engine.frame.count_pairs(), with_forces


def not_even_fast_agents_pass_through_walls() -> None:
    """The world is parted at its middle and at its edges."""
    across = np.array([[x - 0.1, -2 * EXTENT, x + 0.1, 2 * EXTENT] for x in (-EXTENT, 0, EXTENT)], np.float32)
    crowd = throng_crowd.Crowd(500, EXTENT, 60, 0.2, across, 3)
    sides = crowd.position[:, 0] > 0
    for _ in range(40):
        crowd.step(1 / 24)
        assert ((crowd.position[:, 0] > 0) == sides).all()


def an_agent_walks_around_a_pillar() -> None:
    crowd = throng_crowd.Crowd(1, EXTENT, 1.4, 0.2, np.array([[-1, -1, 1, 1]], np.float32), 1)
    crowd.position = crowd.goal * np.float32(-5)
    for _ in range(24 * 12):
        crowd.step(1 / 24)
    assert (crowd.position * crowd.goal).sum() > 3, crowd.position


def going_back_gives_the_same_frames_again() -> None:
    make()
    scene = bpy.context.scene
    scene.frame_set(20)
    first = positions()
    scene.frame_set(40)
    assert (positions() != first).any()
    scene.frame_set(20)
    assert (positions() == first).all()


def a_file_has_its_own_crowd(folder: Path) -> None:
    make()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "crowd.blend"))
    bpy.context.scene.frame_set(20)
    first = positions()
    make()
    bpy.context.scene.throng_crowd.seed = 2
    bpy.ops.throng.create_crowd()
    bpy.ops.wm.open_mainfile(filepath=str(folder / "crowd.blend"))
    bpy.context.scene.frame_set(20)
    assert (positions() == first).all()


def walls_without_room_are_refused() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    settings = bpy.context.scene.throng_crowd
    settings.count, settings.extent = 10, 5
    settings.walls = bpy.data.collections.new("Walls")
    bpy.context.scene.collection.children.link(settings.walls)
    render.box("Block", (-9, -9, 0), (9, 9, 1), settings.walls, render.material("Stone", (1, 1, 1)))
    bpy.context.view_layer.update()
    try:
        bpy.ops.throng.create_crowd()
    except RuntimeError as error:
        assert "no room" in str(error), error
    else:
        raise AssertionError("a crowd was made inside a wall")


def cycles_renders_the_crowd(folder: Path) -> None:
    make()
    render.light_and_camera(EXTENT)
    sys.argv = ["", "--", str(folder / "crowd.png"), "--width", "240", "--samples", "2"]
    render.render(render.arguments())
    picture = bpy.data.images.load(str(folder / "crowd.png"))
    red, _, blue, _ = np.array(picture.pixels[:]).reshape(-1, 4).T
    assert (red > 1.5 * blue).mean() > 0.01 and (blue > 1.5 * red).mean() > 0.01, "both streams are seen"


def main() -> None:
    throng_crowd.register()
    every_agent_is_an_instance_of_the_figure()
    agents_walk_and_none_enters_a_wall()
    agents_keep_apart()
    not_even_fast_agents_pass_through_walls()
    an_agent_walks_around_a_pillar()
    going_back_gives_the_same_frames_again()
    a_file_has_its_own_crowd(Path(sys.argv[-1]))
    walls_without_room_are_refused()
    cycles_renders_the_crowd(Path(sys.argv[-1]))
    throng_crowd.unregister()
    print("the add-on does what it says")


if __name__ == "__main__":
    main()
