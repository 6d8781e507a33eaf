"""Needles, hooks, notions and kits: small models in their own colours, on the same table in the same light."""
import math
import bpy
import numpy as np
from mathutils import Vector, Matrix
import studio, strands as st

TAU = 2 * math.pi


# --- materials ----------------------------------------------------------------------------------------------------------

def darker(hexcode, f):
    h = hexcode.lstrip('#')
    return '#' + ''.join(f'{max(0, min(255, int(int(h[i:i + 2], 16) * f))):02x}' for i in (0, 2, 4))


def wood(c): return studio.paint('wood', c, roughness=0.42, coat=0.25, grain=darker(c, 0.72), bump=0.08, scale=(0.5, 6, 6))
def metal(c): return studio.paint('metal', c, roughness=0.27, metallic=1.0)
def plastic(c): return studio.paint('plastic', c, roughness=0.32, specular=0.5, coat=0.15)
def leather(c): return studio.paint('leather', c, roughness=0.55, specular=0.4, grain=darker(c, 0.85), bump=0.5, scale=(5, 5, 5))
def cloth(c): return studio.paint('cloth', c, roughness=0.95, specular=0.1, grain=darker(c, 0.88), bump=0.6, scale=(9, 9, 9))
def card(c): return studio.paint('card', c, roughness=0.85, specular=0.2, grain=darker(c, 0.94), bump=0.15, scale=(4, 4, 4))


# --- parts --------------------------------------------------------------------------------------------------------------

def adopt(ob, material, name='part'):
    if material: ob.data.materials.append(material)
    ob.name = name
    return ob


def mesh(verts, faces, material, smooth=True):
    me = bpy.data.meshes.new('m'); me.from_pydata([tuple(v) for v in verts], [], [tuple(f) for f in faces]); me.update()
    for p in me.polygons: p.use_smooth = smooth
    ob = bpy.data.objects.new('m', me); bpy.context.scene.collection.objects.link(ob)
    return adopt(ob, material)


def rod(points, radius, material, sides=24):
    """A tube along points whose radius may change; the ends close when the radius goes to nothing, else with a cap."""
    p = np.array(points, float)[None]
    verts, quads, _ = st.tubes(p, np.broadcast_to(np.array(radius, float), p.shape[1]), sides)
    v = verts.reshape(-1, 3); n = p.shape[1]
    faces = [tuple(q) for q in quads] + [tuple(range(sides))[::-1], tuple(range((n - 1) * sides, n * sides))]
    return mesh(v, faces, material)


def straight(a, b, n=60):
    a, b = np.array(a, float), np.array(b, float)
    return a + (b - a) * np.linspace(0, 1, n)[:, None]


def taper(n, r, tip=0.18, both=False, blunt=0.12):
    """Radii of a needle: a rounded point over the first part of its length."""
    k = np.linspace(0, 1, n)
    f = np.minimum(1, k / tip) ** 0.62
    if both: f = np.minimum(f, np.minimum(1, (1 - k) / tip) ** 0.62)
    return r * np.maximum(f, blunt * (k > 0) * (k < 1) + 0.02)


def lathe(profile, material, sides=96, wobble=None):
    """Turn (radius, height) pairs round the upright axis."""
    prof = np.array(profile, float); a = np.linspace(0, TAU, sides, endpoint=False)
    r = prof[:, 0][:, None] * np.ones(sides); z = prof[:, 1][:, None] * np.ones(sides)
    if wobble is not None: r, z = wobble(r, z, a[None])
    v = np.stack([r * np.cos(a), r * np.sin(a), z], -1).reshape(-1, 3); m = len(prof)
    i = np.arange(m * sides).reshape(m, sides); j = np.roll(i, -1, 1)
    return mesh(v, np.stack([i[:-1], j[:-1], j[1:], i[1:]], -1).reshape(-1, 4), material)


def flat(outlines, thick, material, bevel=0.01, z=0.0):
    """A plate cut from outlines; inner outlines become holes."""
    cu = bpy.data.curves.new('flat', 'CURVE'); cu.dimensions = '2D'; cu.fill_mode = 'BOTH'
    cu.extrude = thick / 2 - bevel; cu.bevel_depth = bevel; cu.bevel_resolution = 2
    for o in outlines:
        sp = cu.splines.new('POLY'); sp.points.add(len(o) - 1)
        for pt, (x, y) in zip(sp.points, o): pt.co = (x, y, 0, 1)
        sp.use_cyclic_u = True
    ob = bpy.data.objects.new('flat', cu); bpy.context.scene.collection.objects.link(ob); ob.location.z = z + thick / 2
    return adopt(ob, material)


def circle(r, n=64, at=(0, 0), start=0.0, end=TAU):
    a = np.linspace(start, end, n, endpoint=abs(end - start) < TAU - 1e-6)
    return [(at[0] + r * math.cos(t), at[1] + r * math.sin(t)) for t in a]


def rounded(w, h, r, n=10):
    pts = []
    for cx, cy, s in ((w / 2 - r, h / 2 - r, 0), (-w / 2 + r, h / 2 - r, 1), (-w / 2 + r, -h / 2 + r, 2), (w / 2 - r, -h / 2 + r, 3)):
        pts += [(cx + r * math.cos(t), cy + r * math.sin(t)) for t in np.linspace(s * TAU / 4, (s + 1) * TAU / 4, n)]
    return pts


def torus(R, r, material, at=(0, 0, 0), rot=(0, 0, 0)):
    bpy.ops.mesh.primitive_torus_add(major_radius=R, minor_radius=r, major_segments=72, minor_segments=20, location=at, rotation=rot)
    ob = bpy.context.object
    for p in ob.data.polygons: p.use_smooth = True
    return adopt(ob, material)


