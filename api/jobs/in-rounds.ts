/** Of one sweep: whatever is left then waits for the next one. */
const ROUNDS = 20

/** Does `some` again and again, as long as each time does all that it may at once. Answers how much was done. */
export async function inRounds(atOnce: number, some: (atOnce: number) => Promise<number>): Promise<number> {
  let done = 0
  for (let round = 0; round < ROUNDS; round++) {
    const count = await some(atOnce)
    done += count
    if (count < atOnce) break
  }
  return done
}
