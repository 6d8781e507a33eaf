"""The studio: one camera, one light, one table for every picture; and the passes that let wool be dyed afterwards."""
import math, os, tempfile
import bpy
import numpy as np
from mathutils import Vector
from bpy_extras.object_utils import world_to_camera_view

WOOL_ALBEDO = 0.62  # of the undyed grey wool; dye.py divides by it
ELEVATION, DISTANCE = math.radians(40), 11.0
AIM = Vector((0, 0, 0.7))
VIEW = Vector((0, -math.cos(ELEVATION), math.sin(ELEVATION)))
FILL = 0.79


def reset(size, samples, bounces=3):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    s = bpy.context.scene
    s.render.engine = 'CYCLES'
    c = s.cycles
    c.samples, c.use_denoising, c.max_bounces, c.diffuse_bounces, c.glossy_bounces = samples, False, bounces, min(bounces, 2), min(bounces, 2)
    c.sample_clamp_indirect, c.sample_clamp_direct, c.caustics_reflective, c.caustics_refractive = 3, 12, False, False
    c.use_adaptive_sampling = False  # dye.py cleans the little noise there is; few samples everywhere beat many in places
    c.transparent_max_bounces = 6
    s.render.film_transparent, s.render.threads_mode, s.render.threads = True, 'FIXED', 2
    s.render.resolution_x = s.render.resolution_y = size
    s.render.use_persistent_data = False
    c.pixel_filter_type, c.filter_width = 'BLACKMAN_HARRIS', 1.3
    return s


def linear(hexcode):
    h = hexcode.lstrip('#')
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (int(h[i:i + 2], 16) / 255 for i in (0, 2, 4))]


def aov(nodes, name, source=None, value=None, link=None):
    n = nodes.new('ShaderNodeOutputAOV'); n.name = name
    if source is not None: link(source, n.inputs['Color'])
    else: n.inputs['Color'].default_value = (*value, 1)


def wool_material():
    """Undyed wool. Where it lies on the dyed loop goes out as data passes."""
    m = bpy.data.materials.new('wool'); m.use_nodes = True
    nodes, link = m.node_tree.nodes, m.node_tree.links.new
    b = nodes['Principled BSDF']
    b.inputs['Base Color'].default_value = (*[WOOL_ALBEDO] * 3, 1)
    b.inputs['Roughness'].default_value, b.inputs['Specular'].default_value = 0.62, 0.12
    attr = {}
    for name in ('dye', 'ids', 'fibre'):
        attr[name] = nodes.new('ShaderNodeAttribute'); attr[name].attribute_name = name
    noise = nodes.new('ShaderNodeTexNoise'); noise.inputs['Scale'].default_value = 2.3; noise.inputs['Detail'].default_value = 3
    link(attr['fibre'].outputs['Vector'], noise.inputs['Vector'])
    bump = nodes.new('ShaderNodeBump'); bump.inputs['Strength'].default_value = 0.7; bump.inputs['Distance'].default_value = 0.012
    link(noise.outputs['Fac'], bump.inputs['Height']); link(bump.outputs['Normal'], b.inputs['Normal'])
    info = nodes.new('ShaderNodeObjectInfo')
    scale = nodes.new('ShaderNodeMath'); scale.operation = 'DIVIDE'; scale.inputs[1].default_value = 16
    link(info.outputs['Object Index'], scale.inputs[0])
    mask = nodes.new('ShaderNodeCombineColor'); mask.inputs[0].default_value = 1; mask.inputs[1].default_value = 1
    link(scale.outputs[0], mask.inputs[2])
    co = nodes.new('ShaderNodeTexCoord')
    aov(nodes, 'mask', mask.outputs[0], link=link)
    aov(nodes, 'dye', attr['dye'].outputs['Vector'], link=link)
    aov(nodes, 'ids', attr['ids'].outputs['Vector'], link=link)
    aov(nodes, 'place', co.outputs['Object'], link=link)
    return m