def ball(r, material, at=(0, 0, 0), scale=(1, 1, 1)):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=r, segments=48, ring_count=24, location=at); ob = bpy.context.object; ob.scale = scale
    for p in ob.data.polygons: p.use_smooth = True
    return adopt(ob, material)


def box(size, material, at=(0, 0, 0), rot=(0, 0, 0), bevel=0.02):
    bpy.ops.mesh.primitive_cube_add(size=1, location=at, rotation=rot); ob = bpy.context.object; ob.scale = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    b = ob.modifiers.new('b', 'BEVEL'); b.width = bevel; b.segments = 3
    return adopt(ob, material)


def smooth_curve(knots, n=300, closed=False):
    """Catmull-Rom through the knots."""
    k = np.array(knots, float)
    k = np.concatenate([k[:1] * 2 - k[1:2], k, k[-1:] * 2 - k[-2:-1]])
    t = np.linspace(0, len(k) - 3 - 1e-6, n); i = t.astype(int); f = (t - i)[:, None]
    p0, p1, p2, p3 = k[i], k[i + 1], k[i + 2], k[i + 3]
    return 0.5 * (2 * p1 + (p2 - p0) * f + (2 * p0 - 5 * p1 + 4 * p2 - p3) * f ** 2 + (3 * p1 - p0 - 3 * p2 + p3) * f ** 3)


def move(obs, angle=0.0, at=(0, 0, 0)):
    m = Matrix.Translation(at) @ Matrix.Rotation(angle, 4, 'Z')
    bpy.context.view_layer.update()
    for o in obs: o.matrix_world = m @ o.matrix_world
    return obs


# --- needles and hooks ----------------------------------------------------------------------------------------------------

def needle_tip(start, towards, length, r, body, joint, blunt=0.10):
    """One tip of a circular: point, shaft, brass joint; returns the parts and where the cable leaves."""
    s, d = np.array(start, float), st.unit(np.array(towards, float))
    end = s + d * length; neck = end + d * 0.20
    parts = [rod(straight(s, end), taper(60, r, 0.2, blunt=blunt), body)]
    k = np.linspace(0, 1, 20)
    parts.append(rod(straight(end - d * 0.02, neck, 20), r * (1.03 - 0.62 * np.clip((k - 0.35) / 0.65, 0, 1) ** 1.5), joint))
    return parts, neck, d


def circular_needle(c, rng, seed, mm=4.0):
    """A coil of cable with its two tips coming down from it and crossing."""
    body, joint, cable = (wood if c[0] == '#6e2c28' else metal)(c[0]), metal(c[1]), plastic(c[2])
    r, R, extra = 0.013 * mm, 1.05, seed % 2
    def leave(theta, way): # a tip that carries on where the ring stops
        at = np.array([R * math.cos(theta), R * math.sin(theta), r]); d = np.array([-math.sin(theta), math.cos(theta), 0]) * way
        return at, d
    first, last = math.radians(222), math.radians(-42)
    obs, ends = [], []
    for theta, way, lift in ((first, 1, 0.0), (last, -1, 0.13)):
        at, d = leave(theta, way); length = 1.45
        tip = at + d * (length + 0.20); tip[2] += lift; at[2] += lift
        parts, neck, _ = needle_tip(tip, at - tip, length, r, body, joint); obs += parts; ends.append((neck, d))
    ang = np.linspace(first, last - TAU * extra, 48)[2:-2]; k = np.linspace(0, 1, 44)
    rad = R * (1 + extra * 0.09 * np.sin(k * math.pi) * np.cos(ang * 0.5 + 1))
    ring = np.stack([np.cos(ang) * rad, np.sin(ang) * rad, 0.035 + 0.06 * k * extra], -1)
    run = np.concatenate([[ends[0][0]], ring, [ends[1][0]]])
    obs.append(rod(smooth_curve(run, 500), 0.024, cable, 14))
    return move(obs, -0.55 if extra else 0.45)


def straight_needles(c, rng, seed, mm=5.0):
    body, knob = wood(c[0]), plastic(c[1]); obs = []
    for k, (ang, z) in enumerate(((0.62, 0), (1.02, 0.15))):
        L, r = 4.4, 0.012 * mm
        n = [rod(straight((-L / 2, 0, r), (L / 2, 0, r + (0.02 if k else 0)), 120), taper(120, r, 0.09), body)]
        n.append(ball(0.075 + 1.1 * r, knob, (L / 2 + 0.07, 0, 0.075 + 1.1 * r), (0.8, 1, 1)))
        move(n, ang, ((-0.15 if k else 0.15), 0, z)); obs += n
    return obs


def double_pointed(c, rng, seed, mm=2.5):
    obs = []
    for k in range(5):
        body = wood([c[0], c[1]][k % 2]); L, r = 3.5, 0.0155 * mm
        n = [rod(straight((-L / 2, 0, r), (L / 2, 0, r), 120), taper(120, r, 0.075, both=True), body)]
        obs += move(n, 0.36 + 0.20 * k, ((k - 2) * 0.10, (k - 2) * -0.06, 2 * r * (k % 2) + 0.3 * r * k))
    return obs


