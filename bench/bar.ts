/** The limit for a line's ratio; `null` marks a line that is shown but not judged. */
export type Judgement = { atMost: number } | { atLeast: number } | null

/** One line of the table. */
export type Measure = {
  name: string
  ours: number
  limit: number
  unit: string
  /** Our figure divided by the limit, unless given. */
  ratio?: number
  bar: Judgement
}

export type BenchOptions = {
  /** Uses smaller data and fewer rounds, so that all bars together take under a minute. */
  quick: boolean
  /** Reports progress of slow steps. */
  say: (line: string) => void
}

/** A numbered bar of the performance page. A file in `bench/bars` exports one as `bar`. */
export type Bar = {
  no: number
  title: string
  run(options: BenchOptions): Promise<Measure[]>
}

export function ratioOf({ ours, limit, ratio }: Measure): number {
  return ratio ?? ours / limit
}

/** Whether a line meets its limit. `slack` 1.25 allows a miss of 25 %. */
export function meetsLimit(measure: Measure, slack: number): boolean {
  const { bar } = measure
  if (bar === null) return true
  const ratio = ratioOf(measure)
  return 'atMost' in bar ? ratio <= bar.atMost * slack : ratio >= bar.atLeast / slack
}

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
 * hits all alike. The first `warmUp` inputs are run and not counted.
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
