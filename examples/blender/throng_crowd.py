"""A Blender add-on: a crowd whose agents look around and avoid each other and the walls.

Install this file under Edit > Preferences > Add-ons, and the package `throng` in Blender's own Python. Then the
sidebar of the 3D view has a tab "Crowd". Tried in Blender 3.4.1.

Two streams walk through each other. Every frame is a step of the simulation: each agent gets the list of those
around it, and a cast tells it which wall it is heading for. Both are one call for all agents. The agents are the
points of a mesh, and geometry nodes put the figure on each of them, so Cycles holds the figure in memory once.
"""

from __future__ import annotations

from typing import Any

import bmesh
import bpy
import numpy as np
from bpy.app.handlers import persistent
from mathutils import Matrix, Vector

try:
    import throng
except ImportError:
    throng = None  # the panel says so

bl_info = {
    "name": "Throng crowd",
    "author": "The Throng authors",
    "version": (0, 3, 0),
    "blender": (3, 4, 0),
    "location": "View3D > Sidebar > Crowd",
    "description": "A crowd of up to millions of agents that avoid each other and walls",
    "category": "Animation",
}

Array = Any  # of NumPy: (n, 2) or (n,), of float32

DIRECTIONS = np.array([[1, 0], [-1, 0]], np.float32)  # where the two streams walk
TINTS = np.array([[0.95, 0.32, 0.05], [0.03, 0.22, 0.60]], np.float32)
SIGHT = 1.2  # metres: how far away others are noticed
LOOK_AHEAD = 2.5  # seconds: how early a wall is
CLEARANCE = 0.01  # metres that stay free before a wall
ATTEMPTS = 100  # to find a place without a wall


class Crowd:
    """The simulation. It knows nothing of Blender."""

    def __init__(self, count: int, extent: float, speed: float, radius: float, walls: Array, seed: int) -> None:
        """`walls` are boxes, (m, 4); the world is a square of twice the extent, and who leaves it comes back."""
        random = np.random.default_rng(seed)
        self.extent, self.radius, self.walls = np.float32(extent), radius, np.asarray(walls, np.float32)
        self.engine, self.wall_engine = throng.Engine(), throng.Engine()
        if len(self.walls):
            self.wall_engine.update_boxes(min=self.walls[:, :2], max=self.walls[:, 2:])
        self.near = throng.Lists()
        self.stream = random.integers(0, len(DIRECTIONS), count)
        self.position = self._free_places(random, count)
        self.speed = random.normal(speed, 0.15 * speed, count).clip(0.5 * speed, 1.5 * speed).astype(np.float32)
        self.goal = DIRECTIONS[self.stream]
        self.velocity = self.goal * self.speed[:, None]

    def step(self, seconds: float) -> None:
        """Moves every agent."""
        self.engine.update(self.position, radius=self.radius)
        wanted = (self.goal * self.speed[:, None] - self.velocity) / np.float32(0.6)
        force = wanted + self._away_from_others() + self._around_walls()
        velocity = self.velocity + force * np.float32(seconds)
        length = np.hypot(velocity[:, 0], velocity[:, 1])
        self.velocity = velocity * np.minimum(1, 1.4 * self.speed / np.maximum(length, 1e-6))[:, None]
        self._move(self.velocity * np.float32(seconds))

    def _free_places(self, random: np.random.Generator, count: int) -> Array:
        places = np.empty((count, 2), np.float32)
        missing = np.arange(count)
        for _ in range(ATTEMPTS):
            places[missing] = random.uniform(-self.extent, self.extent, (len(missing), 2))
            room = self.radius + CLEARANCE
            boxes = np.hstack([places[missing] - room, places[missing] + room])
            missing = missing[self.wall_engine.frame.any(boxes)]
            if not len(missing):
                return places
        raise ValueError("the walls leave no room for a crowd")

    def _away_from_others(self) -> Array:
        """Off from those who are close, the more the faster they approach, and along with those of the own stream."""
        self.engine.frame.neighbours(radius=SIGHT, out=self.near)
        i, j = self.near.ij()
        apart = self.position[i] - self.position[j]
        distance = np.maximum(np.hypot(apart[:, 0], apart[:, 1]), 1e-3)
        relative = self.velocity[j] - self.velocity[i]
        approach = np.maximum(0, (relative * apart).sum(1) / distance)
        push = np.maximum(0, 1 - (distance - 2 * self.radius) / (SIGHT - 2 * self.radius)) ** 2
        weight = (push * (1.2 + 1.5 * approach) / distance)[:, None] * apart
        weight += np.where(self.stream[i] == self.stream[j], 0.15, 0)[:, None] * relative
        count = len(self.position)
        return np.stack([np.bincount(i, weight[:, axis], count) for axis in (0, 1)], 1).astype(np.float32)

    def _around_walls(self) -> Array:
        """To the side on which the wall ahead is shorter, the more the nearer it is."""
        force = np.zeros_like(self.position)
        way = self.goal * self.speed[:, None]
        hits = self._casts(way * np.float32(LOOK_AHEAD))
        ahead = np.flatnonzero(hits.ids >= 0)
        box = self.walls[hits.ids[ahead]]
        aside = np.stack([-way[ahead, 1], way[ahead, 0]], 1)
        off_centre = self.position[ahead] - (box[:, :2] + box[:, 2:]) / 2
        side = np.where((aside * off_centre).sum(1) < 0, -1, 1)
        force[ahead] = aside * (side * 3 * (1 - hits.fractions[ahead]))[:, None]
        return force

    def _casts(self, way: Array) -> Any:
        return self.wall_engine.frame.first_hits(self.position, self.position + way, radius=self.radius)

    def _move(self, way: Array) -> None:
        """Up to the first wall, along which an agent goes on in the next step."""
        hits = self._casts(way)
        stopped = np.flatnonzero(hits.ids >= 0)
        length = np.maximum(np.hypot(way[stopped, 0], way[stopped, 1]), 1e-6)
        way[stopped] *= np.maximum(0, hits.fractions[stopped] - CLEARANCE / length)[:, None]
        self.position = self.position + way
        self._slide(stopped, self.walls[hits.ids[stopped]])
        self.position = (self.position + self.extent) % (2 * self.extent) - self.extent

    def _slide(self, stopped: Array, box: Array) -> None:
        """Takes off what leads into the wall, and puts those beside it who stand in it since they came back there."""
        place = self.position[stopped]
        nearest = np.clip(place, box[:, :2], box[:, 2:])
        off = place - nearest
        distance = np.hypot(off[:, 0], off[:, 1])
        inside = distance == 0
        normal = np.where(inside[:, None], -self.goal[stopped], off / np.maximum(distance, 1e-6)[:, None])
        edge = np.where(self.goal[stopped] > 0, box[:, :2], box[:, 2:])
        room = self.radius + CLEARANCE
        beside = np.where(normal != 0, edge + normal * room, place)
        self.position[stopped] = np.where(
            inside[:, None], beside, np.where((distance < room)[:, None], nearest + normal * room, place))
        into = np.minimum(0, (self.velocity[stopped] * normal).sum(1))
        self.velocity[stopped] -= into[:, None] * normal


