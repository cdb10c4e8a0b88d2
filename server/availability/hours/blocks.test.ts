import { expect, test } from 'vitest'
import { at, type Clinician, DEFAULT_HOURS, makeClinician } from '#tests/harness/hours.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

type Input = Parameters<Clinician['caller']['availability']['addBlock']>[0]

/** Blocks the afternoon of Tuesday 10 March 2026 by default. */
async function block(clinician: Clinician, more: Partial<Input> = {}) {
  const { version } = await clinician.mine()
  const afternoon = { date: '2026-03-10', from: at('13:00'), to: at('17:00') }
  return clinician.caller.availability.addBlock({ version, ...afternoon, ...more })
}

test('a blocked afternoon is not offered, is listed, changed and given back', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const added = await block(clinician, { note: 'Training' })
  const [one] = added.mine.blocks
  expect(one).toMatchObject({ date: '2026-03-10', weekly: false, until: null, note: 'Training' })
  expect(await clinician.free('2026-03-10', 1)).toHaveLength(6)
  expect(await clinician.free('2026-03-17', 1)).toHaveLength(14)
  const changed = await block(clinician, { replaces: one?.id, from: at('16:00') })
  expect(changed.mine.blocks).toHaveLength(1)
  expect(await clinician.free('2026-03-10', 1)).toHaveLength(12)
  const { version, blocks } = changed.mine
  await clinician.caller.availability.removeBlock({ version, id: blocks[0]?.id ?? '' })
  expect(await clinician.free('2026-03-10', 1)).toHaveLength(14)
})

test('a weekly block comes every seven days, from its first to its last', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  await block(clinician, { weekly: true, until: '2026-03-17' })
  const count = async (date: string) => (await clinician.free(date, 1)).length
  expect(await count('2026-03-03')).toBe(14)
  expect(await count('2026-03-10')).toBe(6)
  expect(await count('2026-03-11')).toBe(14)
  expect(await count('2026-03-17')).toBe(6)
  expect(await count('2026-03-24')).toBe(14)
})

test('a block takes away each time it reaches into, and moves none', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  await block(clinician, { from: at('9:40'), to: at('10:10') })
  const morning = (await clinician.free('2026-03-10', 1)).slice(0, 3)
  expect(morning).toEqual(['2026-03-10T09:00', '2026-03-10T10:30', '2026-03-10T11:00'])
})

test('a booked visit in the way is listed first, and stays', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const patient = await makePatient(testApp)
  const startsAt = '2026-03-10T14:00:00Z'
  await bookVisit(patient.ctx, { providerId: clinician.id, startsAt })
  const refused = await block(clinician)
  expect(refused).toMatchObject({ saved: false, mine: { blocks: [] } })
  const [visit] = refused.conflicts
  const saved = await block(clinician, { confirmed: [visit?.id ?? ''] })
  expect(saved.saved).toBe(true)
  const claims = await testApp.database.db.selectFrom('slot_claims').selectAll().execute()
  expect(claims).toHaveLength(1)
})

test('a time in a block says so, with its note', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  await block(clinician, { note: 'Training' })
  const { stretches, answer } = await clinician.caller.availability.explain({
    date: '2026-03-10',
    time: '14:00',
  })
  expect(stretches.map(({ text }) => text)).toContain('13:00 to 17:00: Blocked: Training')
  expect(answer).toMatchObject({
    offered: false,
    reasons: [{ reason: 'blocked', text: 'You have blocked this time: Training.' }],
  })
  const sunday = { date: '2026-03-15', from: at('10:00'), to: at('11:00') }
  await block(clinician, sunday)
  const other = await clinician.caller.availability.explain({ date: '2026-03-15', time: '10:00' })
  expect(other.answer?.reasons.map(({ reason }) => reason)).toEqual(['blocked', 'outside_hours'])
})

test.each([
  ['ends before it begins', { from: 720, to: 600 }, 'The end must be after the start.'],
  ['is over', { date: '2026-03-01' }, 'That day is over.'],
  ['ends before its first day', { weekly: true, until: '2026-03-03' }, 'The last day'],
  ['ends though it comes once', { until: '2026-03-20' }, ''],
  ['is years away', { date: '2031-03-10' }, ''],
])('a block that %s is refused', async (_, more, message) => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  await expect(block(clinician, more)).rejects.toThrow(message)
  expect((await clinician.mine()).blocks).toEqual([])
})

describeEngines('blocking and booking one time at once', (makeDatabase) => {
  test('gives nobody a blocked time and leaves every hold alone', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    const times = await clinician.free('2026-03-10', 1)
    for (const time of times.slice(0, 8)) {
      const { caller } = await makePatient(testApp)
      const from = at(time.slice(11))
      const [held, blocked] = await Promise.allSettled([
        caller.booking.hold({ providerId: clinician.id, startsAt: `${time}:00Z` }),
        block(clinician, { from, to: from + 30 }),
      ])
      // A hold is not a visit yet: it stays, and is not reported as a conflict.
      expect(blocked.status).toBe('fulfilled')
      const free = await clinician.free('2026-03-10', 1)
      expect(free).not.toContain(time)
      if (held.status === 'rejected') {
        expect(held.reason).toMatchObject({ cause: { code: 'slot_not_offered' } })
      }
    }
  })
})
