import { expect, test } from 'vitest'
import { makePatient } from '#tests/harness/accounts.ts'
import { at, type Clinician, DEFAULT_HOURS, makeClinician } from '#tests/harness/clinician.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

type ExplainInput = Parameters<Clinician['caller']['availability']['explain']>[0]

async function explainReasons({ caller }: Clinician, asked: ExplainInput): Promise<string[]> {
  const { answer } = await caller.availability.explain(asked)
  if (answer === null || answer.offered) return ['offered']
  return answer.reasons.map(({ text }) => text)
}

const stretchTexts = async ({ caller }: Clinician, date: string) =>
  (await caller.availability.explain({ date })).stretches.map(({ text }) => text)

test('every reason why a time is not offered has its sentence', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  const settings = { closedOnHolidays: true, bufferMinutes: 10, horizonDays: 40 }
  await clinician.save(
    [...DEFAULT_HOURS, { weekday: 7, from: at('0:30'), to: at('4:00') }],
    settings,
  )
  const { version } = await clinician.mine()
  await clinician.caller.availability.addAbsence({
    version,
    placeId: null,
    from: '2026-03-09',
    to: '2026-03-13',
    note: 'Skiing',
  })
  const patient = await makePatient(testApp)
  await bookVisit(patient.ctx, { providerId: clinician.id, startsAt: '2026-03-03T09:00:00Z' })
  await patient.caller.booking.hold({
    providerId: clinician.id,
    startsAt: '2026-03-03T10:20:00Z',
  })
  const ask = (date: string, time: string) => explainReasons(clinician, { date, time })
  expect(await ask('2026-03-03', '09:40')).toEqual(['offered'])
  expect(await ask('2026-03-03', '09:00')).toEqual(['You have a booked visit then.'])
  expect(await ask('2026-03-03', '10:20')).toEqual(['Someone is booking this time right now.'])
  expect(await ask('2026-03-03', '09:35')).toEqual(['You keep 10 minutes free between visits.'])
  expect(await ask('2026-03-03', '09:50')).toEqual([
    'Your visits of 30 minutes start at other times, not at this one.',
  ])
  expect(await ask('2026-03-03', '11:50')).toEqual(['No visit of 30 minutes fits here.'])
  expect(await ask('2026-03-03', '12:30')).toEqual(['It is outside your hours.'])
  expect(await ask('2026-03-02', '08:00')).toEqual([
    'This time has passed.',
    'It is outside your hours.',
  ])
  expect(await ask('2026-03-02', '10:20')).toEqual(['It’s within your notice period of 2 hours.'])
  expect(await ask('2026-03-10', '09:00')).toEqual(['You are away: Skiing.'])
  expect(await ask('2026-04-03', '09:00')).toEqual([
    'You’re closed on public holidays, and this is one: Good Friday.',
  ])
  expect(await ask('2026-04-20', '09:00')).toEqual([
    'It is more than 40 days ahead, which is as far as you offer times.',
  ])
  expect(await ask('2026-03-29', '01:30')).toEqual([
    'This time doesn’t exist on that day because the clocks go forward.',
  ])
})

