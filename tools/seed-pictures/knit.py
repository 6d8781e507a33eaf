"""Knitting as geometry: stockinette under a ruler. One unit is 5.5 cm, as in the other pictures."""
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
