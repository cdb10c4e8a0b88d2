/** Times in milliseconds, in no particular order. */
export type Times = number[]

/** The value below which a share of the times lies; 0.5 is the median. */
export function percentile(times: Times, share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export type Way<Input> = (input: Input) => unknown

/**
 * Times several ways of doing the same thing, taking turns on every input so that a slow moment of
 * the machine hits all alike. The first `warmUp` inputs are run and not counted.
 */
export async function alternate<Input>(
  inputs: readonly Input[],
  warmUp: number,
  ways: readonly Way<Input>[],
): Promise<Times[]> {
  const times: Times[] = ways.map(() => [])
  for (const [n, input] of inputs.entries()) {
    for (const [w] of ways.entries()) {
      // Whoever goes first finds colder caches: take turns at that too.
      const turn = (w + n) % ways.length
      const start = performance.now()
      await ways[turn]?.(input)
      const took = performance.now() - start
      if (n >= warmUp) times[turn]?.push(took)
    }
  }
  return times
}
