/** Millimetres of knitting needles by their US number. */
export const US_NEEDLES: Record<string, number> = {
  '0000': 1.25,
  '000': 1.5,
  '00': 1.75,
  0: 2,
  1: 2.25,
  1.5: 2.5,
  2: 2.75,
  2.5: 3,
  3: 3.25,
  4: 3.5,
  5: 3.75,
  6: 4,
  7: 4.5,
  8: 5,
  9: 5.5,
  10: 6,
  10.5: 6.5,
  10.75: 7,
  11: 8,
  13: 9,
  15: 10,
  17: 12.75,
  19: 15,
  35: 19,
  50: 25,
}

/** What the Craft Yarn Council calls hooks: a letter and a number. */
const US_HOOK_NAMES: Record<number, string> = {
  2.25: 'B-1',
  2.75: 'C-2',
  3.25: 'D-3',
  3.5: 'E-4',
  3.75: 'F-5',
  4: 'G-6',
  4.5: '7',
  5: 'H-8',
  5.5: 'I-9',
  6: 'J-10',
  6.5: 'K-10½',
  8: 'L-11',
  9: 'M/N-13',
  10: 'N/P-15',
}
const US_NEEDLE_NAMES = new Map(
  Object.entries(US_NEEDLES).map(([name, mm]) => [mm, name.replace('.5', '½').replace('.75', '¾')]),
)

/** The US size for a diameter in millimetres: "10½", "K-10½". Null when there is none. */
export const usSize = (mm: number, tool: 'NEEDLE' | 'HOOK'): string | null =>
  (tool === 'NEEDLE' ? US_NEEDLE_NAMES.get(mm) : US_HOOK_NAMES[mm]) ?? null