def cable_needles(c, rng, seed):
    n = 140
    x = np.linspace(-1.5, 1.5, n); obs = []
    dips = [0.42 * np.exp(-(x / 0.30) ** 2), 0.30 * np.exp(-(x / 0.2) ** 4), 0 * x]
    for k, mm in enumerate((2.5, 4.0, 6.0)):
        r = 0.015 * mm
        if k == 2: # the J-shaped one
            t = np.linspace(0, 1, n); line = np.where((t < 0.62)[:, None], np.stack([-1.5 + 2.5 * t / 0.62, 0 * t, 0 * t], -1), 0)
            f = np.clip((t - 0.62) / 0.25, 0, 1) * math.pi; g = np.clip((t - 0.87) / 0.13, 0, 1)
            bend = np.stack([1.0 + 0.26 * np.sin(f) - g * 0.55, 0.26 * (1 - np.cos(f)), 0 * t], -1); line = np.where((t < 0.62)[:, None], line, bend)
        else: line = np.stack([x, dips[k], 0 * x], -1)
        line[:, 2] += r
        obs += move([rod(line, taper(n, r, 0.10, both=True), metal(c[k]) if k == 1 else plastic(c[k]))], 0.55, (0.35 * (k - 1), -0.80 * (k - 1), 0))
    return obs


def hook(length, r, shaft, grip=None, grip_from=0.30, grip_to=0.72, grip_r=1.7):
    """A crochet hook along x: rounded head with a throat, thumb rest, handle."""
    n = 220; x = np.linspace(0, length, n); k = x / r
    rad = r * np.clip(np.sqrt(np.maximum(0, 1 - (1 - np.minimum(k / 1.3, 1)) ** 2)), 0.05, 1)
    throat = np.exp(-((k - 3.1) / 0.95) ** 2)
    rad = rad * (1 - 0.48 * throat)
    rad = rad * (1 - 0.05 * np.exp(-((x / length - 0.42) / 0.06) ** 4))
    rad[-6:] *= np.linspace(1, 0.5, 6)
    lift = r * 0.42 * throat
    # The hook's lip: the head leans over the throat on one side.
    line = np.stack([x, lift, np.full(n, 0.0)], -1)
    obs = [rod(line, rad, shaft, 32)]
    lip = np.stack([np.linspace(0.5, 2.7, 20) * r, -np.linspace(0.25, 0.86, 20) * r, 0 * np.linspace(0, 1, 20)], -1)
    obs.append(rod(lip, r * np.linspace(0.50, 0.10, 20), shaft, 16))
    if grip:
        a, b = length * grip_from, length * grip_to; m = np.linspace(0, 1, 80)
        g = r * grip_r * (1 - 0.15 * np.exp(-((m - 0.3) / 0.14) ** 2)) * np.clip(np.minimum(m, 1 - m) / 0.06, 0.25, 1) ** 0.45
        obs.append(rod(straight((a, 0, 0), (b, 0, 0), 80), g, grip, 32))
    for o in obs: o.location.z += r * (grip_r if grip else 1)
    return obs


def crochet_hook(c, rng, seed, mm=5.0):
    is_metal = c[0] == '#d3d6da'
    obs = hook(4.2, 0.025 * mm, (metal if is_metal else wood)(c[0]), (plastic if is_metal else wood)(c[1]), 0.36, 0.80 if is_metal else 0.98, 1.9 if is_metal else 1.35)
    return move(obs, 0.80 if is_metal else 2.35, (0, 0, 0))


def crochet_hook_set(c, rng, seed):
    obs = []
    if len(c) > 3:
        for k, colour in enumerate(c):
            r = 0.06 + 0.009 * k
            obs += move(hook(2.9 + 0.03 * k, r, metal(colour)), math.pi / 2 + 0.30 - 0.085 * k, ((k - 3.5) * 0.36, -0.05 * (k - 3.5) ** 2 * 0.3, 0))
        return obs
    roll = cloth(c[2])
    obs.append(flat([rounded(3.3, 3.0, 0.12)], 0.07, roll, 0.02))
    obs.append(flat([rounded(3.3, 1.25, 0.10)], 0.06, cloth(darker(c[2], 1.25)), 0.02, 0.07)); obs[-1].location.y = -0.85
    for k in range(8):
        r = 0.045 + 0.008 * k
        obs += move(hook(2.35, r, metal(c[0]), metal(c[1]), 0.42, 0.99, 1.45), -math.pi / 2, ((k - 3.5) * 0.38, 1.28, 0.10))
    for k in range(9): obs.append(rod(straight(((k - 4) * 0.38, -1.45, 0.135), ((k - 4) * 0.38, -0.24, 0.135), 30), 0.012, cloth(c[1]), 8))
    return move(obs, 0.42)


def interchangeable_set(c, rng, seed):
    obs = [flat([rounded(3.5, 2.9, 0.16)], 0.10, cloth(c[2]), 0.03), flat([rounded(3.3, 2.7, 0.10)], 0.03, cloth(c[3]), 0.01, 0.10)]
    body, joint, cable = wood(c[0]), metal(c[1]), plastic('#2b2522')
    for k in range(9):
        r = 0.040 + 0.0085 * k; x = -1.45 + 0.265 * k
        parts, _, _ = needle_tip((x, 1.12, 0.15 + r), (0, -1, 0), 1.55, r, body, joint); obs += parts
    for y in (0.55, -0.15): obs.append(box((2.65, 0.16, 0.03), leather(c[0]), (-0.38, y, 0.33), bevel=0.01))
    for k, (x, y) in enumerate(((1.28, 0.55), (1.28, -0.45))):
        for j in range(4): obs.append(torus(0.26 + 0.02 * j, 0.020, cable, (x, y, 0.155 + 0.028 * j)))
        obs.append(rod(straight((x + 0.30, y - 0.1, 0.20), (x + 0.30, y + 0.22, 0.20), 10), 0.035, joint, 16))
    obs.append(box((2.6, 0.42, 0.05), cloth(darker(c[2], 0.9)), (-0.38, -1.10, 0.155), bevel=0.02))
    for x in (-1.2, -0.4, 0.4): obs.append(ball(0.05, joint, (x, -1.10, 0.18), (1, 1, 0.4)))
    return move(obs, 0.40)