# --- In Blender ----------------------------------------------------------------------------------------------------


class CrowdSettings(bpy.types.PropertyGroup):
    count: bpy.props.IntProperty(name="Agents", default=100_000, min=1, max=10_000_000)
    extent: bpy.props.FloatProperty(name="Extent", description="Half the side of the square", default=140, min=1)
    speed: bpy.props.FloatProperty(name="Speed", default=1.4, min=0.01, unit="VELOCITY")
    radius: bpy.props.FloatProperty(name="Radius", default=0.25, min=0.01, max=0.5, unit="LENGTH")
    seed: bpy.props.IntProperty(name="Seed", default=1, min=0)
    walls: bpy.props.PointerProperty(name="Walls", type=bpy.types.Collection,
                                     description="Objects whose bounding boxes are walls")
    figure: bpy.props.PointerProperty(name="Figure", type=bpy.types.Object,
                                      description="What stands for an agent; it looks along its y axis")
    agents: bpy.props.PointerProperty(type=bpy.types.Object)


class Running:
    """The crowd of a scene, and the frame that it has reached."""

    def __init__(self, crowd: Crowd, frame: int) -> None:
        self.crowd, self.frame = crowd, frame


running: dict[str, Running] = {}


def wall_boxes(collection: bpy.types.Collection | None) -> Array:
    boxes = []
    for wall in collection.all_objects if collection else ():
        corners = np.array([wall.matrix_world @ Vector(corner) for corner in wall.bound_box])
        boxes.append([*corners[:, :2].min(0), *corners[:, :2].max(0)])
    return np.array(boxes, np.float32).reshape(-1, 4)


def show(mesh: bpy.types.Mesh, crowd: Crowd) -> None:
    count = len(crowd.position)
    points = np.zeros((count, 3), np.float32)
    points[:, :2] = crowd.position
    turned = np.zeros((count, 3), np.float32)
    turned[:, 2] = np.arctan2(-crowd.velocity[:, 0], crowd.velocity[:, 1])
    mesh.vertices.foreach_set("co", points.ravel())
    mesh.attributes["turned"].data.foreach_set("vector", turned.ravel())
    mesh.update()


def begin(scene: bpy.types.Scene) -> Running:
    settings = scene.throng_crowd
    crowd = Crowd(settings.count, settings.extent, settings.speed, settings.radius, wall_boxes(settings.walls),
                  settings.seed)
    running[scene.name] = Running(crowd, scene.frame_start)
    return running[scene.name]


@persistent
def follow(scene: bpy.types.Scene, *_: Any) -> None:
    """Before each frame: frames are simulated in order, and going back starts from the first."""
    agents = scene.throng_crowd.agents
    if throng is None or agents is None:
        return
    now = running.get(scene.name)
    if now is None or now.frame > scene.frame_current or len(agents.data.vertices) != len(now.crowd.position):
        now = begin(scene)
    while now.frame < scene.frame_current:
        now.crowd.step(scene.render.fps_base / scene.render.fps)
        now.frame += 1
    show(agents.data, now.crowd)