def paint(name, colour, roughness=0.5, metallic=0.0, specular=0.5, coat=0.0, transmission=0.0, grain=None, bump=0.0, scale=(1, 1, 1)):
    """A plain surface in its own colour; grain is a second colour worked in by stretched noise (wood, paper, cloth)."""
    m = bpy.data.materials.new(name); m.use_nodes = True
    nodes, link = m.node_tree.nodes, m.node_tree.links.new
    b = nodes['Principled BSDF']
    for key, v in (('Base Color', (*linear(colour), 1)), ('Roughness', roughness), ('Metallic', metallic), ('Specular', specular), ('Clearcoat', coat), ('Transmission', transmission)):
        b.inputs[key].default_value = v
    if grain or bump:
        co = nodes.new('ShaderNodeTexCoord'); mp = nodes.new('ShaderNodeMapping'); mp.inputs['Scale'].default_value = scale
        nz = nodes.new('ShaderNodeTexNoise'); nz.inputs['Scale'].default_value = 6; nz.inputs['Detail'].default_value = 6; nz.inputs['Distortion'].default_value = 0.4
        link(co.outputs['Object'], mp.inputs['Vector']); link(mp.outputs['Vector'], nz.inputs['Vector'])
        if grain:
            ramp = nodes.new('ShaderNodeValToRGB'); e = ramp.color_ramp.elements
            e[0].position, e[0].color, e[1].position, e[1].color = 0.35, (*linear(grain), 1), 0.65, (*linear(colour), 1)
            link(nz.outputs['Fac'], ramp.inputs['Fac']); link(ramp.outputs['Color'], b.inputs['Base Color'])
        if bump:
            bp = nodes.new('ShaderNodeBump'); bp.inputs['Strength'].default_value = bump; bp.inputs['Distance'].default_value = 0.01
            link(nz.outputs['Fac'], bp.inputs['Height']); link(bp.outputs['Normal'], b.inputs['Normal'])
    aov(nodes, 'mask', value=(0, 1, 0))
    return m


def mesh_object(arrays, material, name='yarn'):
    """numpy to Blender without Python loops."""
    verts, quads, dye, ids, fibre = arrays
    me = bpy.data.meshes.new(name)
    me.vertices.add(len(verts)); me.vertices.foreach_set('co', verts.ravel())
    me.loops.add(quads.size); me.loops.foreach_set('vertex_index', quads.ravel())
    me.polygons.add(len(quads))
    me.polygons.foreach_set('loop_start', np.arange(0, quads.size, 4, dtype=np.int32))
    me.polygons.foreach_set('loop_total', np.full(len(quads), 4, np.int32))
    me.polygons.foreach_set('use_smooth', np.ones(len(quads), bool))
    for key, data in (('dye', dye), ('ids', ids), ('fibre', fibre)):
        me.attributes.new(key, 'FLOAT_VECTOR', 'POINT').data.foreach_set('vector', data.ravel())
    me.update(calc_edges=True); me.materials.append(material)
    ob = bpy.data.objects.new(name, me); bpy.context.scene.collection.objects.link(ob)
    return ob


def area(loc, energy, size, colour, aim=AIM):
    l = bpy.data.lights.new('l', 'AREA'); l.energy, l.size, l.color = energy, size, colour
    o = bpy.data.objects.new('l', l); o.location = loc; bpy.context.scene.collection.objects.link(o)
    o.rotation_euler = (Vector(aim) - Vector(loc)).to_track_quat('-Z', 'Y').to_euler()


def room(strength):
    world = bpy.data.worlds.new('w'); bpy.context.scene.world = world; world.use_nodes = True
    bg = world.node_tree.nodes['Background']; bg.inputs[0].default_value = (0.97, 0.98, 1, 1); bg.inputs[1].default_value = strength


def lights():
    area((-4.4, 0.2, 7.2), 980, 3.8, (1, 0.968, 0.93))   # the window, high on the left
    area((5.5, -4.0, 4.0), 170, 5, (0.93, 0.96, 1))      # a pale wall opposite
    room(0.50)


def table():
    bpy.ops.mesh.primitive_plane_add(size=60)
    bpy.context.object.is_shadow_catcher = True
    return bpy.context.object


def settle(objects):
    """Put the group down on the table, in the middle of it."""
    bpy.context.view_layer.update()
    low, high = bounds(objects)
    shift = Vector((-(low.x + high.x) / 2, -(low.y + high.y) / 2, -low.z))
    for o in objects:
        if o.parent is None: o.location += shift
    bpy.context.view_layer.update()


