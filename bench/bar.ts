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
