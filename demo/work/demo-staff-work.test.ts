import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ProvidersPage, StaffProvider, VerificationQueue } from '#contract/verification-staff.ts'
import type { Database } from '#db/engine.ts'
import { OUTAGE_NUMBERS } from '#db/reference/demo.ts'
import { drawPdf } from '#demo/pictures/draw-pdf.ts'
import { withDemoOutages } from '#server/verification/register/read-registration-status.ts'
import { recheckRegistrations } from '#server/verification/register/recheck-registrations.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedRegisters } from './demo-registers.ts'
import { seedStaffWork } from './demo-staff-work.ts'

const WAITING = 30

async function demo(database: Database) {
  const dataDir = await mkdtemp(join(tmpdir(), 'apposite-staff-work-'))
  const testApp = await makeTestApp({ database, config: { dataDir } })
  for (let at = 0; at < WAITING; at += 1) {
    const isUsa = at % 4 === 3
    await makeProvider(testApp, {
      email: `ann.lee${at}@demo.example`,
      professional_body: isUsa ? 'NPI' : at % 2 === 1 ? 'GDC' : 'GMC',
      region: isUsa ? 'usa' : 'uk',
      membership_number: String(900_000 + at),
      verification_status: 'Unverified',
      verified_at: null,
    })
  }
  const now = testApp.services.now()
  await seedRegisters(database, { now })
  const { documents } = testApp.services
  return {
    testApp,
    seed: () => seedStaffWork(database, { now, keep: (paper) => documents.save(paper) }),
    [Symbol.asyncDispose]: async () => {
      await testApp[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

describeEngines('the demo’s work for staff', (makeDatabase) => {
  test('has something of everything, written once', async () => {
    const database = await makeDatabase()
    await using made = await demo(database)
    const { testApp } = made
    expect([await made.seed(), await made.seed()]).toEqual([true, false])
    const admin = await signInDemoStaff(testApp, 'admin')
    const queue = VerificationQueue.parse((await admin.ask('verification.queue')).data)
    expect(queue).toMatchObject({ waiting: WAITING - 3, lost: 2, companies: 2 })
    expect(queue.matching).toBeGreaterThan(0)
    const { db } = database
    const standings = await db.selectFrom('provider_standings').selectAll().execute()
    const states = standings.map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['waiting', 'refused', 'lost']))
    expect(standings.filter(({ asked_again_at: at }) => at !== null)).toHaveLength(1)
    expect(standings.filter(({ answered_at: at }) => at !== null)).toHaveLength(1)
    const { data } = await admin.ask('verification.providers', { list: 'waiting' })
    const pages = [data]
    for (let page = 2; page <= ProvidersPage.parse(data).total_pages; page += 1) {
      pages.push((await admin.ask('verification.providers', { list: 'waiting', page })).data)
    }
    const rows = pages.flatMap((one) => ProvidersPage.parse(one).providers)
    expect(rows.filter(({ isNumberShared }) => isNumberShared)).toHaveLength(2)
    const [answered] = rows.filter((row) => row.answeredAt !== null)
    const provider = await admin.ask('verification.provider', { providerId: answered?.providerId })
    const [asked] = StaffProvider.parse(provider.data).evidence?.asked ?? []
    expect(asked).toMatchObject({ isOpen: false })
    expect(asked?.answer?.text).toContain('maiden name')
    // The company's document can be read.
    const [document] = await db.selectFrom('company_documents').selectAll().execute()
    const bytes = await testApp.services.documents.read(document?.file ?? '')
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    // The nightly check is due for Verified providers only.
    await recheckRegistrations(testApp.services)
    expect(await db.selectFrom('outbox').select('id').execute()).toEqual([])
  })

  test('has a provider for whom the register does not respond', async () => {
    const database = await makeDatabase()
    await using made = await demo(database)
    await made.seed()
    const silent = await database.db
      .selectFrom('providers')
      .select('professional_body as body')
      .where('membership_number', 'in', Object.values(OUTAGE_NUMBERS))
      .execute()
    expect(silent).toHaveLength(1)
    const find = withDemoOutages(() => Promise.resolve(null))
    await expect(find('GMC', OUTAGE_NUMBERS.GMC)).rejects.toThrow('The GMC register did not answer')
    expect(await find('GMC', '7000001')).toBeNull()
    expect(await find('GDC', OUTAGE_NUMBERS.GMC)).toBeNull()
  })
})

test('a document is a PDF with a valid cross-reference table', () => {
  const text = new TextDecoder().decode(drawPdf('A (heading) \\ é', ['One', 'Two']))
  expect(text.startsWith('%PDF-1.4\n')).toBe(true)
  expect(text).toContain(String.raw`(A \(heading\) \\ e)`)
  const offsets = [...text.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset))
  expect(offsets).toHaveLength(5)
  for (const [at, offset] of offsets.entries()) {
    expect(text.slice(offset).startsWith(`${at + 1} 0 obj`)).toBe(true)
  }
  const xref = Number(/startxref\n(\d+)/.exec(text)?.[1])
  expect(text.slice(xref).startsWith('xref')).toBe(true)
})
