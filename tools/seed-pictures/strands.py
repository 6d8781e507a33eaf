"""Yarn as geometry: centre lines become plies, plies become tubes, and stray fibres make a halo. Plain numpy, no Blender."""
import numpy as np

TAU = 2 * np.pi
PER_TURN = 6.5  # points for each turn of the plies: few, because fine yarn has millions of them


class Strands:
    """A batch of strand centre lines with what the dyer needs to know along them.

    paths (S, N, 3); t: place along the dyed loop (hand-dyed colour repeats with it); w: how far into the winding, 0..1;
    out (S, N, 3): which way is up from the surface, where fibres may stand free.
    """

    def __init__(self, paths, t, w, out, bare=False):
        self.paths = np.asarray(paths, float)
        s, n = self.paths.shape[:2]
        self.t = np.broadcast_to(t, (s, n)).astype(float)
        self.w = np.broadcast_to(w, (s, n)).astype(float)
        self.out = np.broadcast_to(out, (s, n, 3)).astype(float)
        self.bare = np.broadcast_to(bare, (s, n))  # no loose fibres here: a paper band holds them down


def unit(v):
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-9)


def frames(paths):
    """Tangent, normal and binormal carried along each path without spinning (parallel transport)."""
    tangent = unit(np.gradient(paths, axis=1))
    normal = np.zeros_like(paths)
    start = np.cross(tangent[:, 0], np.array([0.31, 0.17, 0.93]))
    normal[:, 0] = unit(start)
    for i in range(1, paths.shape[1]):
        carried = normal[:, i - 1] - tangent[:, i] * np.sum(normal[:, i - 1] * tangent[:, i], -1, keepdims=True)
        normal[:, i] = unit(carried)
    return tangent, normal, np.cross(tangent, normal)


def lengths(paths):
    step = np.linalg.norm(np.diff(paths, axis=1), axis=-1)
    return np.concatenate([np.zeros((len(paths), 1)), np.cumsum(step, 1)], 1)


def wander(rng, count, phase, low=2, high=6, periodic=True):
    """Smooth noise along a strand, about -1..1; whole frequencies so that closed loops close."""
    total = np.zeros((count, phase.shape[-1]))
    for k in range(low, high + 1):
        f = k if periodic else k * rng.uniform(0.8, 1.2, (count, 1))
        total += np.sin(TAU * (f * phase + rng.random((count, 1)))) * rng.normal(0, 1, (count, 1)) / np.sqrt(k / low)
    return total / np.sqrt(high - low + 1)


def tubes(paths, radius, sides, frame=None):
    """Verts (S, N, K, 3), quads and the angle round the tube."""
    s, n = paths.shape[:2]
    _, nor, bi = frame or frames(paths)
    a = np.arange(sides) * TAU / sides
    ring = nor[:, :, None] * np.cos(a)[None, None, :, None] + bi[:, :, None] * np.sin(a)[None, None, :, None]
    r = np.broadcast_to(radius, (s, n))[:, :, None, None]
    verts = paths[:, :, None] + ring * r
    i = np.arange(s * n * sides).reshape(s, n, sides)
    j = np.roll(i, -1, axis=2)
    quads = np.stack([i[:, :-1], j[:, :-1], j[:, 1:], i[:, 1:]], -1).reshape(-1, 4)
    return verts, quads, a


class Mesh:
    """Collects parts; each vertex carries dye=(t, w, strand), ids=(ply, length in diameters, fuzz) and fibre=bump space."""

    def __init__(self):
        self.parts, self.count = [], 0

    def add(self, verts, quads, dye, ids, fibre):
        self.parts.append((verts.reshape(-1, 3), quads + self.count, dye.reshape(-1, 3), ids.reshape(-1, 3), fibre.reshape(-1, 3)))
        self.count += verts.reshape(-1, 3).shape[0]

    def arrays(self):
        return [np.concatenate(x).astype(np.int32 if k == 1 else np.float32) for k, x in enumerate(zip(*self.parts))]