# --- notions ----------------------------------------------------------------------------------------------------------------

def stitch_markers(c, rng, seed):
    obs = []; spots = [(-1.15, 0.75), (-0.25, 1.05), (0.75, 0.85), (1.35, 0.0), (-0.65, 0.05), (0.35, 0.15), (-1.35, -0.60), (-0.35, -0.85), (0.70, -0.75), (1.30, -1.15), (-0.95, -1.45), (0.15, -1.6)]
    for k, (x, y) in enumerate(spots):
        m = plastic(c[k % len(c)])
        if k % 3 == 2: # locking marker: a little safety pin
            s = [(0.0, 0.42, 0), (0.16, 0.30, 0), (0.14, -0.1, 0), (0.10, -0.42, 0), (0.0, -0.54, 0), (-0.10, -0.42, 0), (-0.14, 0.0, 0.03), (-0.17, 0.30, 0.04), (-0.04, 0.43, 0.04), (0.06, 0.32, 0.05)]
            p = smooth_curve(np.array(s) * 0.95, 140); p[:, 2] += 0.05
            obs += move([rod(p, 0.045, m, 16)], rng.uniform(0, 6), (x, y, 0))
        else:
            R = [0.34, 0.26][k % 2]
            obs.append(torus(R, 0.055, m, (x, y, 0.055), (rng.normal(0, 0.03), rng.normal(0, 0.03), 0)))
    obs.append(torus(0.30, 0.055, plastic(c[1]), (-0.38, 0.42, 0.17), (0.35, -0.2, 0)))
    return obs


def tape_measure(c, rng, seed):
    case, brass, tape = leather(c[0]), metal(c[1]), card(c[2]); obs = []
    prof = [(0, 0), (0.98, 0), (1.06, 0.06), (1.08, 0.2), (1.08, 0.40), (1.06, 0.52), (0.98, 0.58), (0, 0.60)]
    obs.append(lathe(prof, case)); obs.append(torus(1.075, 0.035, leather(darker(c[0], 0.8)), (0, 0, 0.30)))
    obs.append(lathe([(0, 0.60), (0.28, 0.60), (0.30, 0.62), (0.27, 0.66), (0.0, 0.68)], brass))
    for k in range(72):
        a = k * TAU / 72; obs.append(box((0.055, 0.014, 0.012), card('#d8c39a'), (0.88 * math.cos(a), 0.88 * math.sin(a), 0.592), (0, 0, a + math.pi / 2), 0.003))
    # The tape: stands on edge where it leaves the case, then lies over on to the table.
    n = 160; t = np.linspace(0, 1, n)
    path = smooth_curve([(0.2, -1.04, 0), (0.9, -1.10, 0), (1.5, -1.35, 0), (1.75, -1.9, 0), (1.2, -2.25, 0), (0.3, -2.1, 0), (-0.7, -2.2, 0), (-1.4, -2.0, 0)], n)
    tan = st.unit(np.gradient(path, axis=0)); side = np.cross(tan, [0, 0, 1.0]); lean = np.clip(t / 0.55, 0, 1); lean = lean * lean * (3 - 2 * lean) * math.pi / 2 * 0.97
    wide = np.cos(lean)[:, None] * np.array([0, 0, 1.0]) + np.sin(lean)[:, None] * side
    low = path + np.array([0, 0, 0.06]) * (1 - t)[:, None] + np.array([0, 0, 0.02])
    def strip(a, b, f0, f1, m, off=0.0):
        i = slice(a, b + 1); nrm = np.cross(tan[i], wide[i]); base = low[i] + nrm * off
        v = np.concatenate([base + wide[i] * 0.44 * f0, base + wide[i] * 0.44 * f1]); L = b - a + 1
        return mesh(v, [(k, k + 1, L + k + 1, L + k) for k in range(L - 1)], m)
    ribbon = strip(0, n - 1, 0, 1, tape); s = ribbon.modifiers.new('t', 'SOLIDIFY'); s.thickness = 0.012; s.offset = 0; obs.append(ribbon)
    ink = studio.paint('ink', '#4a2a22', 0.8)
    for k in range(2, 154, 4):
        for off in (0.012, -0.012): obs.append(strip(k, k + 1, 0.62 if k % 20 == 2 else 0.80, 1.0, ink, off))
    end = path[-1]; obs.append(box((0.12, 0.46, 0.06), brass, (end[0] - 0.02, end[1] + 0.2, 0.05), (0, 0, 0.0), 0.015))
    return move(obs, 0.0)


def scissors(c, rng, seed):
    gold, steel = metal(c[0]), metal(c[1]); obs = []
    for side in (1, -1):
        z = 0.06 + (0.07 if side > 0 else 0)
        part = [flat([[(-0.10, 0.0), (-0.13, 0.35), (0.0, 2.35), (0.03, 2.36), (0.13, 0.5), (0.12, 0.0), (0.05, -0.25), (-0.06, -0.2)]], 0.06, steel, 0.012, z)]
        neck = smooth_curve([(0.0, 0.0, 0), (0.02, -0.35, 0), (0.12, -0.75, 0), (0.30, -1.15, 0), (0.34, -1.35, 0)], 80); neck[:, 2] = z + 0.05
        part.append(rod(neck, np.linspace(0.12, 0.075, 80) * (1 + 0.35 * np.exp(-((np.linspace(0, 1, 80) - 0.5) / 0.07) ** 2)), gold, 20))
        a = np.linspace(0, TAU, 90); ringp = np.stack([0.50 + 0.36 * np.cos(a), -1.78 + 0.52 * np.sin(a), 0 * a + z + 0.05], -1)
        part.append(rod(ringp, 0.075, gold, 18)); part.append(ball(0.085, gold, (0.22, -0.95, z + 0.05)))
        if side < 0:
            for o in part: o.scale.x *= -1; o.location.x *= -1
        obs += move(part, 0.20 * side)
    obs.append(lathe([(0, 0.30), (0.10, 0.30), (0.12, 0.27), (0.12, 0.0)], gold))
    return move(obs, -0.72)


