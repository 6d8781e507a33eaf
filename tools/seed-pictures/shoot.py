"""Blender entry: blender -b -P shoot.py -- '<json plan>'; the plan says what to build and where the passes go."""
import json, math, os, sys, time
import numpy as np
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy
from mathutils import Euler, Matrix
import knit, studio, strands as st

plan = json.loads(sys.argv[sys.argv.index('--') + 1])


def worsted(strand):
    return 0.047 * strand


def local_view(euler):
    """Where the camera is, seen from a part that will be turned: fibres must face it."""
    return tuple(Euler(euler).to_matrix().inverted() @ studio.VIEW)


def spin_all(batches, d, rng, hair, hair_length, plies, core=None, view=tuple(studio.VIEW)):
    """Spin every batch into one mesh; hairs are shared out by how much yarn each batch holds."""
    mesh = st.Mesh()
    pitch = {1: 5, 2: 3.6, 3: 4.4, 4: 4.8}[plies]
    total = sum(b.paths.shape[0] * b.paths.shape[1] for b in batches)
    for b in batches:
        share = int(hair * b.paths.shape[0] * b.paths.shape[1] / total)
        st.spin(mesh, b, d, rng, plies=plies, pitch=pitch, sides=4 if d < 0.042 else 5 if d < 0.08 else 8, slub=0.16 if plies == 1 else 0.05, hair=share, hair_length=hair_length, view=view)
    if core:
        batch, radius = core
        verts, quads, ring = st.tubes(batch.paths, radius, 24)
        wide = lambda *c: np.broadcast_to(np.stack(np.broadcast_arrays(*c), -1)[:, :, None], verts.shape)
        mesh.add(verts, quads, wide(batch.t, batch.w, 0.5), wide(np.zeros_like(batch.t), batch.t, 0), verts * 3)
    return mesh


def paper(name, tone='#d9c7a5', line='#6f5c45', width=1.0):
    """Band paper with two printed rules; x runs across the band from -1 to 1 as an attribute."""
    m = studio.paint(name, tone, roughness=0.85, specular=0.2, grain=tone, bump=0.25, scale=(3, 3, 3))
    nodes, link = m.node_tree.nodes, m.node_tree.links.new
    at = nodes.new('ShaderNodeAttribute'); at.attribute_name = 'fibre'
    sep = nodes.new('ShaderNodeSeparateXYZ'); link(at.outputs['Vector'], sep.inputs[0])
    ramp = nodes.new('ShaderNodeValToRGB'); ramp.color_ramp.interpolation = 'CONSTANT'; e = ramp.color_ramp.elements
    e[0].position, e[0].color = 0, (0, 0, 0, 1); e[1].position, e[1].color = 0.80, (1, 1, 1, 1)
    for pos, v in ((0.825, 0), (0.86, 1), (0.87, 0)):
        x = e.new(pos); x.color = (v, v, v, 1)
    ab = nodes.new('ShaderNodeMath'); ab.operation = 'ABSOLUTE'; link(sep.outputs[0], ab.inputs[0]); link(ab.outputs[0], ramp.inputs[0])
    mix = nodes.new('ShaderNodeMixRGB'); link(ramp.outputs[0], mix.inputs[0])
    base = nodes['Principled BSDF'].inputs['Base Color']
    link(base.links[0].from_socket, mix.inputs[1]); mix.inputs[2].default_value = (*studio.linear(line), 1)
    link(mix.outputs[0], base)
    return printed(m)


def printed(material):
    """Where a point lies on what is to be printed goes out as a pass; dye.py prints."""
    nodes, link = material.node_tree.nodes, material.node_tree.links.new
    at = nodes.new('ShaderNodeAttribute'); at.attribute_name = 'dye'
    studio.aov(nodes, 'label', at.outputs['Vector'], link=link)
    return material


