import { nextTurn } from '#server/kernel/limits/semaphore.ts'

/** Read at once: others get their turn between two of these. */
const STRETCH = 500

export type Part = { skip: number; limit: number }

type Read<Row> = (part: Part) => Promise<Row[]>

/**
 * All rows that `read` has, stretch by stretch, to no more than `max`, each read when it is asked for.
 * Ends with whether there are more.
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

/** All of them at once; `isCut` says that there are more. */
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
