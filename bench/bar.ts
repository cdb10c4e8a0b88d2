/** How a ratio is judged; `null` is a line for information only. */
export type Judgement = { atMost: number } | { atLeast: number } | null

/** One line of the table. */
export type Measure = {
  name: string
  ours: number
  limit: number
  unit: string
  /** Ours over limit; left out, it is the quotient of the two. */
  ratio?: number
  bar: Judgement
}

export type BenchOptions = {
  /** Smaller data and fewer rounds: under a minute for everything. */
  quick: boolean
  /** Tells a person what takes so long. */
  say: (line: string) => void
}

/** A numbered bar of the performance page. A file in `bench/bars` exports one as `bar`. */
export type Bar = {
  no: number
  title: string
  run(options: BenchOptions): Promise<Measure[]>
}

/** The ratio of a line. */
export function ratioOf({ ours, limit, ratio }: Measure): number {
  return ratio ?? ours / limit
}

/** Whether a line holds its bar. `slack` 1.25 lets it be missed by a quarter. */
export function holds(measure: Measure, slack: number): boolean {
  const { bar } = measure
  if (bar === null) return true
  const ratio = ratioOf(measure)
  return 'atMost' in bar ? ratio <= bar.atMost * slack : ratio >= bar.atLeast / slack
}
