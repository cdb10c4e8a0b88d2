import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { jobsFor } from '#server/jobs/registry.ts'
import type { Background } from '#server/kernel/limits/semaphore.ts'
import { listUpdated, type Moved } from '#server/payments/reconciliation/reconciliation-store.ts'
import { listUnreminded, type Unreminded } from '#server/reminders/store.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Creates `count` booked visits of one patient in the coming days, several of them at the same instant. */
async function bookMany(testApp: TestApp, count: number): Promise<void> {
  const { account } = await makePatient(testApp)
  for (let n = 0; n < count; n += 1) {
    const provider = await makeProvider(testApp, { slots: [] })
    const start = testApp.services.now() + DAY + Math.floor(n / 3) * HOUR
    const startsAt = new Date(start).toISOString()
    await insertVisit(testApp, provider, { patientNo: account.no, startsAt })
  }
}

/** Reads all pages of a list. */
async function readAll<T>(page: (after: T | null) => Promise<T[]>): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const next = await page(all.at(-1) ?? null)
    if (next.length === 0) return all
    all.push(...next)
  }
}

/** Jobs that have much work with many providers and visits. */
const LONG_JOBS = [
  'compare-books',
  'complete-desk-visits',
  'complete-visits',
  'extend-slots',
  'forget-delivered',
  'recheck-standings',
  'refresh-next-free',
  'remind',
  'return-late-fees',
  'settle-no-shows',
  'withdraw-slots',
]

describeEngines('large tables', (makeDatabase) => {
  test('updated payments are listed once each, page by page, in order of update', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await bookMany(testApp, 9)
    const { db } = testApp.database
    const now = testApp.services.now()
    const { rows } = await sql<{ no: number }>`update payments set gw_session = id,
      updated_at = ${sql.lit(now)} - (no % 3) * ${sql.lit(HOUR)} returning no`.execute(db)
    expect(rows).toHaveLength(9)
    const moved = (since: number, until: number) =>
      readAll((after: Moved | null) =>
        listUpdated(db, { gateway: 'stripe', since, until, after, limit: 2 }),
      )
    const all = await moved(now - 2 * HOUR, now)
    const order = all.map(({ updated_at: at, no }) => [at, no])
    expect(order).toEqual(order.toSorted(([a = 0, n = 0], [b = 0, m = 0]) => a - b || n - m))
    expect(all.map(({ no }) => no).toSorted((a, b) => a - b)).toEqual(
      rows.map(({ no }) => no).toSorted((a, b) => a - b),
    )
    const [earlier, later] = [await moved(now - 2 * HOUR, now - HOUR), await moved(now - HOUR, now)]
    expect([earlier.length, later.length]).toEqual([6, 6])
    expect(await moved(now + 1, now + 1)).toEqual([])
  })

  test('visits due for a reminder are listed once each, page by page', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await bookMany(testApp, 8)
    const now = testApp.services.now()
    const all = await readAll((after: Unreminded | null) =>
      listUnreminded(testApp.database.db, 'day', { from: now, to: now + 9 * DAY, after, limit: 3 }),
    )
    expect(all).toHaveLength(8)
    expect(new Set(all.map(({ no }) => no)).size).toBe(8)
  })

  test('long jobs leave the database to others between batches', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { services } = testApp
    const seen: string[] = []
    let job = ''
    const background: Background = {
      run: (batch) => {
        seen.push(job)
        return batch()
      },
      drain: async (_size, batch) => {
        await background.run(batch)
      },
    }
    for (const one of jobsFor(services.config)) {
      if (!LONG_JOBS.includes(one.name)) continue
      job = one.name
      await one.run({ ...services, background }, new AbortController().signal)
    }
    expect([...new Set(seen)].toSorted()).toEqual(LONG_JOBS)
  })
})