def row_counter(c, rng, seed):
    body, face, ink = plastic(c[0]), plastic(c[1]), studio.paint('ink', c[2], 0.6); obs = []
    obs.append(lathe([(0, 0), (0.86, 0), (1.02, 0.05), (1.10, 0.20), (1.10, 0.38), (1.02, 0.54), (0.86, 0.60), (0, 0.61)], body))
    obs[0].scale = (1.0, 1.22, 1)
    obs.append(flat([rounded(1.25, 0.74, 0.12)], 0.05, plastic(darker(c[0], 0.8)), 0.02, 0.585)); obs[-1].location.y = 0.22
    for k, d in enumerate('27'):
        x = -0.28 + 0.56 * k
        obs.append(flat([rounded(0.50, 0.60, 0.05)], 0.03, face, 0.01, 0.62)); obs[-1].location.x, obs[-1].location.y = x, 0.22
        cu = bpy.data.curves.new('d', 'FONT'); cu.body = d; cu.size = 0.58; cu.extrude = 0.004; cu.align_x = cu.align_y = 'CENTER'
        o = bpy.data.objects.new('d', cu); bpy.context.scene.collection.objects.link(o); o.location = (x, 0.22, 0.655); obs.append(adopt(o, ink))
    obs.append(lathe([(0, 0.60), (0.30, 0.60), (0.34, 0.64), (0.33, 0.74), (0.26, 0.79), (0, 0.80)], face)); obs[-1].location.y = -0.68
    obs.append(torus(0.22, 0.05, metal('#c9ccd0'), (0, 1.50, 0.30)))
    n = 200; cord = smooth_curve([(0.0, 1.66, 0.30), (0.3, 2.1, 0.10), (1.1, 2.35, 0.05), (1.75, 1.7, 0.05), (1.6, 0.8, 0.05), (1.75, 0.0, 0.05), (1.5, -0.9, 0.05)], n)
    obs.append(rod(cord, 0.045, cloth(c[2]), 12))
    return move(obs, 0.30)


def wool_wash(c, rng, seed):
    bottle = studio.paint('glass', c[0], roughness=0.18, specular=0.6, coat=0.6); label = card(c[1]); cap = plastic(c[2]); obs = []
    obs.append(lathe([(0, 0), (0.70, 0), (0.78, 0.05), (0.80, 0.14), (0.80, 1.75), (0.77, 1.95), (0.62, 2.15), (0.36, 2.28), (0.30, 2.36), (0.30, 2.5), (0, 2.5)], bottle))
    obs.append(lathe([(0.29, 2.42), (0.36, 2.42), (0.37, 2.45), (0.37, 2.82), (0.34, 2.87), (0, 2.88)], cap, wobble=lambda r, z, a: (r * (1 + 0.012 * np.sign(np.sin(a * 34)) * (r > 0.35)), z)))
    def wrap(z0, z1, half, m, r, mid=-1.75):
        a = np.linspace(mid - half, mid + half, 60); v = [(r * math.cos(t), r * math.sin(t), z) for z in (z0, z1) for t in a]
        return mesh(v, [(k, k + 1, 61 + k, 60 + k) for k in range(59)], m)
    obs.append(wrap(0.45, 1.60, 1.25, label, 0.806)); ink = studio.paint('ink', c[2], 0.8)
    for z in (0.53, 1.51): obs.append(wrap(z, z + 0.018, 1.19, ink, 0.809))
    for k, half in enumerate((0.34, 0.42, 0.25)): obs.append(wrap(0.78 - 0.07 * k, 0.80 - 0.07 * k, half, ink, 0.809))
    obs.append(wrap(0.98, 1.36, 0.24, studio.paint('mark', c[0], 0.8), 0.809))
    return obs


def darning_needles(c, rng, seed):
    steel = metal(c[0]); obs = []
    for k in range(3):
        L, w = 3.0 + 0.25 * k, 0.055 + 0.012 * k; t = np.linspace(0, 1, 60)
        half = w * np.clip(t / 0.14, 0.06, 1) ** 0.7 * (1 + 0.55 * np.exp(-((t - 0.93) / 0.05) ** 2)) * np.clip((1 - t) / 0.012, 0.3, 1)
        xs = (t - 0.5) * L
        outer = [(x, h) for x, h in zip(xs, half)] + [(x, -h) for x, h in zip(xs[::-1], half[::-1])]
        eye = [(L * (0.93 - 0.5) + 0.17 * L / 3 * math.cos(a), w * 0.62 * math.sin(a)) for a in np.linspace(0, TAU, 40, endpoint=False)]
        obs += move([flat([outer, eye], w * 1.7, steel, w * 0.55)], 0.62 + 0.13 * k, (-0.30 - 0.42 * k + 0.55, 0.45 * k - 0.2, 0))
    tube, cap = metal(c[1]), metal(darker(c[1], 1.25))
    case = [rod(straight((-1.3, 0, 0.24), (0.75, 0, 0.24), 40), np.array([0.16] + [0.235] * 38 + [0.235]), tube, 40), rod(straight((0.76, 0, 0.24), (1.35, 0, 0.24), 30), np.array([0.25] * 28 + [0.22, 0.14]), tube, 40),
            rod(straight((0.70, 0, 0.24), (0.80, 0, 0.24), 8), 0.252, cap, 40)]
    obs += move(case, 0.62, (0.75, -0.75, 0))
    return obs