def band(section, width, material, facing=math.pi / 2, upright=0):
    """A loop of paper round the x axis: section(theta, u) gives (y, z) of the loop at u in -1..1 across the band.

    Its print is centred where it faces and runs along the axis; or along the loop, if the axis stands upright (1: x is up, -1: x is down).
    """
    mesh = st.Mesh(); nt, nu = 220, 25
    th, u = np.meshgrid(np.linspace(0, st.TAU, nt), np.linspace(-1, 1, nu), indexing='ij')
    y, z = section(th, u)
    p = np.stack([u * width / 2, y, z], -1)
    i = np.arange(nt * nu).reshape(nt, nu)
    quads = np.stack([i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]], -1).reshape(-1, 4)
    # Where on the paper a point lies, as long as it truly is: along the loop, from the middle of the print.
    mid = np.linalg.norm(np.diff(np.stack([y, z], -1)[:, nu // 2], axis=0), axis=-1)
    run = np.concatenate([[0], np.cumsum(mid)]); round_ = run[-1]
    run = (run - np.interp(facing % st.TAU, th[:, 0], run) + round_ / 2) % round_ - round_ / 2
    across, along = u * width / 2, np.broadcast_to(run[:, None], u.shape)
    label = np.stack([*((upright * along, -upright * across) if upright else (across, along)), 1 + 0 * u], -1)
    mesh.add(p, quads, label, 0 * p, np.stack([u, th, 0 * u], -1))
    ob = studio.mesh_object(mesh.arrays(), material, 'band')
    sol = ob.modifiers.new('thick', 'SOLIDIFY'); sol.thickness = 0.012; sol.offset = 1
    return ob


def stadium(rb, rho, angle, lift=0.03):
    """Hull of two bundles lying side by side, as a paper loop pulled round them."""
    def section(th, u):
        a = angle(u)
        c, s = np.cos(th), np.sin(th)
        r = rb + lift
        y = c * r + rho * np.tanh(c * 3.2); z = s * r * (1 - 0.05 * (1 - s ** 2))
        return y * np.cos(a) - z * np.sin(a), y * np.sin(a) + z * np.cos(a)
    return section


def build_hank(p, rng, wool):
    d = worsted(p['strand']); rb, half, turns = p.get('rb', 0.42), p.get('half', 1.4), p.get('turns', 1.4)
    width, flat = 1.0, 0.62
    layers, core, rc = st.hank(rng, d, half=half, rb=rb, turns=turns, squeeze=0.24, flat=flat, held=width / 2 + 0.06)
    turned = (math.radians(p.get('roll', -14)), 0, math.radians(p.get('yaw', 42)))
    view = local_view(turned)
    o = studio.mesh_object(spin_all(layers, d, rng, p['hair'], p['hair_length'], p['plies'], (core, rc), view).arrays(), wool)
    ang = lambda u: turns * st.TAU * (u * width / 2 - 0.8 * flat * np.tanh(u * width / 2 / flat)) / (2 * half)
    loop = stadium(rb * 0.82, rb * 0.98 * 0.82, ang, lift=0.05 + 0.3 * d)
    obs = [o, band(loop, width, paper('band', p.get('paper', '#c9ab80')), math.atan2(view[2], view[1]))]
    for ob in obs: ob.rotation_euler = turned
    return obs


def build_ball(p, rng, wool):
    d, width = worsted(p['strand']), 0.80
    wraps, t_end = st.sphere_wraps(rng, d)
    yaw = math.radians(p.get('yaw', 20)); axis = np.array([math.cos(yaw), math.sin(yaw), 0])
    wraps.bare = np.abs(wraps.paths @ axis) < width / 2 + 0.02
    best = wraps.paths[-1][np.argmax(wraps.paths[-1] @ np.array([0.85, -0.45, -0.35]))]
    batches = [wraps]
    if p.get('tail', True):
        floor = -1.0 - 0.1 * d + d / 2
        batches.append(st.tail(best, [0.6, -0.6, 0.0], d, floor, rng, length=2.0, curl=1.1, t0=t_end))
    o = studio.mesh_object(spin_all(batches, d, rng, p['hair'], p['hair_length'], p['plies']).arrays(), wool)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=1.0 - min(0.17, 3.0 * d) - d * 0.1, segments=64, ring_count=32)
    inner = bpy.context.object; inner.data.materials.append(wool)
    # Paper bends one way only: it stands off a little at its edges.
    ring = lambda th, u: (np.cos(th) * r * (1 - 0.045 * u ** 2), np.sin(th) * r * (1 - 0.045 * u ** 2))
    r = 1.0 + 0.75 * d + 0.006
    loop = band(ring, width, paper('band', p.get('paper', '#d9cbb0')), math.atan2(studio.VIEW[2], studio.VIEW[1] * math.cos(yaw)))
    loop.rotation_euler = (0, 0, yaw)
    return [o, inner, loop]


def build_wound(p, rng, wool, long=False):
    d = worsted(p['strand'])
    if long: args = dict(inner=0.16, outer=0.74, height=1.55, bulge=0.10, dish=-0.02, power=3.0, banded=0.6)
    else: args = dict(inner=0.24, outer=1.0, height=0.62, bulge=0.05, dish=0.10)
    batches = st.wound(rng, d, **args)
    view = local_view((0, -math.pi / 2, math.radians(p.get('yaw', 38)))) if long else tuple(studio.VIEW)
    o = studio.mesh_object(spin_all(batches, d, rng, p['hair'], p['hair_length'], p['plies'], view=view).arrays(), wool)
    bpy.ops.mesh.primitive_cylinder_add(vertices=96, radius=args['outer'] * 0.93 - 2 * d, depth=args['height'] * 1.25)
    core = bpy.context.object; core.data.materials.append(wool)
    obs = [o, core]
    if long:
        for ob in obs: ob.rotation_euler = (0, -math.pi / 2, 0)
        r = args['outer'] * (1 + args['bulge']) + d * 0.95 + 0.008
        ring = lambda th, u: (np.cos(th) * r * (1 - 0.006 * u ** 2), np.sin(th) * r * (1 - 0.006 * u ** 2))
        # Laid over by a quarter turn afterwards: what faces the camera is between the side and the top.
        obs.append(band(ring, 1.15, paper('band', p.get('paper', '#d9cbb0')), math.atan2(studio.VIEW[2], studio.VIEW[1] * math.cos(math.radians(p.get('yaw', 38))))))
        turn = math.radians(p.get('yaw', 38))
        bpy.context.view_layer.update()
        for ob in obs: ob.matrix_world = Matrix.Rotation(turn, 4, 'Z') @ ob.matrix_world
    else:
        r = args['outer'] * (1 + args['bulge']) + d * 0.95 + 0.008
        obs.append(standing(lambda x: r * (1 - 0.02 * (x / 0.6) ** 2), 0.62, p))
    return obs


def standing(radius, width, p, height=0.0):
    """A band round something that stands on the table; radius(x) at x above the band's middle."""
    ring = lambda th, u: (np.cos(th) * radius(u * width / 2), np.sin(th) * radius(u * width / 2))
    loop = band(ring, width, paper('band', p.get('paper', '#d9cbb0')), math.pi + p.get('turned', 0.25), upright=1)
    loop.rotation_euler, loop.location = (0, -math.pi / 2, 0), (0, 0, height)
    return loop


def build_cone(p, rng, wool):
    d = worsted(p['strand'])
    b = st.cone(rng, d)
    o = studio.mesh_object(spin_all([b], d, rng, p['hair'], p['hair_length'], p['plies']).arrays(), wool)
    depth = 0.13 * d * 22 + 0.3 * d
    bpy.ops.mesh.primitive_cone_add(vertices=96, radius1=0.92 - depth, radius2=0.42 - depth, depth=1.95, location=(0, 0, 0.975), end_fill_type='NOTHING')
    core = bpy.context.object; core.data.materials.append(wool)
    kraft = studio.paint('kraft', '#b58d5f', roughness=0.8, specular=0.25, grain='#a97f52', bump=0.2)
    bpy.ops.mesh.primitive_cone_add(vertices=96, radius1=0.66, radius2=0.25, depth=2.5, location=(0, 0, 1.10), end_fill_type='NOTHING')
    tip = bpy.context.object; tip.data.materials.append(kraft)
    sol = tip.modifiers.new('thick', 'SOLIDIFY'); sol.thickness = 0.03
    for f in tip.data.polygons: f.use_smooth = True
    middle, width = 0.62, 0.66
    loop = standing(lambda x: 0.92 - 0.5 * (middle + x) / 1.95 + 0.75 * d + 0.012, width, p, middle)
    return [o, core, tip, loop]


def build_minis(p, rng, wool):
    """Five small hanks side by side; one mesh, turned a little differently each time, coloured by object index."""
    d = worsted(p['strand']); obs = []
    layers, core, rc = st.hank(rng, d, half=1.25, rb=0.20, turns=1.7, squeeze=0.02)
    one = studio.mesh_object(spin_all(layers, d, rng, p['hair'] // 5, p['hair_length'], p['plies'], (core, rc), local_view((0.2, 0, math.radians(82)))).arrays(), wool)
    one.pass_index = 0; obs.append(one)
    for k in range(1, p.get('count', 5)):
        o = one.copy(); bpy.context.scene.collection.objects.link(o); o.pass_index = k; obs.append(o)
    for k, o in enumerate(obs):
        o.rotation_euler = (math.radians([10, 100, -35, 60, 150][k % 5]), 0, math.radians(82 + [0, 3, -3, 2, -2][k % 5]))
        o.location = ((k - 2) * 0.74, [0.02, -0.05, 0.04, -0.02, 0.03][k % 5], 0)
    bpy.context.view_layer.update()
    for o in obs: o.location.z -= studio.bounds([o])[0].z
    # One sleeve of card holds them together.
    spread, lift = (p.get('count', 5) - 1) * 0.37, 0.40
    sleeve = lambda th, u: (spread * np.tanh(np.cos(th) * 4) + np.cos(th) * 0.46, np.sin(th) * lift * 1.06 + 0 * u)
    loop = band(sleeve, 0.86, paper('band', p.get('paper', '#d9cbb0')), math.pi / 2, upright=-1)
    loop.rotation_euler = (0, 0, math.radians(-90)); loop.location = (spread - 0.74 * 2, 0, lift)
    return obs + [loop]


def build_pair(p, rng, wool):
    a = build_ball(dict(p, tail=False), rng, wool)
    obs = list(a)
    yaw = math.radians(p.get('yaw', 20))
    for o in a:
        c = o.copy(); bpy.context.scene.collection.objects.link(c); c.pass_index = 1; c.location = (1.55, -1.05, -0.12)
        c.scale = (0.88,) * 3; obs.append(c)
        # Rolled about the axis of its band, which keeps its print in front.
        if o is not a[-1]: c.rotation_euler = (Matrix.Rotation(yaw, 3, 'Z') @ Matrix.Rotation(2.0, 3, 'X') @ Matrix.Rotation(-yaw, 3, 'Z')).to_euler()
    return obs


def build_swatch(p, rng, wool):
    """Knitted fabric that fills the picture, with a ruler on it."""
    d = p['diameter']
    fabric = studio.mesh_object(spin_all([knit.stockinette(rng, d, p)], d, rng, p['hair'], p['hair_length'], p['plies'], view=(0, 0, 1)).arrays(), wool)
    r = p['ruler']; thick, top = 0.035, d * 1.16
    wood = studio.paint('maple', '#e6cfa0', roughness=0.42, coat=0.12, grain='#d9bd88', bump=0.05, scale=(0.6, 7, 7))
    verts = [(sx * r['length'] / 2, r['y'] + sy * r['height'] / 2, top + thick * sz) for sz in (0, 1) for sy in (-1, 1) for sx in (-1, 1)]
    me = bpy.data.meshes.new('ruler'); me.from_pydata(verts, [], [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]); me.update()
    at = np.array([(x, r['y'] - y, 1.0) for x, y, z in verts], np.float32)
    me.attributes.new('dye', 'FLOAT_VECTOR', 'POINT').data.foreach_set('vector', at.ravel())
    printed(wood); me.materials.append(wood)
    ob = bpy.data.objects.new('ruler', me); bpy.context.scene.collection.objects.link(ob)
    return [fabric, ob, bench(p['frame'], -d * 1.3)]


def bench(size, height):
    """What shows through open fabric."""
    bpy.ops.mesh.primitive_plane_add(size=size * 1.6, location=(0, 0, height))
    bpy.context.object.data.materials.append(studio.paint('bench', '#cdbfa9', roughness=0.9, specular=0.1))
    return bpy.context.object


def build_ply(p, rng, wool):
    """A few strands under a lens: every ply a bundle of fibres."""
    strands, d = knit.lengths_of_yarn(rng, p['frame'])
    mesh = st.Mesh()
    knit.spin_fibres(mesh, strands, d, rng, p['plies'], p['hair'], p['hair_length'])
    return [studio.mesh_object(mesh.arrays(), wool), bench(p['frame'], -d * 0.62)]


YARNS = {'swatch': build_swatch, 'ply': build_ply, 'hank': build_hank, 'ball': build_ball, 'cake': build_wound, 'skein': lambda p, r, w: build_wound(p, r, w, True), 'cone': build_cone, 'mini-set': build_minis, 'ball-pair': build_pair}


def main():
    began = time.time()
    studio.reset(plan.get('size', 1100), plan.get('samples', 24), plan.get('bounces', 3))
    rng = np.random.default_rng(plan.get('seed', 1))
    wool = studio.wool_material()
    if plan['shape'] in YARNS:
        obs = YARNS[plan['shape']](plan, rng, wool)
    else:
        import tools
        obs = tools.build(plan, rng, wool)
    if 'frame' in plan: studio.look_down(plan['frame'], plan['shape'] == 'ply')
    else: studio.settle(obs); studio.camera(obs); studio.lights(); studio.table()
    built = time.time()
    studio.shoot(plan['out'])
    print(f"SHOT {plan['out']} built in {built - began:.0f} s, rendered in {time.time() - built:.0f} s")


main()
