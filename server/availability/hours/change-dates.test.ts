import { expect, test } from 'vitest'
import { makePatient } from '#tests/harness/accounts.ts'
import { at, type Clinician, DEFAULT_HOURS, makeClinician } from '#tests/harness/clinician.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

type Dates = Parameters<Clinician['caller']['availability']['addDates']>[0]
type AbsenceInput = Parameters<Clinician['caller']['availability']['addAbsence']>[0]

async function addDates(clinician: Clinician, more: Partial<Dates>) {
  const { version } = await clinician.mine()
  return clinician.caller.availability.addDates({
    version,
    placeId: clinician.placeId,
    dates: ['2026-03-07'],
    from: at('10:00'),
    to: at('12:00'),
    ...more,
  })
}

async function addAbsence(clinician: Clinician, more: Partial<AbsenceInput>) {
  const { version } = await clinician.mine()
  const days = { from: '2026-03-09', to: '2026-03-13' }
  return clinician.caller.availability.addAbsence({ version, placeId: null, ...days, ...more })
}

test('extra dates are offered, listed, changed and removed', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const added = await addDates(clinician, {
    dates: ['2026-03-14', '2026-03-07'],
    note: 'Saturday clinic',
  })
  expect(added.mine.extraDates.map(({ date, note }) => [date, note])).toEqual([
    ['2026-03-07', 'Saturday clinic'],
    ['2026-03-14', 'Saturday clinic'],
  ])
  expect(await clinician.free('2026-03-07', 1)).toHaveLength(4)
  const [first] = added.mine.extraDates
  const changed = await addDates(clinician, { replaces: first?.id, to: at('11:00') })
  expect(changed.mine.extraDates.map(({ id }) => id)).toEqual(
    added.mine.extraDates.map(({ id }) => id),
  )
  expect(await clinician.free('2026-03-07', 1)).toEqual(['2026-03-07T10:00', '2026-03-07T10:30'])
  const { version, extraDates } = changed.mine
  const id = extraDates[1]?.id ?? ''
  const removed = await clinician.caller.availability.removeDate({ version, id })
  expect(removed.mine.extraDates).toHaveLength(1)
  expect(await clinician.free('2026-03-14', 1)).toEqual([])
})

test.each([
  [
    'a range that ends before it begins',
    { from: 720, to: 600 },
    'The end must be after the start.',
  ],
  [
    'a day that is over',
    { dates: ['2026-03-01'] },
    'That day is over. Choose today or a later day.',
  ],
  ['a day in the far future', { dates: ['2029-01-01'] }, 'Choose a day within the next two years.'],
  ['a day that does not exist', { dates: ['2026-02-30'] }, 'Enter a real date.'],
  [
    'one day twice',
    { dates: ['2026-03-07', '2026-03-07'] },
    'You’ve already added these hours on 7 March 2026.',
  ],
  [
    'hours that meet the weekly ones',
    { dates: ['2026-03-03'] },
    'These hours overlap: 09:00 to 12:00 and 10:00 to 12:00 on 3 March 2026.',
  ],
  [
    'a time that does not exist on that day',
    { dates: ['2026-03-29'], from: at('1:30'), to: at('4:00') },
    'This time does not exist on that day (clocks change).',
  ],
  [
    'a day on which they are away',
    { dates: ['2026-03-21'] },
    'You are away on 21 March 2026. Delete that time off first, or choose another day.',
  ],
] satisfies [string, Partial<Dates>, string][])(
  '%s is refused, and none of the dates is saved',
  async (...row) => {
    const [, more, message]: [string, Partial<Dates>, string] = row
    await using testApp = await makeTestApp()
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    await addAbsence(clinician, { from: '2026-03-20', to: '2026-03-22' })
    const dates = ['2026-03-08', ...(more.dates ?? ['2026-03-07'])]
    await expect(addDates(clinician, { ...more, dates })).rejects.toThrow(message)
    expect((await clinician.mine()).extraDates).toEqual([])
    expect(await clinician.free('2026-03-07', 2)).toEqual([])
  },
)

test('extra dates are offered on public holidays', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS, { closedOnHolidays: true })
  await addDates(clinician, { dates: ['2026-04-03'], from: at('9:00'), to: at('10:00') })
  expect(await clinician.free('2026-04-03', 1)).toEqual(['2026-04-03T08:00', '2026-04-03T08:30'])
})

test('an absence closes its days, and removing it reopens them', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const away = await addAbsence(clinician, { note: 'Skiing' })
  expect(away.mine.absences).toMatchObject([
    { placeId: null, from: '2026-03-09', to: '2026-03-13', note: 'Skiing' },
  ])
  expect(await clinician.free('2026-03-09', 5)).toEqual([])
  expect(await clinician.free('2026-03-16', 1)).toHaveLength(14)
  const { version, absences } = away.mine
  const id = absences[0]?.id ?? ''
  await clinician.caller.availability.removeAbsence({ version, id })
  expect(await clinician.free('2026-03-09', 5)).toHaveLength(70)
})

