/** Times in milliseconds, in no particular order. */
export type Times = number[]

/** The value below which a share of the times lies; 0.5 is the median. */
export function percentile(times: Times, share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export type Way<Input> = (input: Input) => unknown

/** Inputs per turn: enough that one way does not profit from caches filled by another. */
const TURN_SIZE = 25

/**
 * Times several ways of doing the same thing. They take turns, so that a slow moment of the machine
 * hits all alike. The first `prefetchOverlays` inputs are run and not counted.
 */
export async function alternate<Input>(
  inputs: readonly Input[],
  warmUp: number,
  ways: readonly Way<Input>[],
): Promise<Times[]> {
  const times: Times[] = ways.map(() => [])
  for (let from = 0; from < inputs.length; from += TURN_SIZE) {
    for (const [w, way] of ways.entries()) {
      for (const input of inputs.slice(from, from + TURN_SIZE)) {
        const start = performance.now()
        await way(input)
        const took = performance.now() - start
        if (from >= warmUp) times[w]?.push(took)
      }
    }
  }
  return times
}
