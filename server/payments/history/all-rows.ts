import { nextTurn } from '#server/kernel/limits/semaphore.ts'

/** Rows per read; other requests get a turn in between. */
const STRETCH = 500

export type Part = { skip: number; limit: number }

type Read<Row> = (part: Part) => Promise<Row[]>

/**
 * Yields the rows of `read` in batches, at most `max` rows, each batch read on demand. Returns whether there
 * are more.
 */
export async function* readStretches<Row>(
  read: Read<Row>,
  max: number,
): AsyncGenerator<Row[], boolean> {
  let taken = 0
  for (;;) {
    // One more than there is room for tells whether there are more.
    const limit = Math.min(STRETCH, max - taken + 1)
    const stretch = await read({ skip: taken, limit })
    const kept = stretch.slice(0, max - taken)
    taken += kept.length
    if (kept.length > 0) yield kept
    if (kept.length < stretch.length) return true
    if (stretch.length < limit) return false
    await nextTurn()
  }
}

/** All rows in one array; `isCut` if there are more than `max`. */
export async function readAllRows<Row>(
  read: Read<Row>,
  max: number,
): Promise<{ rows: Row[]; isCut: boolean }> {
  const stretches = readStretches(read, max)
  const rows: Row[] = []
  for (;;) {
    const { done, value } = await stretches.next()
    if (done) return { rows, isCut: value }
    rows.push(...value)
  }
}