test('an absence over booked visits lists them first; they stay booked', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const { ctx } = await makePatient(testApp)
  const id = await bookVisit(ctx, { providerId: clinician.id, startsAt: '2026-03-10T09:00:00Z' })
  const refused = await addAbsence(clinician, {})
  expect(refused).toMatchObject({ saved: false, conflicts: [{ id }], mine: { absences: [] } })
  expect(await clinician.free('2026-03-09', 1)).toHaveLength(14)
  const saved = await addAbsence(clinician, { confirmed: [id] })
  expect(saved).toMatchObject({ saved: true, conflicts: [{ id }] })
  const { claims } = {
    claims: await testApp.database.db.selectFrom('slot_claims').selectAll().execute(),
  }
  expect(claims).toHaveLength(1)
})

test('an absence also lists a visit outside the weekly hours', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const { ctx } = await makePatient(testApp)
  const id = await bookVisit(ctx, { providerId: clinician.id, startsAt: '2026-03-10T09:00:00Z' })
  await clinician.save([], {}, { confirmed: [id] })
  expect(await addAbsence(clinician, {})).toMatchObject({ saved: false, conflicts: [{ id }] })
  expect(await addAbsence(clinician, { confirmed: [id] })).toMatchObject({ saved: true })
})

test.each([
  [
    'an absence that ends before it begins',
    { to: '2026-03-08' },
    'The last day must not be before',
  ],
  ['an absence that is over', { from: '2026-02-01', to: '2026-02-03' }, 'That day is over.'],
  [
    'an absence within another',
    { from: '2026-03-20', to: '2026-03-20' },
    'You already have time off from 20 March 2026 to 22 March 2026.',
  ],
])('%s is refused', async (_, more, message) => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  await addAbsence(clinician, { from: '2026-03-20', to: '2026-03-22' })
  await expect(addAbsence(clinician, more)).rejects.toThrow(message)
  expect((await clinician.mine()).absences).toHaveLength(1)
})

test('an absence can be from one place of several', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp, { places: [{}, { postcode: 'E1 6AN' }] })
  const second = (await clinician.mine()).places[1]?.id ?? ''
  const mornings = DEFAULT_HOURS.filter(({ to }) => to === at('12:00'))
  const hours = DEFAULT_HOURS.map((range) => ({
    week: 1,
    ...range,
    placeId: mornings.includes(range) ? clinician.placeId : second,
  }))
  await clinician.save([], {}, { hours })
  await addAbsence(clinician, { placeId: second })
  expect(await clinician.free('2026-03-09', 1)).toHaveLength(6)
  expect(await clinician.free('2026-03-16', 1)).toHaveLength(14)
})

test('somebody else’s dates cannot be changed, and look like unknown ones', async () => {
  await using testApp = await makeTestApp()
  const owner = await makeClinician(testApp)
  const { mine } = await addDates(owner, {})
  const stranger = await makeClinician(testApp)
  const nobody = `xdt_${'z'.repeat(26)}`
  for (const id of [mine.extraDates[0]?.id ?? '', nobody]) {
    const call = stranger.caller.availability.removeDate({ version: 0, id })
    await expect(call).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'We couldn’t find that.',
    })
    await expect(addDates(stranger, { replaces: id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  expect((await owner.mine()).extraDates).toHaveLength(1)
})

type Input = Parameters<Clinician['caller']['availability']['addBlock']>[0]

/** Blocks the afternoon of Tuesday 10 March 2026 by default. */
async function block(clinician: Clinician, more: Partial<Input> = {}) {
  const { version } = await clinician.mine()
  const afternoon = { date: '2026-03-10', from: at('13:00'), to: at('17:00') }
  return clinician.caller.availability.addBlock({ version, ...afternoon, ...more })
}

test('a blocked afternoon is not offered, is listed, changed and removed', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const added = await block(clinician, { note: 'Training' })
  const [one] = added.mine.blocks
  expect(one).toMatchObject({ date: '2026-03-10', weekly: false, until: null, note: 'Training' })
  expect(await clinician.free('2026-03-10', 1)).toHaveLength(6)
  expect(await clinician.free('2026-03-17', 1)).toHaveLength(14)
  const changed = await block(clinician, { replaces: one?.id, from: at('16:00') })
  expect(changed.mine.blocks.map(({ id }) => id)).toEqual([one?.id])
  expect(await clinician.free('2026-03-10', 1)).toHaveLength(12)
  const { version, blocks } = changed.mine
  await clinician.caller.availability.removeBlock({ version, id: blocks[0]?.id ?? '' })
  expect(await clinician.free('2026-03-10', 1)).toHaveLength(14)
})

test('a weekly block repeats every seven days, from its first day to its last', async () => {
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

test('a block removes each slot it overlaps, and moves none', async () => {
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

test('a time in a block is explained with its note', async () => {
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

describeEngines('blocking and booking a time concurrently', (makeDatabase) => {
  test('nobody gets a blocked time, and holds stay', async () => {
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
