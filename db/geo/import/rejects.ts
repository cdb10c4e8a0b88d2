/** Rows an import left out, counted by reason with a few examples. */
export class Rejects {
  readonly #reasons = new Map<string, { count: number; examples: string[] }>()

  add(reason: string, example: string): void {
    const known = this.#reasons.get(reason) ?? { count: 0, examples: [] }
    known.count += 1
    if (known.examples.length < 3) known.examples.push(example.slice(0, 60))
    this.#reasons.set(reason, known)
  }

  /** Reasons, most frequent first. */
  list(): { reason: string; count: number; examples: string[] }[] {
    return [...this.#reasons]
      .map(([reason, { count, examples }]) => ({ reason, count, examples }))
      .toSorted((a, b) => b.count - a.count)
  }
}