@persistent
def forget(*_: Any) -> None:
    """The next file has crowds of its own."""
    running.clear()


def person() -> bpy.types.Object:
    """A body and a head of few faces."""
    shape = bmesh.new()
    bmesh.ops.create_cone(shape, cap_ends=True, segments=8, radius1=0.14, radius2=0.24, depth=1.4,
                          matrix=Matrix.Translation((0, 0, 0.7)) @ Matrix.Diagonal((1, 0.7, 1, 1)))
    bmesh.ops.create_icosphere(shape, subdivisions=1, radius=0.16, matrix=Matrix.Translation((0, 0.02, 1.56)))
    mesh = bpy.data.meshes.new("Person")
    shape.to_mesh(mesh)
    shape.free()
    material = bpy.data.materials.new("Person")
    material.use_nodes = True
    nodes = material.node_tree.nodes
    tint = nodes.new("ShaderNodeAttribute")
    tint.attribute_name, tint.attribute_type = "tint", "INSTANCER"
    material.node_tree.links.new(tint.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.8
    mesh.materials.append(material)
    return bpy.data.objects.new("Person", mesh)


def instancer(figure: bpy.types.Object) -> bpy.types.NodeTree:
    """Geometry nodes that put the figure on every point."""
    group = bpy.data.node_groups.new("Throng crowd", "GeometryNodeTree")
    if hasattr(group, "interface"):  # Blender 4
        group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        group.inputs.new("NodeSocketGeometry", "Geometry")
        group.outputs.new("NodeSocketGeometry", "Geometry")
    points, result = group.nodes.new("NodeGroupInput"), group.nodes.new("NodeGroupOutput")
    source, place = group.nodes.new("GeometryNodeObjectInfo"), group.nodes.new("GeometryNodeInstanceOnPoints")
    turned = group.nodes.new("GeometryNodeInputNamedAttribute")
    source.inputs["Object"].default_value = figure
    source.inputs["As Instance"].default_value = True
    turned.data_type = "FLOAT_VECTOR"
    turned.inputs["Name"].default_value = "turned"
    group.links.new(points.outputs[0], place.inputs["Points"])
    group.links.new(source.outputs["Geometry"], place.inputs["Instance"])
    group.links.new(next(socket for socket in turned.outputs if socket.enabled), place.inputs["Rotation"])
    group.links.new(place.outputs["Instances"], result.inputs[0])
    return group


class CreateCrowd(bpy.types.Operator):
    """Put a crowd with these settings into the scene, instead of the one that is there"""

    bl_idname = "throng.create_crowd"
    bl_label = "Create crowd"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        scene = context.scene
        if throng is None:
            self.report({"ERROR"}, "The package throng is not installed in Blender's Python")
            return {"CANCELLED"}
        settings = scene.throng_crowd
        try:
            crowd = begin(scene).crowd
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if settings.figure is None:
            settings.figure = person()
            scene.collection.objects.link(settings.figure)
            settings.figure.hide_render = True
            settings.figure.hide_set(True)
        if settings.agents is not None:
            bpy.data.objects.remove(settings.agents)
        mesh = bpy.data.meshes.new("Crowd")
        mesh.vertices.add(len(crowd.position))
        mesh.attributes.new("turned", "FLOAT_VECTOR", "POINT")
        tint = np.ones((len(crowd.position), 4), np.float32)
        light = np.random.default_rng(settings.seed).uniform(0.6, 1.2, (len(crowd.position), 1))
        tint[:, :3] = TINTS[crowd.stream] * light
        mesh.attributes.new("tint", "FLOAT_COLOR", "POINT").data.foreach_set("color", tint.ravel())
        settings.agents = bpy.data.objects.new("Crowd", mesh)
        scene.collection.objects.link(settings.agents)
        settings.agents.modifiers.new("Throng crowd", "NODES").node_group = instancer(settings.figure)
        follow(scene)
        return {"FINISHED"}


class CrowdPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_throng_crowd"
    bl_label = "Crowd"
    bl_category = "Crowd"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context: bpy.types.Context) -> None:
        settings = context.scene.throng_crowd
        for name in ("count", "extent", "speed", "radius", "seed", "walls", "figure"):
            self.layout.prop(settings, name)
        if throng is None:
            self.layout.label(text="The package throng is not installed", icon="ERROR")
        self.layout.operator(CreateCrowd.bl_idname)


CLASSES = (CrowdSettings, CreateCrowd, CrowdPanel)


def register() -> None:
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Scene.throng_crowd = bpy.props.PointerProperty(type=CrowdSettings)
    bpy.app.handlers.frame_change_pre.append(follow)
    bpy.app.handlers.load_post.append(forget)


def unregister() -> None:
    bpy.app.handlers.frame_change_pre.remove(follow)
    bpy.app.handlers.load_post.remove(forget)
    del bpy.types.Scene.throng_crowd
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
    running.clear()


if __name__ == "__main__":
    register()