def corners(ob, limit=4000):
    if ob.type != 'MESH' or not len(ob.data.vertices): return np.array([ob.matrix_world @ Vector(c) for c in ob.bound_box])
    co = np.empty(len(ob.data.vertices) * 3, np.float32); ob.data.vertices.foreach_get('co', co)
    co = co.reshape(-1, 3)[:: max(1, len(co) // 3 // limit)]
    m = np.array(ob.matrix_world)
    return co @ m[:3, :3].T + m[:3, 3]


def bounds(objects):
    pts = np.concatenate([corners(o, 60000) for o in objects])
    return Vector(pts.min(0)), Vector(pts.max(0))


def camera(objects, fill=FILL):
    """The same place and perspective always; lens and shift frame the subject."""
    s = bpy.context.scene
    cam = bpy.data.cameras.new('c'); ob = bpy.data.objects.new('c', cam); s.collection.objects.link(ob); s.camera = ob
    ob.location = AIM + VIEW * DISTANCE
    ob.rotation_euler = (-VIEW).to_track_quat('-Z', 'Y').to_euler()
    cam.lens = 100
    bpy.context.view_layer.update()
    pts = np.concatenate([corners(o) for o in objects])
    uv = np.array([world_to_camera_view(s, ob, Vector(p))[:2] for p in pts])
    lo, hi = uv.min(0), uv.max(0)
    zoom = fill / (hi - lo).max()
    cam.lens = 100 * zoom
    # The shadow falls to the right and forward; leave it a little more room than the lit side.
    cam.shift_x = ((lo[0] + hi[0]) / 2 - 0.5) * zoom + 0.012
    cam.shift_y = ((lo[1] + hi[1]) / 2 - 0.5) * zoom - 0.012
    # Empty table costs as much as wool: only the subject and its shadow are shot.
    r, mid = s.render, (lo + hi) / 2
    half = (hi - lo) / 2 * zoom
    r.use_border, r.use_crop_to_border = True, False
    r.border_min_x, r.border_max_x = max(0, 0.488 - half[0] - 0.05), min(1, 0.488 + half[0] + 0.12)
    r.border_min_y, r.border_max_y = max(0, 0.512 - half[1] - 0.10), min(1, 0.512 + half[1] + 0.05)


def look_down(frame, close=False):
    """Straight down and without perspective, so that lengths are true; the window stands low, so that stitches cast shadows."""
    s = bpy.context.scene
    cam = bpy.data.cameras.new('c'); ob = bpy.data.objects.new('c', cam); s.collection.objects.link(ob); s.camera = ob
    cam.type, cam.ortho_scale, ob.location = 'ORTHO', frame, (0, 0, 8)
    area((-5.2, 3.4, 4.6), 900, 2.6, (1, 0.968, 0.93), (0, 0, 0))
    area((5.5, -4.0, 4.0), 120, 5, (0.93, 0.96, 1), (0, 0, 0))
    room(0.42)


PASSES = {'Image': 'image', 'Alpha': 'alpha', 'DiffDir': 'direct', 'DiffInd': 'indirect', 'DiffCol': 'albedo', 'GlossDir': 'gloss', 'GlossCol': 'glosscol', 'Normal': 'normal', 'Depth': 'depth',
          'mask': 'mask', 'dye': 'dye', 'ids': 'ids', 'place': 'place', 'label': 'label'}


def shoot(out):
    """Render, gather the passes through the compositor and keep them as one .npz for dye.py."""
    s = bpy.context.scene; vl = bpy.context.view_layer
    vl.use_pass_diffuse_direct = vl.use_pass_diffuse_indirect = vl.use_pass_diffuse_color = vl.use_pass_glossy_direct = vl.use_pass_glossy_color = vl.use_pass_normal = vl.use_pass_z = True
    for name in ('mask', 'dye', 'ids', 'place', 'label'):
        a = vl.aovs.add(); a.name, a.type = name, 'COLOR'
    s.use_nodes = True
    tree = s.node_tree; tree.nodes.clear()
    layers = tree.nodes.new('CompositorNodeRLayers'); files = tree.nodes.new('CompositorNodeOutputFile')
    folder = tempfile.mkdtemp(prefix='passes-', dir=os.path.dirname(out))
    files.base_path = folder; files.format.file_format = 'OPEN_EXR'; files.format.color_depth = '32'; files.format.exr_codec = 'NONE'; files.format.color_mode = 'RGBA'
    files.file_slots.clear()
    for socket, key in PASSES.items():
        files.file_slots.new(key); tree.links.new(layers.outputs[socket], files.inputs[key])
    s.view_settings.view_transform = 'Raw'
    bpy.ops.render.render()
    result = {}
    size = s.render.resolution_x
    for key in PASSES.values():
        path = os.path.join(folder, f'{key}0001.exr')
        img = bpy.data.images.load(path); img.colorspace_settings.name = 'Raw' if 'Raw' in img.colorspace_settings.bl_rna.properties['name'].enum_items else 'Non-Color'
        px = np.empty(size * size * 4, np.float32); img.pixels.foreach_get(px)
        result[key] = px.reshape(size, size, 4)[::-1, :, : 1 if key in ('alpha', 'depth') else 3].copy()
        bpy.data.images.remove(img); os.remove(path)
    os.rmdir(folder)
    r = s.render
    result['border'] = np.array([r.border_min_x, r.border_max_x, 1 - r.border_max_y, 1 - r.border_min_y], np.float32)
    np.savez(out, **result)
