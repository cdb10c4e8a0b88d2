/** One scrape of `/metrics`: all its samples, and its time in seconds. */
export type Scrape = { at: number; samples: Sample[] }

type Labels = Record<string, string>
type Sample = { name: string; labels: Labels; value: number }
type Vector = Omit<Sample, 'name'>[]
type Value = number | Vector

function labelsOf(text: string): Labels {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
}

/** Parses the text format that Prometheus scrapes. */
export function readScrape(text: string, at: number): Scrape {
  const samples = text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([a-z]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? []
    if (name === undefined) return []
    return [
      { name, labels: labelsOf(labels), value: Number(value === '+Inf' ? 'Infinity' : value) },
    ]
  })
  return { at, samples }
}

const TOKEN = /\s*(\d[\d.]*|[a-z_]\w*|=~|[<>=!]=|"(?:[^"\\]|\\.)*"|[[\](){},/*<>=-]|\S)/giy
const AGGREGATES: Record<string, (values: number[]) => number> = {
  sum: (values) => values.reduce((all, one) => all + one, 0),
  max: (values) => Math.max(...values),
}

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The labels of a sample that `by` keeps. */
function groupLabels(labels: Labels, by: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => by.includes(name)))
}

/** The `share` quantile of a histogram, interpolated linearly within a bucket. */
function quantileOf(share: number, buckets: Vector): number {
  const sorted = buckets
    .map(({ labels, value }) => ({
      le: Number(labels['le'] === '+Inf' ? 'Infinity' : labels['le']),
      value,
    }))
    .toSorted((a, b) => a.le - b.le)
  const rank = share * (sorted.at(-1)?.value ?? 0)
  const at = sorted.findIndex(({ value }) => value >= rank)
  const [below, own] = [sorted[at - 1] ?? { le: 0, value: 0 }, sorted[at]]
  if (own === undefined || rank === 0) return Number.NaN
  if (own.le === Number.POSITIVE_INFINITY) return below.le
  return below.le + ((own.le - below.le) * (rank - below.value)) / (own.value - below.value)
}

/**
 * One operator between two vectors with the same labels, or a vector and a number: all that our rules use.
 */
function combine(left: Value, right: Value, by: (a: number, b: number) => number): Value {
  if (typeof right === 'number') {
    if (typeof left === 'number') return by(left, right)
    return left.map(({ labels, value }) => ({ labels, value: by(value, right) }))
  }
  if (typeof left === 'number') {
    return right.map(({ labels, value }) => ({ labels, value: by(left, value) }))
  }
  return left.flatMap(({ labels, value }) => {
    const other = right.find((one) => keyOf(one.labels) === keyOf(labels))
    return other === undefined ? [] : [{ labels, value: by(value, other.value) }]
  })
}

const COMPARE: Record<string, (a: number, b: number) => boolean> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '==': (a, b) => a === b,
}

/** Parses and evaluates one expression over two scrapes; throws on anything it does not know. */
class Evaluation {
  readonly #tokens: string[]
  readonly #first: Scrape
  readonly #last: Scrape

  constructor(expression: string, [first, last]: readonly [Scrape, Scrape]) {
    this.#tokens = [...expression.matchAll(TOKEN)].map(([, token = '']) => token)
    this.#first = first
    this.#last = last
  }

  result(): Value {
    const left = this.#sum()
    const [sign] = this.#tokens
    const compare = sign === undefined ? undefined : COMPARE[sign]
    if (compare !== undefined) this.#tokens.shift()
    const value = compare === undefined ? left : this.#compared(left, compare)
    if (this.#tokens.length > 0) throw new Error(`Cannot parse: ${this.#tokens.join(' ')}`)
    return value
  }

  #compared(left: Value, compare: (a: number, b: number) => boolean): Vector {
    const right = this.#sum()
    const all = typeof left === 'number' ? [{ labels: {}, value: left }] : left
    if (typeof right !== 'number') throw new Error('Compared with no number')
    return all.filter(({ value }) => compare(value, right))
  }