def blocking_set(c, rng, seed):
    steel, gold, foam = metal(c[0]), metal(c[1]), studio.paint('foam', c[2], roughness=0.95, specular=0.1, bump=0.5, scale=(14, 14, 14)); obs = []
    def tile(x, y, shade):
        n, w, pts = 6, 1.7, []
        for side in range(4):
            for k in range(n):
                a = -w / 2 + w * k / n
                for f, o in ((0.08, 0), (0.0, 0.13), (0.5, 0.13), (0.42, 0)) if k % 2 == 0 else ((0.5, 0.0),):
                    px, py = a + w / n * (f * (1 if k % 2 == 0 else 1) + 0.2), -w / 2 - (o if side in (0, 1) else -o)
                    s, q = math.sin(side * TAU / 4), math.cos(side * TAU / 4); pts.append((px * q - py * s, px * s + py * q))
        o = flat([pts], 0.20, shade, 0.02); o.location.x, o.location.y = x, y
        return o
    other = studio.paint('foam2', darker(c[2], 0.82), roughness=0.95, specular=0.1, bump=0.5, scale=(14, 14, 14))
    for k, (x, y) in enumerate(((-0.86, 0.86), (0.86, 0.86), (-0.86, -0.86), (0.86, -0.86))): obs.append(tile(x, y, (foam, other)[k in (1, 2)]))
    for k in range(4): obs += move([rod(straight((-1.75, 0, 0.23), (1.75, 0, 0.23), 20), 0.022, steel, 12)], 0.72 + 0.02 * k, (-0.25 + 0.10 * k, 0.30 - 0.12 * k, 0.0))
    for k, (x, y) in enumerate(((0.75, -1.25), (1.15, -0.85), (0.35, -1.45), (1.35, -0.25), (0.85, -0.60))):
        pin = [rod(straight((0, 0, 0), (0, 0, 0.52), 10), 0.018, gold, 10), rod(straight((-0.16, 0, 0.52), (0.16, 0, 0.52), 10), 0.028, gold, 12)]
        for o in pin: o.rotation_euler = (0.14 * math.sin(k * 2), 0.2 * math.cos(k * 1.7), 0)
        obs += move(pin, k * 0.9, (x, y, 0.16))
    return move(obs, 0.42)


def buttons(c, rng, seed):
    obs = []; spots = [(-0.95, 0.75, 0.62), (0.55, 0.95, 0.70), (1.55, -0.05, 0.52), (0.15, -0.35, 0.66), (-1.35, -0.55, 0.52), (-0.50, -1.45, 0.64), (1.05, -1.35, 0.60)]
    for k, (x, y, R) in enumerate(spots):
        m = wood(c[k % 3]) if k % 2 else studio.paint('horn', c[k % 3], roughness=0.25, coat=0.5, grain=darker(c[(k + 1) % 3], 0.9), scale=(1.2, 2.4, 1))
        holes = [circle(0.075, 24, (0.15 * math.cos(a), 0.15 * math.sin(a))) for a in (np.arange(4) * TAU / 4 + TAU / 8 if k % 3 else np.arange(2) * math.pi)]
        b = [flat([circle(R * 0.98, 96)] + holes, 0.13, m, 0.05), torus(R * 0.86, 0.06, m, (0, 0, 0.115))]
        obs += move(b, rng.uniform(0, 3), (x, y, 0))
    # One leans on its neighbours.
    m = wood(c[0]); b = [flat([circle(0.55, 96)] + [circle(0.07, 24, (0.14 * math.cos(a), 0.14 * math.sin(a))) for a in np.arange(4) * TAU / 4], 0.13, m, 0.05), torus(0.47, 0.06, m, (0, 0, 0.115))]
    bpy.context.view_layer.update()
    for o in b: o.matrix_world = Matrix.Translation((-0.28, 0.30, 0.18)) @ Matrix.Rotation(0.22, 4, 'X') @ o.matrix_world
    return obs + b


def gauge_ruler(c, rng, seed):
    body, ink = studio.paint('ply', c[0], roughness=0.6, grain=darker(c[0], 0.9), scale=(0.6, 7, 1)), studio.paint('ink', c[1], 0.8); obs = []
    W, H = 3.6, 2.1
    holes = [circle(0.055 + 0.013 * k, 40, (-1.55 + 0.215 * k + 0.0035 * k * k, 0.76)) for k in range(13)]
    window = [(-1.15, 0.42), (-1.15, -0.55), (1.35, -0.55), (1.35, -0.30), (-0.90, -0.30), (-0.90, 0.42)]
    obs.append(flat([rounded(W, H, 0.14), window] + holes + [circle(0.10, 40, (1.60, -0.86))], 0.09, body, 0.012))
    def tick(x, y, w, h): obs.append(box((w, h, 0.004), ink, (x, y, 0.0915), bevel=0.0005))
    for k in range(51): tick(-1.65 + 0.062 * k, -H / 2 + (0.17 if k % 10 == 0 else 0.12 if k % 5 == 0 else 0.08), 0.010, 0.22 if k % 10 == 0 else 0.15 if k % 5 == 0 else 0.09)
    for k in range(26): tick(-1.15 + 0.1 * k, -0.245 if k >= 0 else 0, 0.010, 0.05 if k % 5 else 0.10)
    for k in range(10): tick(-1.20 - (0.03 if k % 5 == 0 else 0.01), -0.55 + 0.1 * k, 0.10 if k % 5 == 0 else 0.05, 0.010)
    return move(obs, 0.50)


