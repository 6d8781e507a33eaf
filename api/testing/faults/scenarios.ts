import { answers } from './answers.ts'
import { carts } from './carts.ts'
import { crash } from './crash.ts'
import { greedy } from './greedy.ts'
import { guesses } from './guesses.ts'
import { idempotency } from './idempotency.ts'
import { lapses } from './lapses.ts'
import { overload } from './overload.ts'
import { paypal } from './paypal.ts'
import { pays } from './pays.ts'
import { races } from './races.ts'
import type { Scenario } from './scenario.ts'
import { soak } from './soak.ts'
import { stock } from './stock.ts'
import { uploads } from './uploads.ts'

/** Every scenario, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  stock,
  carts,
  idempotency,
  pays,
  paypal,
  lapses,
  crash,
  races,
  guesses,
  uploads,
  greedy,
  answers,
  overload,
  soak,
]