test('a day is divided without gaps, labelled in local time', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS, { bufferMinutes: 10 })
  const patient = await makePatient(testApp)
  await bookVisit(patient.ctx, { providerId: clinician.id, startsAt: '2026-03-03T09:40:00Z' })
  expect(await stretchTexts(clinician, '2026-03-03')).toEqual([
    '00:00 to 09:00: Outside your hours',
    '09:00 to 09:30: Free',
    '09:30 to 09:40: Time between visits (10 minutes)',
    '09:40 to 10:10: Booked visit',
    '10:10 to 10:20: Time between visits (10 minutes)',
    '10:20 to 10:50: Free',
    '10:50 to 11:00: Time between visits (10 minutes)',
    '11:00 to 11:30: Free',
    '11:30 to 11:40: Time between visits (10 minutes)',
    '11:40 to 12:00: Too short for a visit of 30 minutes',
    '12:00 to 13:00: Outside your hours',
    ...['13:00', '13:40', '14:20', '15:00', '15:40'].flatMap((from) => {
      const clock = (minutes: number) =>
        `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
      const start = at(from)
      return [
        `${from} to ${clock(start + 30)}: Free`,
        `${clock(start + 30)} to ${clock(start + 40)}: Time between visits (10 minutes)`,
      ]
    }),
    '16:20 to 16:50: Free',
    '16:50 to 17:00: Time between visits (10 minutes)',
    '17:00 to 24:00: Outside your hours',
  ])
})

test.each([
  ['2026-03-29', 23],
  ['2026-10-25', 25],
])('on %s the parts of the day add up to %i hours', async (date, hours) => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save([{ weekday: 7, from: 0, to: at('24:00') }], { horizonDays: 180 })
  testApp.advance(180 * 86_400_000)
  const { stretches } = await clinician.caller.availability.explain({ date })
  const [first] = stretches
  const last = stretches.at(-1)
  const length = Date.parse(last?.endsAt ?? '') - Date.parse(first?.startsAt ?? '')
  expect(length).toBe(hours * 3_600_000)
  for (const [n, { startsAt }] of stretches.entries()) {
    if (n > 0) expect(startsAt).toBe(stretches[n - 1]?.endsAt)
  }
})

test('equal times are told apart when clocks go back', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save([{ weekday: 7, from: at('0:30'), to: at('1:30') }], { horizonDays: 180 })
  testApp.advance(180 * 86_400_000)
  expect(await stretchTexts(clinician, '2026-10-25')).toEqual([
    '00:00 to 00:30: Outside your hours',
    '00:30 to 01:30 BST: Free',
    '01:30 BST to 01:00 GMT: Too short for a visit of 30 minutes',
    '01:00 GMT to 01:30 GMT: Free',
    '01:30 GMT to 24:00: Outside your hours',
  ])
  const { stretches } = await clinician.caller.availability.explain({ date: '2026-10-25' })
  expect(stretches[1]).toMatchObject({ from: '00:30', to: '01:30 BST', label: 'Free' })
})

test('the explanation tells an unverified provider that nobody can book', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp, { verification_status: 'Unverified' })
  await clinician.save(DEFAULT_HOURS)
  expect(await explainReasons(clinician, { date: '2026-03-03', time: '09:00' })).toEqual([
    'Your profile isn’t public yet, so nobody can book.',
  ])
})

test('preview, explanation and profile show the same free times', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS, { bufferMinutes: 5, closedOnHolidays: true })
  const patient = await makePatient(testApp)
  await bookVisit(patient.ctx, { providerId: clinician.id, startsAt: '2026-03-04T09:35:00Z' })
  const { days } = await clinician.caller.availability.preview({ days: 42 })
  for (const day of days) {
    const free = await clinician.free(day.date, 1)
    expect([day.date, day.free]).toEqual([day.date, free.length])
    const { answer } = await clinician.caller.availability.explain({
      date: day.date,
      time: '09:00',
    })
    const isFree = free.some((time) => /T0[89]:00$/.test(time) && time.endsWith(hourOf(day.date)))
    expect([day.date, answer?.offered]).toEqual([day.date, isFree])
  }
})

/** 09:00 in London, in UTC. */
function hourOf(date: string): string {
  return date < '2026-03-29' ? 'T09:00' : 'T08:00'
}

test('a draft is previewed with the visits it would leave outside, without saving', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const patient = await makePatient(testApp)
  const id = await bookVisit(patient.ctx, {
    providerId: clinician.id,
    startsAt: '2026-03-04T15:00:00Z',
  })
  const { settings, hours } = await clinician.mine()
  const draft = { settings, hours: hours.filter(({ to }) => to === at('12:00')) }
  const preview = await clinician.caller.availability.preview({ draft })
  expect(preview.conflicts.map((one) => one.id)).toEqual([id])
  expect(preview.days).toHaveLength(28)
  expect(preview.days[2]).toMatchObject({ date: '2026-03-04', free: 6, booked: 1, outside: 1 })
  expect(preview.days[5]).toMatchObject({ closed: 'no_hours', free: 0 })
  const now = await clinician.caller.availability.preview({})
  expect(now.days[2]).toMatchObject({ free: 13, booked: 1, outside: 0 })
  expect(now.conflicts).toEqual([])
  expect(await explainReasons(clinician, { draft, date: '2026-03-05', time: '14:00' })).toEqual([
    'It is outside your hours.',
  ])
})

test('closed days give the reason', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS, { closedOnHolidays: true, horizonDays: 34 })
  const { version } = await clinician.mine()
  const away = { version, placeId: null, from: '2026-03-30', to: '2026-03-31', note: 'Course' }
  await clinician.caller.availability.addAbsence(away)
  const { days } = await clinician.caller.availability.preview({ from: '2026-03-01', days: 42 })
  const closed = new Map(days.map((day) => [day.date, day]))
  expect(closed.get('2026-03-01')).toMatchObject({ closed: 'past' })
  expect(closed.get('2026-03-02')).toMatchObject({ closed: null })
  expect(closed.get('2026-03-07')).toMatchObject({ closed: 'no_hours', hours: [] })
  expect(closed.get('2026-03-30')).toMatchObject({ closed: 'absence', note: 'Course' })
  expect(closed.get('2026-03-30')?.hours).toHaveLength(2)
  expect(closed.get('2026-04-03')).toMatchObject({ closed: 'holiday', holiday: 'Good Friday' })
  expect(closed.get('2026-04-06')).toMatchObject({ closed: 'holiday', holiday: 'Easter Monday' })
  expect(closed.get('2026-04-07')).toMatchObject({ closed: 'horizon' })
})

test.each([{ from: '9999-12-31' }, { from: '1900-01-01' }, { days: 43 }, { days: 0 }])(
  'a preview of %o is refused',
  async (input) => {
    await using testApp = await makeTestApp()
    const clinician = await makeClinician(testApp)
    await expect(clinician.caller.availability.preview(input)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  },
)

test('an explanation for one of two places ignores the hours of the other', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp, { places: [{}, { name: 'Riverside Rooms' }] })
  const [main, other] = (await clinician.mine()).places
  if (main === undefined || other === undefined) throw new Error('there are not two places')
  const day = { weekday: 2, week: 1 }
  await clinician.save([
    { ...day, placeId: main.id, from: at('9:00'), to: at('12:00') },
    { ...day, placeId: other.id, from: at('13:00'), to: at('16:00') },
  ])
  const ask = (placeId: string, time: string) =>
    clinician.caller.availability.explain({ date: '2026-03-03', time, placeId })
  expect(
    await explainReasons(clinician, { date: '2026-03-03', time: '13:00', placeId: other.id }),
  ).toEqual(['offered'])
  const { answer } = await ask(main.id, '13:00')
  expect(answer).toMatchObject({
    offered: false,
    reasons: [{ reason: 'outside_hours' }],
    nearest: ['2026-03-03T11:30:00.000Z', '2026-03-03T11:00:00.000Z', '2026-03-03T10:30:00.000Z'],
  })
})

test('public holidays are closed until opened', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  expect((await clinician.mine()).settings.closedOnHolidays).toBe(true)
})

test('a week explains each day as the single-day call does', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  await clinician.save(DEFAULT_HOURS)
  const { caller } = await makePatient(testApp)
  await caller.booking.hold({ providerId: clinician.id, startsAt: '2026-03-25T09:00:00Z' })
  const { availability } = clinician.caller
  // Clocks go forward on Sunday 29 March.
  const week = await availability.week({ from: '2026-03-23' })
  expect(week).toMatchObject({ timeZone: 'Europe/London', today: '2026-03-02' })
  expect(week.days.map(({ date }) => date)).toEqual(
    [23, 24, 25, 26, 27, 28, 29].map((day) => `2026-03-${day}`),
  )
  for (const { date, stretches } of week.days) {
    expect(stretches).toEqual((await availability.explain({ date })).stretches)
  }
  const reasons = week.days[2]?.stretches.map(({ reason }) => reason)
  expect(reasons).toContain('held')
  const one = await availability.week({ from: '2026-03-25', days: 1 })
  expect(one.days).toEqual([week.days[2]])
  await expect(availability.week({ from: '2036-03-25' })).rejects.toThrow(
    'Choose a day within the next two years.',
  )
  await expect(availability.week({ from: '2026-03-25', days: 8 })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
})

test('a day has the hours of a place in another zone that are part of its day before or after', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp, {
    places: [
      { time_zone: 'America/Los_Angeles' },
      { name: 'Tamuning Practice', time_zone: 'Pacific/Guam', position: 1 },
      { name: 'Honolulu Practice', time_zone: 'Pacific/Honolulu', position: 2 },
    ],
  })
  const [, guam, honolulu] = (await clinician.mine()).places
  await clinician.save([
    { weekday: 4, from: at('9:00'), to: at('10:00'), placeId: guam?.id ?? '' },
    { weekday: 3, from: at('20:00'), to: at('22:00'), placeId: honolulu?.id ?? '' },
  ])
  // Nine on Thursday 12 March in Guam is four in the afternoon of Wednesday in Los Angeles, and ten in the evening of
  // Wednesday in Honolulu is one in the morning of Thursday there.
  const { days } = await clinician.caller.availability.week({ from: '2026-03-11', days: 2 })
  expect(days.map(({ stretches }) => stretches.map(({ text }) => text))).toEqual([
    [
      '00:00 to 16:00: Outside your hours',
      '16:00 to 17:00: Free',
      '17:00 to 23:00: Outside your hours',
      '23:00 to 24:00: Free',
    ],
    ['00:00 to 01:00: Free', '01:00 to 24:00: Outside your hours'],
  ])
  const { answer } = await clinician.caller.availability.explain({
    date: '2026-03-11',
    time: '15:00',
  })
  expect(answer?.nearest.map((time) => time.slice(0, 16))).toEqual([
    '2026-03-11T23:00',
    '2026-03-11T23:30',
    '2026-03-12T06:00',
  ])
})