  #take(expected?: string): string {
    const token = this.#tokens.shift() ?? ''
    if (expected !== undefined && token !== expected)
      throw new Error(`${token}: expected ${expected}`)
    return token
  }

  #sum(): Value {
    let value = this.#term()
    while (this.#tokens[0] === '-') {
      this.#take()
      value = combine(value, this.#term(), (a, b) => a - b)
    }
    return value
  }

  #term(): Value {
    let value = this.#factor()
    while (this.#tokens[0] === '/') {
      this.#take()
      value = combine(value, this.#factor(), (a, b) => a / b)
    }
    return value
  }

  #factor(): Value {
    const token = this.#take()
    if (/^\d/.test(token)) return Number(token)
    const aggregate = AGGREGATES[token]
    if (aggregate !== undefined) return this.#aggregated(aggregate)
    if (token === 'time') {
      this.#take('(')
      this.#take(')')
      return this.#last.at
    }
    if (token === 'rate' || token === 'increase' || token === 'delta') return this.#grown(token)
    if (token === 'histogram_quantile') return this.#quantile()
    return this.#selected(token)
  }

  #aggregated(aggregate: (values: number[]) => number): Vector {
    const by: string[] = []
    if (this.#tokens[0] === 'by') {
      this.#take()
      for (let token = this.#take('('); token !== ')'; ) {
        by.push(this.#take())
        token = this.#take()
      }
    }
    const inner = this.#inBrackets()
    const groups = Map.groupBy(inner, ({ labels }) => keyOf(groupLabels(labels, by)))
    return [...groups.values()].map((members) => ({
      labels: groupLabels(members[0]?.labels ?? {}, by),
      value: aggregate(members.map(({ value }) => value)),
    }))
  }

  #inBrackets(): Vector {
    this.#take('(')
    const inner = this.#sum()
    this.#take(')')
    if (typeof inner === 'number') throw new Error('A number has no samples')
    return inner
  }

  /**
   * The increase between the two scrapes, whatever the range; a series that is new in the second starts at 0.
   * Like Prometheus, all but `delta` treat a decrease as a counter reset.
   */
  #grown(how: string): Vector {
    this.#take('(')
    const name = this.#take()
    const matchers = this.#matchers()
    this.#take('[')
    while (this.#take() !== ']');
    this.#take(')')
    const before = this.#pick(this.#first, name, matchers)
    const seconds = how === 'rate' ? this.#last.at - this.#first.at : 1
    return this.#pick(this.#last, name, matchers).map(({ labels, value }) => {
      const old = before.find((one) => keyOf(one.labels) === keyOf(labels))?.value ?? 0
      const isReset = how !== 'delta' && value < old
      return { labels, value: (isReset ? value : value - old) / seconds }
    })
  }

  #quantile(): Vector {
    this.#take('(')
    const share = Number(this.#take())
    this.#take(',')
    const buckets = this.#sum()
    this.#take(')')
    if (typeof buckets === 'number' || buckets.length === 0) return []
    return [{ labels: {}, value: quantileOf(share, buckets) }]
  }

  #selected(name: string): Vector {
    return this.#pick(this.#last, name, this.#matchers())
  }

  #matchers(): ((labels: Labels) => boolean)[] {
    const matchers: ((labels: Labels) => boolean)[] = []
    if (this.#tokens[0] !== '{') return matchers
    for (let token = this.#take(); token !== '}'; token = this.#take()) {
      const [label, sign, text] = [this.#take(), this.#take(), this.#take().slice(1, -1)]
      if (sign !== '=' && sign !== '=~') throw new Error(`No matcher: ${sign}`)
      const whole = new RegExp(`^(?:${text})$`)
      matchers.push((labels) =>
        sign === '=' ? labels[label] === text : whole.test(labels[label] ?? ''),
      )
    }
    return matchers
  }

  #pick({ samples }: Scrape, name: string, matchers: ((labels: Labels) => boolean)[]): Vector {
    return samples
      .filter((one) => one.name === name && matchers.every((fits) => fits(one.labels)))
      .map(({ labels, value }) => ({ labels, value }))
  }
}

/**
 * Whether the expression of an alert would fire after two scrapes, by the forms of PromQL that
 * deploy/alerts.yml uses: selectors, `rate`, `increase` and `delta` between the two, `sum` and `max` with
 * `by`, `histogram_quantile`, `time()`, minus, division and one comparison.
 */
export function fires(expression: string, scrapes: readonly [Scrape, Scrape]): boolean {
  const value = new Evaluation(expression, scrapes).result()
  return typeof value !== 'number' && value.length > 0
}
