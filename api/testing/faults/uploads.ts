import { hostileUploads, type UploadFigures } from './hostile-uploads.ts'
import { atMost, exactly, none, type Scenario } from './scenario.ts'

/** Sends hostile files, one after the other, over both APIs. */
export const uploads: Scenario = {
  name: 'uploads',
  full: { rounds: 1, crowd: 1_000 },
  // A hundred are sent in upload-picture.test.ts, which also checks how much memory they cost.
  short: null,
  async run({ url, admin, uploads }, { rounds, crowd, random }) {
    const all: UploadFigures[] = []
    for (let round = 0; round < rounds; round++)
      all.push(await hostileUploads(url, admin, { uploads }, crowd, Math.floor(random() * 2 ** 20)))
    const sum = (count: (figures: UploadFigures) => number) => all.reduce((total, figures) => total + count(figures), 0)
    return [
      exactly(
        'sent',
        crowd * rounds,
        sum(({ sent }) => sent),
      ),
      none(
        `stored as they came, or answered badly (${sum(({ refused }) => refused)} refused, ${sum(({ stored }) => stored)} pictures made anew, ${sum(({ cut }) => cut)} cut off)`,
        all.flatMap(({ wrong }) => wrong),
      ),
      none(
        'files left behind',
        all.flatMap(({ leftovers }) => leftovers),
      ),
      atMost('slowest answer', 2_000, Math.max(...all.map(({ slowestMs }) => slowestMs)), ' ms'),
    ]
  },
}
