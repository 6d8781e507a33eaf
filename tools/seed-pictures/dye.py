"""The dye pot: passes of undyed wool in, finished picture out.

python3 dye.py PASSES.npz '<json: [{out, slug, shape, colours, …}, …]>'   writes size×size RGBA, straight alpha, for sharp to pack.
Colour is laid on as albedo, then lit: direct light times colour, bounced light times colour again for each bounce, so
that hollows of dark or vivid wool go deep and rich as they do before a camera; highlights stay the colour of the light.
"""
import json, sys
import numpy as np

WOOL_ALBEDO = 0.62
EXPOSURE = 1.0


# --- noise ------------------------------------------------------------------------------------------------------------

def hashed(*axes, seed=0):
    """Integer lattice to 0..1, no tables."""
    h = np.full(axes[0].shape, np.uint32((seed * 2654435761) & 0xFFFFFFFF))
    for k, a in enumerate(axes):
        h ^= a.astype(np.int64).astype(np.uint32) * np.uint32([374761393, 668265263, 2246822519][k % 3])
        h = (h ^ (h >> np.uint32(13))) * np.uint32(1274126177)
        h ^= h >> np.uint32(16)
    return h.astype(np.float32) / np.float32(4294967295)


def value_noise(p, seed=0):
    """Smooth value noise; p is (N, D) with D up to 3."""
    i = np.floor(p); f = p - i; f = f * f * (3 - 2 * f)
    d = p.shape[1]; total = np.zeros(len(p), np.float32)
    for corner in range(2 ** d):
        bits = [(corner >> k) & 1 for k in range(d)]
        weight = np.ones(len(p), np.float32)
        for k, b in enumerate(bits): weight *= f[:, k] if b else 1 - f[:, k]
        total += weight * hashed(*[i[:, k] + b for k, b in enumerate(bits)], seed=seed)
    return total


def fbm(p, octaves=3, seed=0):
    total, amp, norm = 0, 1.0, 0.0
    for o in range(octaves):
        total = total + amp * value_noise(p * 2 ** o + 17.3 * o, seed + o); norm += amp; amp *= 0.5
    return total / norm


# --- colour -----------------------------------------------------------------------------------------------------------

def linear(hexcode):
    h = hexcode.lstrip('#')
    v = np.array([int(h[i:i + 2], 16) / 255 for i in (0, 2, 4)])
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4).astype(np.float32)


def srgb(v):
    return np.where(v <= 0.0031308, v * 12.92, 1.055 * np.maximum(v, 1e-8) ** (1 / 2.4) - 0.055)


def ramp(colours, x):
    """Along a list of colours, mixed as pigment (square roots keep mixes from going muddy)."""
    c = np.sqrt(np.array(colours)); x = np.clip(x, 0, 1) * (len(c) - 1)
    i = np.minimum(x.astype(int), len(c) - 2); f = (x - i)[:, None]; f = f * f * (3 - 2 * f)
    return (c[i] * (1 - f) + c[i + 1] * f) ** 2


def ring(colours, x):
    """The same, coming round to the first colour again."""
    return ramp(list(colours) + [colours[0]], x % 1.0)


# --- dyeing -----------------------------------------------------------------------------------------------------------

def depth_of_shade(base, tone):
    """Deeper and lighter baths of one colour: deeper is also more saturated, as dye is (Beer–Lambert)."""
    return np.clip(base, 0.002, 0.98) ** tone[:, None]


def lay_solid(c, y, rng):
    return depth_of_shade(c[0][None], 1 + 0.05 * (fbm(y.place * 1.4, 2, rng) - 0.5))


def lay_tonal(c, y, rng):
    tone = fbm(np.stack([y.t * 5.5, y.strand * 1.6, y.w * 2], 1), 3, rng) * 0.7 + fbm(y.place * 1.7, 2, rng + 5) * 0.3
    tone = (tone - 0.5) * 2.6
    base = ring(c, 0.5 * fbm(np.stack([y.t * 4 + 9, y.strand], 1), 2, rng + 7)) if len(c) > 1 else np.repeat(c[0][None], len(tone), 0)
    return depth_of_shade(base, 1 + 0.38 * tone)


