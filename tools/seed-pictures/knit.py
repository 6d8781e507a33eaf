"""Knitting as geometry: stockinette under a ruler, and a few strands as a lens sees them. One unit is 5.5 cm, as in the other pictures."""
import numpy as np
import strands as st

TAU = 2 * np.pi


def stockinette(rng, d, plan):
    """Rows of loops. Stitch boundaries lie at whole multiples of the stitch from the ruler's mark 0, whatever the hand did between."""
    w, h, n = plan['stitch'], plan['row'], 26
    left = int(np.ceil((plan['frame'] / 2 + plan['zero']) / w)) + 2
    right = int(np.ceil((plan['frame'] / 2 - plan['zero']) / w)) + 2
    rows = int(np.ceil(plan['frame'] / h)) + 5
    count = left + right
    t = np.arange(count * n + 1) / n
    a = t * TAU
    slack = 1 + 0.05 * st.wander(rng, rows, t[None] / count, 3, 9, False)
    tall = h * 0.84 * (1 + 0.05 * st.wander(rng, rows, t[None] / count, 3, count, False))
    # The Omega of a loop: its legs lean in at the foot and out at the head, in front at the legs and behind at the arcs.
    x = plan['zero'] + (t - left) * w + 0.21 * w * np.sin(2 * a) * slack
    y0 = (np.arange(rows) - rows / 2)[:, None] * h
    y = y0 - tall * np.cos(a) + 0.05 * h * st.wander(rng, rows, t[None] / count, 2, 7, False)
    z = -0.52 * d * np.cos(2 * a) + 0.06 * d * st.wander(rng, rows, t[None] / count, 3, count, False)
    x = x + 0.02 * w * st.wander(rng, rows, t[None] / count, 3, 11, False)
    paths = np.stack([x, y, z], -1)
    length = st.lengths(paths)
    each = length[:, -1:].mean()
    place = np.where(np.arange(rows)[:, None] % 2 == 0, length, each - length) + np.arange(rows)[:, None] * each
    up = np.broadcast_to([0.0, 0, 1], paths.shape)
    grade = np.clip((y + plan['frame'] / 2) / plan['frame'], 0, 1)
    ruler = plan['ruler']
    under = (np.abs(y - ruler['y']) < ruler['height'] / 2 + 0.01) & (np.abs(x) < ruler['length'] / 2 + 0.01)
    return st.Strands(paths, place / plan['loop'], grade, up, under)


def lengths_of_yarn(rng, frame, across=3.4):
    """Strands side by side, aslant and at ease, that fill a picture which is so many of them wide."""
    d = frame / across
    s = int(across * 1.9) + 2
    t = np.linspace(-1, 1, 900)
    lean = np.radians(24)
    off = (np.arange(s) - (s - 1) / 2)[:, None] * d * 1.04 + 0.10 * d * st.wander(rng, s, t[None] * 0.5 + 0.5, 1, 3, False)
    along = np.broadcast_to(t * frame * 1.05, off.shape)
    x = along * np.cos(lean) - off * np.sin(lean); y = along * np.sin(lean) + off * np.cos(lean)
    z = 0.05 * d * st.wander(rng, s, t[None] * 0.5 + 0.5, 1, 3, False)
    # One strand of the skein after another: colours of the dyed loop go on from each to the next.
    place = (along / frame) * 0.09 + 0.21 * np.arange(s)[:, None]
    grade = np.clip((off / frame) + 0.5, 0, 1)
    return st.Strands(np.stack([x, y, z], -1), place, grade, np.broadcast_to([0.0, 0, 1], (s, len(t), 3))), d


def spin_fibres(mesh, strands, d, rng, plies, hair, hair_length, fibres=120, pitch=None):
    """As strands.spin, but each ply is made of its fibres, which lie at a slant and wander in and out."""
    paths = strands.paths; s, n = paths.shape[:2]
    f = st.frames(paths); along = st.lengths(paths); r = d / 2
    pitch = pitch or {1: 5, 2: 3.2, 3: 3.8, 4: 4.2}[plies]
    turn = TAU * (along / (pitch * d) + rng.random((s, 1)))
    strand_id = rng.random((s, 1)) * np.ones((1, n))
    for p in range(plies):
        a = turn + TAU * p / plies
        slub = 1 + (0.13 if plies == 1 else 0.05) * st.wander(rng, s, along / along.max(), 3, 9, False)
        h = 0 if plies == 1 else r * (0.46 if plies == 2 else 0.54)
        centre = paths + (f[1] * np.cos(a)[..., None] + f[2] * np.sin(a)[..., None]) * (h * slub)[..., None]
        rp = r * {1: 0.92, 2: 0.60, 3: 0.50, 4: 0.46}[plies] * slub
        g = st.frames(centre); ply_id = rng.random((s, 1)) * np.ones((1, n))
        dye = np.stack([strands.t, strands.w, strand_id], -1)
        ids = np.stack([ply_id, along / d, np.zeros_like(along)], -1)
        wide = lambda x, k: np.broadcast_to(x[:, :, None], (s, n, k, 3))
        # A core keeps light from shining through between the fibres.
        verts, quads, ring = st.tubes(centre, rp * 0.80, 10, g)
        mesh.add(verts, quads, wide(dye, 10), wide(ids, 10), verts * 40)
        for _ in range(fibres // plies):
            rad = rp * np.clip(0.92 + 0.10 * st.wander(rng, s, along / along.max(), 3, 12, False), 0.6, 1.12)
            # Plies are spun the other way than they are plied.
            b = rng.random((s, 1)) * TAU - TAU * along / (pitch * d * (0.85 if plies > 1 else 1)) + 0.5 * st.wander(rng, s, along / along.max(), 3, 10, False)
            line = centre + (g[1] * np.cos(b)[..., None] + g[2] * np.sin(b)[..., None]) * rad[..., None]
            thick = rp * rng.uniform(0.05, 0.115, (s, 1))
            verts, quads, ring = st.tubes(line, thick, 4, g)
            mesh.add(verts, quads, wide(dye, 4), wide(ids, 4), verts * 40)
        if hair: st.fuzz(mesh, centre, strands.out, strands.bare, g[0], rp, dye, ids, rng, hair // plies, hair_length, np.array([0.0, 0, 1]), width=0.02 * d, points=10)
