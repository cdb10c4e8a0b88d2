import { yieldToEventLoop } from '#server/kernel/limits/semaphore.ts'

/** Rows per read; other requests get a turn in between. */
const BATCH = 500

export type Part = { skip: number; limit: number }

type Read<Row> = (part: Part) => Promise<Row[]>

/**
 * Yields the rows of `read` in batches, at most `max` rows, each batch read on demand. Returns whether there
 * are more.
 */
export async function* readBatches<Row>(
  read: Read<Row>,
  max: number,
): AsyncGenerator<Row[], boolean> {
  let count = 0
  for (;;) {
    // One more than there is room for tells whether there are more.
    const limit = Math.min(BATCH, max - count + 1)
    const batch = await read({ skip: count, limit })
    const rows = batch.slice(0, max - count)
    count += rows.length
    if (rows.length > 0) yield rows
    if (rows.length < batch.length) return true
    if (batch.length < limit) return false
    await yieldToEventLoop()
  }
}

/** All rows in one array; `isCut` if there are more than `max`. */
export async function readAllRows<Row>(
  read: Read<Row>,
  max: number,
): Promise<{ rows: Row[]; isCut: boolean }> {
  const batches = readBatches(read, max)
  const rows: Row[] = []
  for (;;) {
    const { done, value } = await batches.next()
    if (done) return { rows, isCut: value }
    rows.push(...value)
  }
}
