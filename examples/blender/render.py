"""Renders a picture of a crowd between walls, without a window.

    blender --background --factory-startup --python-exit-code 1 --python render.py -- crowd.jpg
    blender ... render.py -- crowd.png --agents 2000 --extent 20 --frames 5 --width 320 --samples 4
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

sys.path.insert(0, str(Path(__file__).resolve().parent))
import throng_crowd  # noqa: E402  (an add-on is a file beside this one)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--agents", type=int, default=100_000)
    parser.add_argument("--extent", type=float, default=140)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--width", type=int, default=1200)
    parser.add_argument("--samples", type=int, default=64)
    own = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
    return parser.parse_args(own)


def material(name: str, colour: tuple[float, float, float]) -> bpy.types.Material:
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = 0.9
    return made


def box(name: str, low: tuple[float, float, float], high: tuple[float, float, float],
        collection: bpy.types.Collection, surface: bpy.types.Material) -> None:
    corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], sides)
    mesh.materials.append(surface)
    collection.objects.link(bpy.data.objects.new(name, mesh))


def plaza(extent: float) -> bpy.types.Collection:
    """Pillars, and four walls, as large as the world allows."""
    scene = bpy.context.scene
    walls = bpy.data.collections.new("Walls")
    scene.collection.children.link(walls)
    stone = material("Stone", (0.55, 0.52, 0.48))
    step = extent / 4
    for column in range(-3, 4):
        for row in range(-3, 4):
            x, y, half = column * step, row * step, extent / 60
            if (column + row) % 2:
                box("Pillar", (x - half, y - half, 0), (x + half, y + half, 6), walls, stone)
    for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        x, y, long, thick = x * extent * 0.62, y * extent * 0.62, extent / 8, extent / 150
        box("Wall", (x - long, y - thick, 0), (x + long, y + thick, 3), walls, stone)
    box("Ground", (-4 * extent, -4 * extent, -1), (4 * extent, 4 * extent, 0), scene.collection,
        material("Ground", (0.36, 0.35, 0.33)))
    return walls


def light_and_camera(extent: float) -> None:
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location = Vector((-0.30, -0.62, 0.26)) * extent
    camera.rotation_euler = (Vector((0.02, -0.14, 0)) * extent - camera.location).to_track_quat("-Z", "Y").to_euler()
    camera.data.lens, camera.data.clip_end = 38, 20 * extent
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.color, sun.data.angle = 4.0, (1.0, 0.90, 0.76), 0.02
    sun.rotation_euler = (0.95, 0.1, -0.9)
    for each in (camera, sun):
        scene.collection.objects.link(each)
    scene.camera = camera
    scene.world = bpy.data.worlds.new("Sky")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.42, 0.55, 0.78, 1)
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.55


def main() -> None:
    wanted = arguments()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    throng_crowd.register()
    scene = bpy.context.scene
    light_and_camera(wanted.extent)
    settings = scene.throng_crowd
    settings.count, settings.extent, settings.walls = wanted.agents, wanted.extent, plaza(wanted.extent)
    bpy.context.view_layer.update()
    bpy.ops.throng.create_crowd()  # raises RuntimeError with what the panel would say
    began = time.perf_counter()
    scene.frame_end = wanted.frames
    scene.frame_set(wanted.frames)
    print(f"{wanted.agents} agents, {wanted.frames} frames: {time.perf_counter() - began:.1f} s")
    render(wanted)


def render(wanted: argparse.Namespace) -> None:
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.device = "CYCLES", "CPU"
    scene.cycles.samples, scene.cycles.use_denoising = wanted.samples, False
    scene.render.resolution_x, scene.render.resolution_y = wanted.width, wanted.width * 9 // 16
    scene.view_settings.view_transform = "Filmic"
    scene.view_settings.look = "Medium High Contrast"
    if wanted.picture.suffix == ".jpg":
        scene.render.image_settings.file_format, scene.render.image_settings.quality = "JPEG", 85
    scene.render.filepath = str(wanted.picture.resolve())
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
