import { nextTurn } from '#server/kernel/limits/semaphore.ts'

/** Read at once: others get their turn between two of these. */
const STRETCH = 500

export type Part = { skip: number; limit: number }

/** All rows that `read` has, stretch by stretch, to no more than `max`; `isCut` says that there are more. */
export async function readAllRows<Row>(
  read: (part: Part) => Promise<Row[]>,
  max: number,
): Promise<{ rows: Row[]; isCut: boolean }> {
  const rows: Row[] = []
  for (;;) {
    // One more than there is room for tells whether there are more.
    const limit = Math.min(STRETCH, max - rows.length + 1)
    const stretch = await read({ skip: rows.length, limit })
    const kept = stretch.slice(0, max - rows.length)
    rows.push(...kept)
    if (kept.length < stretch.length) return { rows, isCut: true }
    if (stretch.length < limit) return { rows, isCut: false }
    await nextTurn()
  }
}