# --- cloth, boxes, wool -----------------------------------------------------------------------------------------------------

def project_bag(c, rng, seed):
    fabric, lining, cord = cloth(c[0]), cloth(c[1]), cloth(c[2]); obs = []
    z = np.linspace(0, 1, 60); prof = []
    body = [(0, 0.02), (0.70, 0.0), (0.92, 0.05), (1.02, 0.22), (1.05, 0.6), (1.0, 1.05), (0.86, 1.45), (0.56, 1.78), (0.36, 1.92), (0.34, 1.98), (0.44, 2.08), (0.66, 2.30), (0.76, 2.42)]
    fine = smooth_curve([(r, 0, h) for r, h in body], 90)[:, [0, 2]]
    ph = rng.random(6) * TAU
    def folds(r, h, a):
        k = np.clip((h - 0.5) / 1.3, 0, 1)
        w = 0.10 * k * (np.sin(a * 9 + ph[0]) + 0.6 * np.sin(a * 14 + ph[1] + h) + 0.4 * np.sin(a * 5 + ph[2])) + 0.02 * np.sin(a * 3 + h * 2)
        return r * (1 + w * 0.55) + 0.03 * np.sin(a * 4 + h * 3 + ph[3]) * (r > 0.3), h + 0.05 * k * np.sin(a * 5 + ph[4])
    bag = lathe(fine, fabric, 240, folds); s = bag.modifiers.new('t', 'SOLIDIFY'); s.thickness = 0.03; s.material_offset = 1; bag.data.materials.append(lining); obs.append(bag)
    a = np.linspace(0, TAU, 120)
    for dz in (0, 0.05): obs.append(rod(np.stack([0.385 * np.cos(a), 0.385 * np.sin(a), 1.94 + dz + 0.02 * np.sin(3 * a)], -1), 0.040, cord, 12))
    for sgn in (-1, 1):
        p = smooth_curve([(0.30 * sgn, -0.30, 1.96), (0.42 * sgn, -0.62, 1.86), (0.50 * sgn, -0.98, 1.35), (0.46 * sgn, -1.10, 0.85), (0.40 * sgn, -1.12, 0.62 + 0.12 * sgn)], 90); obs.append(rod(p, 0.038, cord, 12)); obs.append(ball(0.085, cord, tuple(p[-1])))
    tag = box((0.50, 0.02, 0.30), leather(c[2]), (0.0, -1.075, 0.42), (-0.06, 0, 0), 0.008); obs.append(tag)
    return obs


def ball_of(wool, rng, strand, plies, hair, radius):
    d = 0.047 * strand / radius; wraps, _ = st.sphere_wraps(rng, d); m = st.Mesh()
    st.spin(m, wraps, d, rng, plies=plies, sides=4, hair=hair, hair_length=0.09)
    o = studio.mesh_object(m.arrays(), wool); o.scale = (radius,) * 3
    i = ball((1 - min(0.17, 3.0 * d) - 0.1 * d) * radius, wool)
    return [o, i]