def lay_variegated(c, y, rng):
    """Patches of the dyed loop, each soaking in at its own length, with the seep between."""
    seep = (fbm(np.stack([y.t * 26, y.strand * 7], 1), 2, rng) - 0.5) * 0.12 + (y.strand - 0.5) * 0.02
    x = y.t + seep
    warp = x + 0.05 * np.sin(2 * np.pi * (x * 2 + rng * 0.37)) + 0.03 * np.sin(2 * np.pi * (x * 5 + rng * 0.71))
    n = len(c); step = (warp * 3 * n) % n
    i = np.floor(step); f = np.clip((step - i - 0.35) / 0.65, 0, 1)
    base = ring(c, (i + f) / n)
    return depth_of_shade(base, 1 + 0.30 * (fbm(np.stack([y.t * 11, y.strand * 2.2], 1), 2, rng + 3) - 0.5) * 2)


def lay_speckled(c, y, rng):
    """A pale ground, then pinches of dry dye: small crisp spots that bleed a little along the strand."""
    ground = depth_of_shade(c[0][None], 1 + 0.18 * (fbm(np.stack([y.t * 5, y.strand * 2], 1), 3, rng) - 0.5) * 2)
    cluster = fbm(np.stack([y.t * 6.5 + 3, y.place[:, 0] * 1.1 + y.place[:, 2] * 0.8], 1), 2, rng + 11)
    for k, colour in enumerate(c[1:] or [c[0] * 0.3]):
        for size, odds in ((5.0, 0.040), (2.4, 0.045)):
            cell = np.floor(y.along / size + 31 * k); row = np.floor(y.strand * 4001)
            lucky = hashed(cell, row, seed=rng + 20 + k + int(size))
            centre = hashed(cell, row, seed=rng + 50 + k) * 0.5 + 0.25
            near = 1 - np.abs(y.along / size + 31 * k - cell - centre) / (0.22 + 0.22 * hashed(cell, row, seed=rng + 80 + k))
            on = np.clip(near * 2.6, 0, 1) * (lucky < odds * (0.15 + 2.4 * np.clip(cluster - 0.33, 0, 1) * 2)) * 0.95
            ground = ground * (1 - on[:, None]) + colour * on[:, None]
        halo = np.clip((fbm(np.stack([y.t * 7 + 40 * k, y.place[:, 0] * 0.9 + 5 * k], 1), 2, rng + 30 + k) - 0.56) * 3.2, 0, 1) * 0.38
        ground = ground * (1 - halo[:, None]) + np.sqrt(ground * colour) * halo[:, None]
    return ground


def lay_gradient(c, y, rng):
    x = y.grade + (fbm(np.stack([y.t * 3, y.strand * 5], 1), 2, rng) - 0.5) * 0.07
    return depth_of_shade(ramp(c, x) if len(c) > 1 else np.repeat(c[0][None], len(x), 0), 1 + 0.12 * (y.ply - 0.5))


def lay_tweed(c, y, rng):
    """Heathered ground with nepps: short flecks of other colours caught in one ply."""
    base = lay_heather([c[0], np.clip(c[0] * 1.25 + 0.01, 0, 1)], y, rng)
    flecks = c[1:] or [linear('#efe6d2'), linear('#3a2c22'), linear('#b5673a')]
    for size, odds in ((1.9, 0.030), (1.2, 0.022)):
        cell = np.floor(y.along / size + y.ply * 97); row = np.floor(y.ply * 4001)
        lucky = hashed(cell, row, seed=rng + int(size * 10))
        near = 1 - np.abs((y.along / size + y.ply * 97) - cell - 0.5) / 0.5
        on = np.clip(near * 3, 0, 1) * (lucky < odds)
        pick = (hashed(cell, row, seed=rng + 77) * len(flecks)).astype(int).clip(0, len(flecks) - 1)
        base = base * (1 - on[:, None]) + np.array(flecks)[pick] * on[:, None]
    return base


def lay_heather(c, y, rng):
    """Fibres dyed before spinning: fine streaks of the shades, different in every ply."""
    c = list(c) if len(c) > 1 else [c[0], np.clip(c[0] * 1.6 + 0.02, 0, 1), c[0] * 0.62]
    fine = fbm(np.stack([y.along * 1.3, y.ply * 300, y.place[:, 2] * 30], 1), 2, rng)
    slow = fbm(np.stack([y.along * 0.22, y.ply * 300 + 9], 1), 2, rng + 2)
    return ramp(c, (0.6 * fine + 0.4 * slow - 0.5) * 2.3 + 0.5)