def spin(mesh, strands, diameter, rng, plies=3, pitch=4.2, sides=6, slub=0.05, hair=0, hair_length=0.12, view=(0, -0.75, 0.66)):
    """Spin the strands from plies and leave loose fibres on them."""
    paths = strands.paths
    s, n = paths.shape[:2]
    frame = frames(paths)
    along = lengths(paths)
    strand_id = rng.random((s, 1)) * np.ones((1, n))
    r = diameter / 2
    thick = 1 + slub * wander(rng, s, along / max(along.max(), 1e-6), 6, 14, False)
    turn = TAU * (along / (pitch * diameter) + rng.random((s, 1)))
    for p in range(plies):
        a = turn + TAU * p / plies
        if plies == 1:
            centre, rp = paths, r * thick
        else:
            h = r * (0.46 if plies == 2 else 0.52)
            centre = paths + (frame[1] * np.cos(a)[..., None] + frame[2] * np.sin(a)[..., None]) * (h * thick)[..., None]
            rp = r * {2: 0.64, 3: 0.56, 4: 0.50}[plies] * thick
        f = frames(centre) if plies > 1 else frame
        verts, quads, ring = tubes(centre, rp, sides, f)
        k = len(ring)
        ply_id = rng.random((s, 1)) * np.ones((1, n))
        dye = np.stack([strands.t, strands.w, strand_id], -1)
        ids = np.stack([ply_id, along / diameter, np.zeros_like(along)], -1)
        # Fibres lie at a slant to the ply: shear the angle with the length, so that the bump reads as twist.
        theta = ring[None, None] + 1.1 * (along / diameter)[..., None]
        fibre = np.stack([np.broadcast_to((along / diameter)[..., None] * 0.55, theta.shape), np.cos(theta) * 2.4 + ply_id[..., None] * 60, np.sin(theta) * 2.4], -1)
        wide = lambda x: np.broadcast_to(x[:, :, None], (s, n, k, 3))
        mesh.add(verts, quads, wide(dye), wide(ids), fibre)
        if hair:
            fuzz(mesh, centre, strands.out, strands.bare, f[0], rp, dye, ids, rng, hair // plies, hair_length, np.array(view))


def fuzz(mesh, centre, out, bare, tangent, radius, dye, ids, rng, count, length, view, width=0.0030, points=6):
    """Stray fibres as thin ribbons turned to the camera: far cheaper than hair, and the width stays under a pixel."""
    s, n = centre.shape[:2]
    i, j = rng.integers(0, s, count * 3), rng.integers(0, n, count * 3)
    # Fibres on the far side or under the surface would cost memory and never be seen.
    keep = (np.sum(out[i, j] * view, -1) > -0.45) & ~bare[i, j]
    i, j = i[keep][:count], j[keep][:count]
    m = len(i)
    rad = np.broadcast_to(radius, (s, n))[i, j][:, None]
    up = unit(out[i, j] + rng.normal(0, 0.45, (m, 3)))
    root = centre[i, j] + up * rad * 0.9
    size = length * rng.lognormal(0, 0.5, (m, 1)) * 0.8
    go = unit(up * rng.uniform(0.25, 1.0, (m, 1)) + tangent[i, j] * rng.choice([-1, 1], (m, 1)) * rng.uniform(0.3, 1.2, (m, 1)) + rng.normal(0, 0.3, (m, 3)))
    bend, curl, roll = rng.normal(0, 0.7, (m, 3)) - up * 0.35, rng.normal(0, 0.10, (m, 3)), rng.uniform(3, 9, (m, 1))
    k = np.linspace(0, 1, points)[None, :, None]
    line = root[:, None] + size[:, None] * (go[:, None] * k + bend[:, None] * k ** 2 * 0.5 + curl[:, None] * np.sin(k * roll[:, None]))
    side = unit(np.cross(np.gradient(line, axis=1), view))
    half = width * (1 - 0.75 * k) * 0.5
    verts = np.stack([line - side * half, line + side * half], 2)
    q = np.arange(m * points * 2).reshape(m, points, 2)
    quads = np.stack([q[:, :-1, 0], q[:, :-1, 1], q[:, 1:, 1], q[:, 1:, 0]], -1).reshape(-1, 4)
    spread = lambda x: np.broadcast_to(x[i, j][:, None, None], (m, points, 2, 3))
    flag = ids.copy(); flag[..., 2] = 1
    mesh.add(verts, quads, spread(dye), spread(flag), np.zeros_like(verts))


# --- shapes ---------------------------------------------------------------------------------------------------------

LOOP = 26.0  # length of one dyed loop in picture units, after which hand-dyed colours repeat


def hank_line(n, half, rho, turns, flat=0.35):
    """Centre line of a twisted hank: a stadium bent into a double helix, nearly untwisted where the band sits."""
    straight, bend = 2 * half, np.pi * rho
    s = np.linspace(0, 2 * (straight + bend), n)
    x, y = np.zeros(n), np.zeros(n)
    q = (s + half) % (2 * (straight + bend))  # begin in the middle, where the band hides the join
    a = q < straight; x[a], y[a] = -half + q[a], rho
    b = (q >= straight) & (q < straight + bend); f = (q[b] - straight) / rho; x[b], y[b] = half + rho * np.sin(f), rho * np.cos(f)
    c = (q >= straight + bend) & (q < 2 * straight + bend); x[c], y[c] = half - (q[c] - straight - bend), -rho
    d = q >= 2 * straight + bend; f = (q[d] - 2 * straight - bend) / rho; x[d], y[d] = -half - rho * np.sin(f), -rho * np.cos(f)
    ph = turns * TAU * (x - 0.8 * flat * np.tanh(x / flat)) / (2 * half)
    return np.stack([x, y * np.cos(ph), y * np.sin(ph)], -1), x, ph


def hank(rng, d, half=1.6, rb=0.40, turns=1.5, squeeze=0.13, points=None, flat=0.35, held=0.31):
    """Two batches: what is seen of the bundle's strands, and a thick core that stops light."""
    rho = rb * 0.98
    n = points or int(min(1500, max(260, (4 * half + TAU * rho) * 1.35 / (d * 4.2) * PER_TURN)))
    line, x, ph = hank_line(n, half, rho, turns, flat)
    hold = np.exp(-(x / (held + 0.21)) ** 4) if squeeze > 0.05 else 0 * x
    pinch = 1 - squeeze * hold
    line = line * np.stack([np.ones(n), pinch, pinch], -1)
    tan, nor, bi = (v[0] for v in frames(line[None]))
    gap = np.arctan2(np.dot(nor[-1], bi[0]), np.dot(nor[-1], nor[0]))
    tau = np.linspace(0, 1, n)
    angle = 0.7 * ph - gap * tau
    def place(count, r, loose):
        a0 = (np.arange(count) + rng.uniform(-0.35, 0.35, count)) * TAU / count
        a = a0[:, None] + angle[None] + loose * d / rb * wander(rng, count, tau[None], 1, 4)
        rr = (r * (1 + 0.05 * np.sin(a * 2 + 7 * tau)) + 0.30 * loose * d * wander(rng, count, tau[None], 2, 7))
        # A few strands always stand off the bundle.
        rr = rr + (rng.random((count, 1)) < 0.07) * d * 0.9 * np.maximum(0, wander(rng, count, tau[None], 1, 3))
        rr = (r + (rr - r) * (1 - 0.85 * hold)) * pinch
        out = nor * np.cos(a)[..., None] + bi * np.sin(a)[..., None]
        jit = rng.normal(0, 0.012, (count, 1))
        return Strands(line + out * rr[..., None], tau[None] + jit, tau[None], out, (np.abs(x) < held + 0.05)[None] & (squeeze > 0.05))
    layers = [place(int(TAU * rb / d * 1.0), rb - d / 2, 1.0), place(int(TAU * (rb - d) / d * 0.9), rb - 1.35 * d, 0.9)]
    core = Strands(line[None, ::4], tau[None, ::4], tau[None, ::4], nor[None, ::4])
    return layers, core, max(0.06, rb - 2.1 * d) * pinch[::4]


def sphere_wraps(rng, d, wraps=None, radius=1.0, per=None):
    """A hand-wound ball: runs of parallel wraps, each run across the last."""
    per = per or max(4, int(0.50 / d))
    wraps = wraps or int(4 * np.pi / (TAU * d) * 7.0)
    runs = int(np.ceil(wraps / per))
    n = int(max(90, TAU * radius / (d * 4.2) * PER_TURN))
    paths, tt, ww, length = [], [], [], rng.random() * LOOP
    a = np.linspace(0, TAU, n)
    depth = min(0.17, 3.0 * d)
    for run in range(runs):
        axis = unit(rng.normal(0, 1, 3)); u = unit(np.cross(axis, [0.3, 0.5, 0.8])); v = np.cross(axis, u)
        spread = d * per * rng.uniform(0.95, 1.1)
        centre = rng.normal(0, 0.18)
        for k in range(per):
            off = np.clip(centre + spread * ((k + a / TAU) / per - 0.5), -0.93, 0.93) + 0.10 * d * np.sin(a * 3 + k)
            w = (run + k / per) / runs
            # Later runs ride on earlier ones, and a wrap presses in where it crosses many.
            rad = radius - depth * (1 - w) + 0.10 * d * np.sin(a * rng.uniform(5, 9) + rng.random() * 6)
            flat = np.sqrt(np.maximum(0.05, 1 - off ** 2))
            p = (np.cos(a)[:, None] * u + np.sin(a)[:, None] * v) * flat[:, None] + off[:, None] * axis
            paths.append(unit(p) * rad[:, None]); s = length + a * radius; length = s[-1]
            tt.append(s / LOOP); ww.append(np.full(n, w))
    paths = np.array(paths)
    return Strands(paths, np.array(tt), np.array(ww), unit(paths)), length / LOOP


def tail(start, heading, d, floor, rng, length=2.4, curl=0.6, t0=0.0):
    """The loose end: falls from the surface and comes to rest on the table in a lazy curve."""
    step = d * 0.5; pos, h, pts = np.array(start, float), unit(np.array(heading, float)), []
    sway = rng.uniform(0, 6)
    for i in range(int(length / step)):
        pts.append(pos.copy())
        # Falls steeply, then flattens out: a strand has no elbows.
        flat = unit(np.array([h[0], h[1], 0])); height = pos[2] - floor
        flat = unit(flat + np.cross(flat, [0, 0, 1]) * curl * step * np.sin(sway + i * step * 2.1) * 2 * (height < 0.3))
        h = unit(h * 4 + unit(flat + np.array([0, 0, -min(2.5, height * 4.5)])))
        pos = pos + h * step; pos[2] = max(pos[2], floor)
    p = np.array(pts)[None]
    return Strands(p, t0 + lengths(p) / LOOP, 1.0, [0, 0, 1])


def wound(rng, d, inner, outer, height, bulge=0.10, slack=0.0, dish=0.06, power=4.0, banded=0.0):
    """Wound on a ball winder: every wrap a tilted ring, precessing; a cake when low, a centre-pull skein when long."""
    layers = max(4, int((outer - inner) / (d * 0.75)))
    batches = []; length = 0.0
    for l in range(layers):
        f = l / max(1, layers - 1)
        radius = inner + (outer - inner) * f
        top = height * (1 - dish * (1 - f) ** 2) - 0.25 * d * (layers - 1 - l) * slack
        visible = l >= layers - 3
        tilt = np.arctan2(top, radius)
        count = int(TAU * radius * np.sin(tilt) / d * (0.62 if visible else 0.55)) + 3
        span = np.pi if visible else np.radians(78)
        n = int(max(40, 2 * span * np.hypot(radius, top) * 0.85 / (d * 4.2) * PER_TURN))
        phi = (np.arange(count) + rng.uniform(-0.3, 0.3, count)) * TAU / count
        b = np.linspace(-span, span, n)[None] + np.pi / 2 + np.zeros((count, 1))
        a = b + phi[:, None]
        z = top * np.sin(b) * (1 + rng.normal(0, 0.012, (count, 1)))
        e = np.abs(z) / height
        side = 1 + bulge * (1 - e ** 2) - 0.13 * e ** power
        # Rings of one layer lie over and under each other where they cross.
        r = radius * side + 0.32 * d * np.sin(b * 2 + rng.random((count, 1)) * 0.8) + 0.10 * d * rng.normal(0, 1, (count, 1))
        p = np.stack([np.cos(a) * r, np.sin(a) * r, z], -1)
        s = length + (np.arange(count)[:, None] + (b - b[:, :1]) / TAU) * radius * 1.25 * TAU
        length = s[-1, -1]
        edge = np.clip((e - 0.72) / 0.25, 0, 1)[..., None]
        out = unit(np.stack([np.cos(a), np.sin(a), 0 * a], -1) * (1 - edge * 0.8) + np.stack([0 * a, 0 * a, np.sign(z)], -1) * edge)
        batches.append(Strands(p, s / LOOP, f * np.ones_like(s), out, np.abs(z) < banded))
    return batches


def cone(rng, d, base=0.92, top=0.42, height=1.95, layers=22, turns=23.37):
    """Crossed winding up and down a paper cone."""
    n = int(turns * TAU * 0.7 / (d * 4.2) * PER_TURN)
    paths, tt, ww = [], [], []; length, a0 = 0.0, 0.0
    for l in range(layers):
        f = np.linspace(0, 1, n); g = f if l % 2 == 0 else 1 - f
        # Turns slow down at the ends, where the guide reverses.
        z = g - 0.012 * np.sin(TAU * g)
        a = a0 + TAU * turns * f; a0 = a[-1]
        r = base + (top - base) * z - 0.05 * (2 * z - 1) ** 8 - 0.13 * d * (layers - l) + 0.10 * d * np.sin(a * 3.3)
        p = np.stack([np.cos(a) * r, np.sin(a) * r, z * height], -1); paths.append(p)
        s = length + np.linalg.norm(np.diff(p, axis=0, prepend=p[:1]), axis=-1).cumsum(); length = s[-1]
        tt.append(s / LOOP); ww.append(np.full(n, l / layers))
    paths = np.array(paths); out = unit(paths * [1, 1, 0] + [0, 0, 0.35])
    return Strands(paths, np.array(tt), np.array(ww), out)