def kit_box(plan, c, rng, wool):
    """An open box with a nest of tissue and a ball or hank for each colour."""
    look = plan.get('variant', 0)
    tone = ['#b8925f', '#e4d9c2', '#8f7350', '#c3a377'][look % 4]; side = card(tone); obs = []
    W, D, H, t = 3.5, 2.5, 0.95, 0.06
    obs.append(box((W, D, t), side, (0, 0, t / 2), bevel=0.005))
    for x, y, w, d in ((0, D / 2, W, t), (0, -D / 2, W, t), (W / 2, 0, t, D), (-W / 2, 0, t, D)): obs.append(box((w + (t if d == t else 0), d, H), side, (x, y, H / 2), bevel=0.008))
    # The lid leans behind.
    lid = [box((W + 0.16, D + 0.16, t), side, (0, 0, 0), bevel=0.01)] + [box(s, side, p, bevel=0.008) for s, p in (((W + 0.16, t, 0.4), (0, D / 2 + 0.06, -0.2)), ((W + 0.16, t, 0.4), (0, -D / 2 - 0.06, -0.2)), ((t, D + 0.16, 0.4), (W / 2 + 0.06, 0, -0.2)), ((t, D + 0.16, 0.4), (-W / 2 - 0.06, 0, -0.2)))]
    bpy.context.view_layer.update()
    for o in lid: o.matrix_world = Matrix.Translation((0.22, D / 2 + 0.66, 0.72)) @ Matrix.Rotation(-1.12, 4, 'X') @ Matrix.Rotation(math.pi, 4, 'Z') @ o.matrix_world
    bpy.context.view_layer.update()
    drop = studio.bounds(lid)[0].z
    for o in lid: o.location.z -= drop
    obs += lid
    n = 90; gx, gy = np.meshgrid(np.linspace(-W / 2 + t, W / 2 - t, n), np.linspace(-D / 2 + t, D / 2 - t, n), indexing='ij')
    from mathutils import noise
    gz = np.array([0.30 + 0.16 * noise.ridged_multi_fractal(Vector((x * 1.3, y * 1.3, look * 7.7)), 1.0, 2.0, 4, 0.8, 1.2) for x, y in zip(gx.ravel(), gy.ravel())])
    i = np.arange(n * n).reshape(n, n)
    obs.append(mesh(np.stack([gx.ravel(), gy.ravel(), gz], -1), np.stack([i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]], -1).reshape(-1, 4), card('#f1ebde'), smooth=False))
    layout = [[(-0.98, 0.12, 0.66, 0), (0.35, 0.42, 0.62, 1), (0.10, -0.66, 0.50, 0), (1.12, -0.48, 0.52, 1), (1.30, 0.58, 0.40, 0)],
              [(-0.80, 0.0, 0.76, 0), (0.78, 0.05, 0.76, 1)],
              [(-1.10, 0.42, 0.56, 0), (0.02, 0.52, 0.56, 1), (1.12, 0.46, 0.56, 2), (-0.62, -0.58, 0.54, 3), (0.52, -0.60, 0.54, 0)],
              [(-1.08, 0.0, 0.58, 0), (0.0, 0.05, 0.58, 1), (1.08, 0.0, 0.58, 2)]][look % 4]
    if look % 4 == 3: # hanks lie side by side
        d = 0.047 * plan['strand']; layers, core, rc = st.hank(rng, d, half=0.62, rb=0.24, turns=1.0, squeeze=0.02)
        m = st.Mesh()
        for b in layers: st.spin(m, b, d, rng, plies=plan['plies'], sides=4, hair=plan['hair'] // 2, hair_length=0.07)
        verts, quads, _ = st.tubes(core.paths, rc, 24); z = np.zeros(verts.shape); m.add(verts, quads, z, z, z)
        first = studio.mesh_object(m.arrays(), wool)
        for k, (x, y, r, part) in enumerate(layout):
            o = first if k == 0 else first.copy()
            if k: bpy.context.scene.collection.objects.link(o)
            o.pass_index = part; o.location = (x, y, 0.80); o.rotation_euler = (k * 1.3, 0, math.pi / 2 + 0.08 * (k - 1)); obs.append(o)
    else:
        pair = ball_of(wool, rng, plan['strand'] * 0.9, plan['plies'], plan['hair'] // 3, 0.6)
        for k, (x, y, r, part) in enumerate(layout):
            for src in pair:
                o = src if k == 0 else src.copy()
                if k: bpy.context.scene.collection.objects.link(o); o.scale = tuple(v * r / layout[0][2] for v in src.scale)
                else: o.scale = tuple(v * r / 0.6 for v in o.scale)
                o.pass_index = part; o.location = (x, y, 0.34 + r * 0.86); o.rotation_euler = (k * 1.7, k * 0.9, k * 2.3); obs.append(o)
    return move(obs, [-0.32, 0.34, -0.25, 0.30][look % 4])


def pompom_maker(plan, c, rng, wool):
    obs = []
    for k in range(2):
        m = plastic(c[k])
        for half in (0, 1):
            a = np.linspace(0.08, math.pi - 0.08, 60)
            o = flat([[(0.78 * math.cos(t), 0.78 * math.sin(t)) for t in a] + [(0.46 * math.cos(t), 0.46 * math.sin(t)) for t in a[::-1]]], 0.10, m, 0.03)
            rim = rod(np.stack([0.46 * np.cos(a), 0.46 * np.sin(a), 0 * a + 0.12], -1), 0.07, m, 14)
            grp = [o, rim] + [flat([rounded(0.26, 0.34, 0.08)], 0.12, m, 0.03)]
            grp[2].location.x, grp[2].location.y = 0.0, 0.84
            obs += move(grp, half * math.pi + (0.35 if k else -0.25) + (0.5 if k and half else 0), ((-1.15, -0.45, 0) if k == 0 else (0.75, -0.95 , 0)) if not (k and half) else (0.95, -1.05, 0))
    n, N = 2600, 8
    d = st.unit(rng.normal(0, 1, (n, 3))); k = np.linspace(0.25, 1, N)[None, :, None]
    paths = d[:, None] * k * (0.86 + rng.normal(0, 0.03, (n, 1, 1))) + rng.normal(0, 0.045, (n, 1, 3)) * k ** 2
    s = st.Strands(paths, rng.random((n, 1)), 0.5, d[:, None]); m = st.Mesh()
    st.spin(m, s, 0.05, rng, plies=2, sides=4, hair=40000, hair_length=0.05)
    o = studio.mesh_object(m.arrays(), wool); o.location = (0.15, 0.72, 0.85); obs.append(o)
    inner = ball(0.55, wool, (0.15, 0.72, 0.85)); obs.append(inner)
    return obs


PLAIN = {'circular-needle': circular_needle, 'straight-needles': straight_needles, 'double-pointed-needles': double_pointed, 'cable-needles': cable_needles,
         'crochet-hook': crochet_hook, 'crochet-hook-set': crochet_hook_set, 'interchangeable-set': interchangeable_set, 'stitch-markers': stitch_markers, 'tape-measure': tape_measure,
         'scissors': scissors, 'row-counter': row_counter, 'wool-wash': wool_wash, 'darning-needles': darning_needles, 'blocking-set': blocking_set, 'buttons': buttons, 'gauge-ruler': gauge_ruler, 'project-bag': project_bag}
WOOLLY = {'kit-box': kit_box, 'pompom-maker': pompom_maker}


def solid(obs):
    """Curves and letters become meshes, so that framing sees their true outline."""
    for o in obs:
        if o.type == 'MESH': continue
        bpy.ops.object.select_all(action='DESELECT'); o.select_set(True); bpy.context.view_layer.objects.active = o
        bpy.ops.object.convert(target='MESH')
    return obs


# What is as thick as its size says.
SIZED = {'circular-needle', 'straight-needles', 'double-pointed-needles', 'crochet-hook'}


def build(plan, rng, wool):
    c = plan['colours']
    sized = {'mm': plan['mm']} if plan.get('mm') and plan['shape'] in SIZED else {}
    obs = WOOLLY[plan['shape']](plan, c, rng, wool) if plan['shape'] in WOOLLY else PLAIN[plan['shape']](c, rng, plan.get('seed', 1), **sized)
    return solid(obs)