DYES = {'solid': lay_solid, 'tonal': lay_tonal, 'variegated': lay_variegated, 'speckled': lay_speckled,
        'gradient': lay_gradient, 'tweed': lay_tweed, 'heather': lay_heather}


class Yarn:
    """What a pixel knows of the yarn under it."""

    def __init__(self, a, keep, shape, parts, sets=False):
        m = np.maximum(a['mask'][keep][:, :1], 1e-4)
        dye, ids, place = (a[k][keep] / m for k in ('dye', 'ids', 'place'))
        self.t, self.w, self.strand = dye.T
        self.ply, self.along, self.loose = ids.T
        self.place = place; self.part = np.rint(a['mask'][keep][:, 2] / m[:, 0] * 16).astype(int)
        # A gradient runs the way the yarn was wound: hanks round the loop, cakes outward, cones and balls in deep layers.
        span = lambda v: (v - np.percentile(v, 2)) / max(1e-6, np.percentile(v, 98) - np.percentile(v, 2))
        if shape == 'hank': self.grade = 0.5 - 0.5 * np.cos(2 * np.pi * self.t)
        elif shape == 'swatch':
            self.grade = self.w
            # Of a set, each colour takes its turn.
            if sets: self.part = np.minimum((self.w * parts).astype(int), parts - 1)
        elif shape == 'skein' or shape == 'cone': self.grade = span(place[:, 2])
        elif shape == 'cake': self.grade = span(self.w + 0.0 * place[:, 2])
        else: self.grade = span(self.w)


# --- cleaning ---------------------------------------------------------------------------------------------------------

def shifted(a, dy, dx):
    return np.roll(np.roll(a, dy, 0), dx, 1)


def clean(light, cover, guides, reach=3, spatial=1.8, strength=1.0):
    """Joint bilateral filter: averages noise in the light, but never across strands, which the noise-free guides know."""
    total, weight = np.zeros_like(light), np.zeros(light.shape[:2], np.float32)
    known = np.concatenate([g / (sigma * strength * np.sqrt(2)) for g, sigma in guides], -1).astype(np.float32)
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            if dy * dy + dx * dx > reach * reach + 1: continue
            diff = known - shifted(known, dy, dx)
            e = np.einsum('ijk,ijk->ij', diff, diff) + (dy * dy + dx * dx) / (2 * spatial ** 2)
            w = np.exp(-e) * (shifted(cover, dy, dx) + 1e-4); weight += w; total += shifted(light, dy, dx) * w[..., None]
    return total / weight[..., None]


def soften(values, keep, wool):
    """Where strands meet in one pixel their data mix to nonsense; a pixel's width of blur hides it, as a lens would."""
    image = np.zeros((*keep.shape, 3), np.float32); image[keep] = values
    total = np.zeros_like(image); weight = np.zeros(keep.shape, np.float32)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            w = shifted(wool, dy, dx) * (1.0, 0.42, 0.2)[abs(dy) + abs(dx)]
            total += shifted(image, dy, dx) * w[..., None]; weight += w
    return (total / np.maximum(weight, 1e-5)[..., None])[keep]


def steady(out):
    """Evens the outline of hard things, which few samples leave ragged."""
    thick = np.concatenate([out[..., :3] * out[..., 3:], out[..., 3:]], -1); total, weight = 0, 0
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            w = (1.0, 0.40, 0.18)[abs(dy) + abs(dx)]; total = total + shifted(thick, dy, dx) * w; weight += w
    thick = total / weight
    return np.concatenate([thick[..., :3] / np.maximum(thick[..., 3:], 1e-4), thick[..., 3:]], -1)


def blur(a, sigma):
    r = int(3 * sigma); k = np.exp(-np.arange(-r, r + 1) ** 2 / (2 * sigma ** 2)); k /= k.sum()
    for axis in (0, 1):
        a = sum(w * np.roll(a, o, axis) for o, w in zip(range(-r, r + 1), k))
    return a


def shadow_of(alpha, cover):
    """The table's shadow alone, smoothed where it lies open and faded before the frame."""
    open_ = np.clip(1 - cover, 0, 1)
    raw = np.clip(alpha - cover, 0, 1)
    seen = open_ ** 2
    s = np.clip(raw / np.maximum(open_, 0.05), 0, 1) * seen
    near = blur(s, 2.0) / np.maximum(blur(seen, 2.0), 1e-4)
    far = blur(s, 7.0) / np.maximum(blur(seen, 7.0), 1e-4)
    deep = np.clip((near - 0.45) / 0.3, 0, 1)
    out = far * (1 - deep) + near * deep
    h, w = out.shape; x, y = np.meshgrid(np.arange(w) + 0.5, np.arange(h) + 0.5)
    edge = np.minimum.reduce([x, w - x, y, h - y]) / max(h, w)
    fade = np.clip(edge / 0.07, 0, 1); fade = fade * fade * (3 - 2 * fade)
    # Far from the subject the shadow thins out, so that no picture ends in a grey corner.
    small = cover[::8, ::8]; close = blur(np.pad(small, 30), 9)[30:-30, 30:-30]
    close = np.kron(close, np.ones((8, 8)))[:h, :w]; close = blur(close, 6)
    return np.clip((out - 0.02) / 0.98, 0, 1) * fade * np.clip(close / close.max() * 2.6, 0, 1)


def tone(v):
    """A gentle shoulder, per channel, so that whites keep their texture."""
    knee = 0.62
    over = np.maximum(v - knee, 0)
    return np.where(v < knee, v, knee + (1 - knee) * (1 - np.exp(-over / (1 - knee))))


# --- the picture ------------------------------------------------------------------------------------------------------

def lit_wool(a, keep, albedo, direct, indirect, gloss):
    """Direct light once tinted, bounced light tinted again; the more so the further a colour is from the grey that was shot."""
    ratio = np.clip(albedo / WOOL_ALBEDO, 0.004, 1.6)
    bounced = indirect * ratio ** 0.85
    return albedo * (direct + bounced) + gloss


def printed(rgb, label, sheet):
    """Ink on the paper: read from the sheet at nine places a pixel, so that small letters stay letters."""
    ink = np.fromfile(sheet['file'], np.uint8).reshape(sheet['height'], sheet['width']).astype(np.float32) / 255
    ink[[0, -1]] = ink[:, [0, -1]] = 0  # nothing is printed beyond the sheet
    on = label[..., 2:3]; paper = on[..., 0] > 0.35
    at = label[..., :2] / np.maximum(on, 1e-3)
    # How the sheet moves from one pixel to the next; where the paper ends there is no telling.
    slope = [np.where(np.abs(d := (shifted(at, *step) - shifted(at, *(-s for s in step))) / 2) < 0.05, d, 0) for step in ((0, -1), (-1, 0))]
    total = np.zeros(paper.sum(), np.float32)
    for i in (-1 / 3, 0, 1 / 3):
        for j in (-1 / 3, 0, 1 / 3):
            x, y = (((at + i * slope[0] + j * slope[1])[paper] * sheet['perUnit']) + np.array([sheet['width'], sheet['height']]) / 2 - 0.5).T
            x, y = (np.clip(v, 0, m - 1.001) for v, m in ((x, sheet['width']), (y, sheet['height'])))
            c, r = x.astype(int), y.astype(int); fx, fy = x - c, y - r
            total += (ink[r, c] * (1 - fx) + ink[r, c + 1] * fx) * (1 - fy) + (ink[r + 1, c] * (1 - fx) + ink[r + 1, c + 1] * fx) * fy
    laid = (total / 9 * np.clip(on[paper][:, 0], 0, 1))[:, None]
    out = rgb.copy(); out[paper] = rgb[paper] * (1 - laid * (1 - linear(sheet['colour'])))
    return out


def load(path):
    """Passes with the noise cleaned off: the same for every colour laid on them."""
    a = {k: v.astype(np.float32) for k, v in np.load(path).items()}
    border, n = a.pop('border', np.array([0, 1, 0, 1], np.float32)), len(a['mask'])
    left, right, top, bottom = (int(v) for v in np.rint(border * n))
    a = {k: v[top:bottom, left:right] for k, v in a.items()}
    cover = np.clip(a['mask'][..., 1], 0, 1)
    inside = np.maximum(cover, 0.02)[..., None]
    depth = np.where(cover > 0.02, np.minimum(a['depth'][..., 0], 40), 40)[..., None]
    guides = [(a['normal'] / inside, 0.35), (a['dye'][..., 2:3], 0.25), (a['mask'], 0.15), (depth, 0.12)]
    if 'albedo' in a: guides.append((a['albedo'] / inside, 0.06))
    shine = a['gloss'] * a['glosscol']
    # Light passes come thinned by coverage, most of all on loose fibres; the picture itself says how bright wool truly is.
    spread = (a['direct'] + a['indirect']).mean(-1, keepdims=True) * WOOL_ALBEDO
    regain = np.clip((a['image'] - shine).mean(-1, keepdims=True) / inside / np.maximum(spread, 1e-4), 1, 1 / inside * 2.5)
    light = np.concatenate([a['direct'] * regain, a['indirect'] * regain, shine / inside, a['image'] / inside], -1)
    filled = cover.min() > 0.99  # wool from edge to edge, and no table to cast a shadow on
    if a['mask'][..., 0].max() < 0.01: light[..., 9:] = clean(np.minimum(light[..., 9:], 12), cover, guides)  # no wool, so nothing to light anew
    else: light = clean(np.minimum(light, 12), cover, guides, reach=2 if filled else 3)
    a['light'] = light
    a['shade'] = np.zeros_like(cover) if filled else shadow_of(np.clip(a['alpha'][..., 0], 0, 1), cover) * 0.80
    a['frame'] = (n, left, top)
    return a


def finish(a, picture):
    colours = [linear(c) for c in picture['colours']]
    seed = sum(ord(ch) * (i + 3) for i, ch in enumerate(picture.get('slug', 'x'))) % 9973
    cover = np.clip(a['mask'][..., 1], 0, 1); wool = np.clip(a['mask'][..., 0], 0, 1)
    rgb = np.zeros_like(a['image'])
    solid = cover > 0.003
    direct, indirect, gloss, plain = np.split(a['light'], 4, -1)
    keep = wool > 0.003
    if keep.any():
        y = Yarn(a, keep, picture['shape'], len(colours), picture.get('set', False))
        style = DYES[picture.get('dye') or 'solid']
        if picture['shape'] in ('mini-set', 'ball-pair', 'kit-box', 'project-bag', 'pompom-maker') or y.part.max() > 0:
            albedo = np.zeros((keep.sum(), 3), np.float32)
            for k in np.unique(y.part):
                mine = y.part == k
                if not mine.any(): continue
                own = [colours[k % len(colours)]] + ([c for j, c in enumerate(colours) if j != k % len(colours)] if style in (lay_speckled, lay_tweed) else [])
                z = Yarn.__new__(Yarn)
                z.__dict__ = {n: (v[mine]) for n, v in y.__dict__.items()}
                albedo[mine] = (style if style in (lay_speckled, lay_tweed, lay_tonal, lay_heather) else lay_tonal)(own, z, seed + 13 * k)
        else:
            albedo = style(colours, y, seed)
        albedo = soften(albedo, keep, wool)
        # Each ply takes the dye a little differently; loose fibres are thin and let light through.
        albedo = depth_of_shade(albedo, 1 + 0.10 * (y.ply - 0.5) + 0.06 * (y.strand - 0.5))
        loose = np.clip(y.loose, 0, 1)[:, None]
        albedo = albedo * (1 - 0.25 * loose) + (albedo * 0.8 + 0.12) * 0.25 * loose
        lit = lit_wool(a, keep, np.clip(albedo, 0.004, 0.92), direct[keep], indirect[keep], gloss[keep])
        share = (wool[keep] / np.maximum(cover[keep], 1e-4))[:, None].clip(0, 1)
        rgb[keep] = (lit * share + plain[keep] * (1 - share))
    rest = solid & ~keep
    rgb[rest] = plain[rest]
    if picture.get('print'): rgb = printed(rgb, a['label'], picture['print'])
    shade = a['shade']
    shown = srgb(tone(np.maximum(rgb * EXPOSURE * picture.get('exposure', 1), 0))).clip(0, 1)
    alpha = cover + (1 - cover) * shade
    # Shadow takes the brown of the room rather than black, and sits under the subject.
    shadow_tint = srgb(np.array([0.010, 0.007, 0.005], np.float32))
    straight = (shown * cover[..., None] + shadow_tint * ((1 - cover) * shade)[..., None]) / np.maximum(alpha, 1e-4)[..., None]
    out = np.concatenate([straight, alpha[..., None]], -1)
    if not keep.any(): out = steady(out)
    n, left, top = a['frame']; whole = np.zeros((n, n, 4), np.uint8)
    whole[top:top + out.shape[0], left:left + out.shape[1]] = (out.clip(0, 1) * 255 + 0.5).astype(np.uint8)
    return whole


if __name__ == '__main__':
    shot = load(sys.argv[1])
    for wanted in json.loads(sys.argv[2]):
        finish(shot, wanted).tofile(wanted['out'])
