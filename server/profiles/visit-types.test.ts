import { expect, test } from 'vitest'
import { OwnProfile } from '#contract/profiles-own.ts'
import type { Database } from '#db/engine.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { makeClinician, makeVisitTypeEditor } from '#tests/harness/clinician.ts'
import { addPlaces } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const DAY = '2026-03-03'
const MORNING = [{ weekday: 2, from: 540, to: 660 }]

async function open(database?: Database) {
  const testApp = await makeTestApp(database === undefined ? {} : { database })
  await addPlaces(testApp)
  const clinician = await makeClinician(testApp, {
    places: [{ name: 'Borough Practice' }, { name: 'Canal Clinic' }],
  })
  await clinician.save(MORNING)
  const desk = await makeVisitTypeEditor(testApp, clinician)
  const { id: providerId } = clinician
  const offered = () => testApp.caller().profiles.visitTypes({ providerId })
  const card = async () => {
    await testApp.drainOutbox()
    const found = await testApp.caller().search.providers({ postcode: 'SE1 6ET', radius: 5 })
    return found.results[0]
  }
  const times = async () => (await clinician.free(DAY, 1)).map((start) => start.slice(11))
  return {
    testApp,
    clinician,
    desk,
    offered,
    card,
    times,
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

describeEngines('visit types', (makeDatabase) => {
  test('can be added, changed, reordered, archived and restored; each change is audited', async () => {
    await using at = await open(await makeDatabase())
    const { testApp, clinician, desk, offered, card, times } = at
    expect(await times()).toEqual(['09:00', '09:30', '10:00', '10:30'])
    expect((await desk.save({ name: 'Check-up', minutes: 60, amount: 9_000 })).status).toBe(200)
    // The search still uses the first one.
    expect(await card()).toMatchObject({ fee: { minor: 6_000 } })
    const checkUp = await desk.idOf('Check-up')
    const first = await desk.idOf('Consultation')
    await desk.save({ typeId: checkUp, name: 'New patient check-up', minutes: 60, amount: 9_500 })
    const { status } = await desk.browser.act('profiles.orderVisitTypes', {
      typeIds: [checkUp, first],
    })
    expect(status).toBe(200)
    expect((await offered()).map(({ name, fee }) => [name, fee.minor])).toEqual([
      ['New patient check-up', 9_500],
      ['Consultation', 6_000],
    ])
    // Searches now look for an hour: it begins where two free half hours follow each other.
    const shown = await card()
    expect(shown).toMatchObject({ fee: { minor: 9_500 }, nextFree: `${DAY}T09:00:00.000Z` })
    expect(shown?.days[0]?.slots.map(({ startsAt }) => startsAt.slice(11, 16))).toEqual([
      '09:00',
      '09:30',
      '10:00',
    ])
    expect(await times()).toEqual(['09:00', '09:30', '10:00'])
    // Without the half hour the slots are as long as the shortest remaining type.
    await desk.browser.act('profiles.archiveVisitType', { typeId: first })
    expect(await times()).toEqual(['09:00', '10:00'])
    const last = await desk.browser.act('profiles.archiveVisitType', { typeId: checkUp })
    expect(last).toMatchObject({ status: 409, code: 'last_visit_type' })
    await desk.browser.act('profiles.archiveVisitType', { typeId: first, isArchived: false })
    expect((await desk.own()).map(({ name, isArchived }) => [name, isArchived])).toEqual([
      ['New patient check-up', false],
      ['Consultation', false],
    ])
    const entries = await testApp.database.db
      .selectFrom('audit')
      .select('action')
      .where('action', 'like', 'profile.visit_type%')
      .where('entity', '=', clinician.id)
      .orderBy('no')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual([
      'profile.visit_type_added',
      'profile.visit_type_changed',
      'profile.visit_types_ordered',
      'profile.visit_type_archived',
      'profile.visit_type_restored',
    ])
  })

  test('a repeat with the same key is done once', async () => {
    await using at = await open(await makeDatabase())
    const { desk } = at
    const key = { 'idempotency-key': '0b8f7c3e-5a44-4f0e-9d57-3c1f1a2b3c4d' }
    const type = { name: 'X-ray', minutes: 30, amount: 6_000, follow_amount: 4_000, mode: 'both' }
    for (const _ of [1, 2]) {
      await desk.browser.act('profiles.saveVisitType', { ...type, placeId: null }, key)
    }
    expect((await desk.own()).map(({ name }) => name)).toEqual(['Consultation', 'X-ray'])
  })
})

test('a shorter type regenerates the times, and longer types take several', async () => {
  await using at = await open()
  const { desk, times } = at
  await desk.save({ name: 'Injection', minutes: 15 })
  expect(await times()).toEqual(['09:00', '09:15', '09:30', '09:45', '10:00', '10:15', '10:30'])
})

test('the profile’s fees are those of the first type', async () => {
  await using at = await open()
  const { desk, offered } = at
  await desk.save({ name: 'Check-up', minutes: 60 })
  const offer = {
    amount: 7_500,
    follow_amount: 5_000,
    consultation_minutes: 40,
    modes: ['in_person'],
    follow_up_policy: 'trust',
    free_cancel_hours: 24,
    late_cancel_percent: 50,
  }
  const { data } = await desk.browser.act('profiles.updateOffer', offer)
  expect(OwnProfile.parse(data)).toMatchObject({ amount: 7_500, consultation_minutes: 40 })
  expect((await offered()).map(({ fee, minutes }) => [fee.minor, minutes])).toEqual([
    [7_500, 40],
    [6_000, 60],
  ])
})

test('the first is offered everywhere; a type of one place is archived with it', async () => {
  await using at = await open()
  const { clinician, desk } = at
  const { places } = await clinician.mine()
  const placeId = places[1]?.id ?? ''
  const first = await desk.idOf('Consultation')
  expect(await desk.save({ typeId: first, placeId })).toMatchObject({ code: 'visit_type_unfit' })
  expect(await desk.save({ name: 'X-ray', placeId })).toMatchObject({ status: 200 })
  const xray = await desk.idOf('X-ray')
  const ordered = await desk.browser.act('profiles.orderVisitTypes', { typeIds: [xray, first] })
  expect(ordered).toMatchObject({ code: 'visit_type_unfit' })
  await desk.browser.act('profiles.removePlace', { placeId })
  expect((await desk.own()).map(({ name, isArchived }) => [name, isArchived])).toEqual([
    ['Consultation', false],
    ['X-ray', true],
  ])
})

test('fees, lengths and modes are checked like those of the profile', async () => {
  await using at = await open()
  const { desk } = at
  const paths = async (type: Parameters<typeof desk.save>[0]) => {
    const { status, issues } = await desk.save(type)
    return [status, issues?.map(({ path }) => path)]
  }
  expect(await paths({ minutes: 4 })).toEqual([400, ['minutes']])
  expect(await paths({ minutes: 181 })).toEqual([400, ['minutes']])
  expect(await paths({ amount: 99 })).toEqual([400, ['amount']])
  expect(await paths({ follow_amount: 1_000_001 })).toEqual([400, ['follow_amount']])
  expect(await paths({ name: ' ' })).toEqual([400, ['name']])
  // Video is not among this provider's modes.
  expect(await paths({ mode: 'video' })).toEqual([400, ['mode']])
})

test('a mode that no type has is neither found nor shown', async () => {
  await using at = await open()
  const { testApp, clinician, desk, card } = at
  const { db } = testApp.database
  await db
    .updateTable('providers')
    .set({ offers_video: 1 })
    .where('no', '=', clinician.no)
    .execute()
  const byVideo = async () => {
    await testApp.drainOutbox()
    const wish = { postcode: 'SE1 6ET', mode: 'video', distance_filter_clicked: true } as const
    return (await testApp.caller().search.providers(wish)).total
  }
  const profile = () => testApp.caller().search.provider({ id: clinician.id })
  const typeId = await desk.idOf('Consultation')
  await desk.save({ typeId, name: 'Consultation' })
  expect([await byVideo(), (await card())?.modes]).toEqual([1, ['in_person', 'video']])
  await desk.save({ typeId, name: 'Consultation', mode: 'in_person' })
  expect(await byVideo()).toBe(0)
  expect((await card())?.modes).toEqual(['in_person'])
  expect((await profile()).modes).toEqual(['in_person'])
  await desk.save({ name: 'Advice', mode: 'video' })
  expect([await byVideo(), (await card())?.modes]).toEqual([1, ['in_person', 'video']])
})

test('a search by mode shows the fees and times of the first type that takes place so', async () => {
  await using at = await open()
  const { testApp, clinician, desk, card } = at
  const offered = { offers_video: 1 } as const
  const { db } = testApp.database
  await db.updateTable('providers').set(offered).where('no', '=', clinician.no).execute()
  const typeId = await desk.idOf('Consultation')
  await desk.save({ typeId, name: 'Consultation', mode: 'in_person' })
  const advice = { name: 'Advice', mode: 'video', amount: 9_000, follow_amount: 8_000 } as const
  await desk.save({ ...advice, minutes: 60 })
  const byMode = async (mode: 'in_person' | 'video') => {
    await testApp.drainOutbox()
    const wish = { postcode: 'SE1 6ET', mode, distance_filter_clicked: true } as const
    const [found] = (await testApp.caller().search.providers(wish)).results
    const times = found?.days[0]?.slots.map(({ startsAt }) => startsAt.slice(11, 16))
    return [found?.fee.minor, found?.followUpFee.minor, times]
  }
  const inPerson = [6_000, 4_000, ['09:00', '09:30', '10:00', '10:30']]
  expect(await byMode('in_person')).toEqual(inPerson)
  expect(await byMode('video')).toEqual([9_000, 8_000, ['09:00', '09:30', '10:00']])
  expect((await card())?.fee.minor).toBe(6_000)
  await desk.save({ typeId, name: 'Consultation' })
  expect(await byMode('video')).toEqual(inPerson)
})

describeEngines('a search by mode', (makeDatabase) => {
  test.each([
    { minutes: { in_person: 30, video: 60 }, today: { in_person: 1, video: 0 } },
    { minutes: { in_person: 60, video: 30 }, today: { in_person: 0, video: 1 } },
  ])('looks for times as long as its visits: $minutes', async ({ minutes, today }) => {
    await using at = await open(await makeDatabase())
    const { testApp, clinician, desk } = at
    const { db } = testApp.database
    const offered = { offers_video: 1 } as const
    await db.updateTable('providers').set(offered).where('no', '=', clinician.no).execute()
    const typeId = await desk.idOf('Consultation')
    const first = { typeId, name: 'Consultation', mode: 'in_person' } as const
    await desk.save({ ...first, minutes: minutes.in_person, amount: 6_000 })
    await desk.save({ name: 'Advice', mode: 'video', minutes: minutes.video, amount: 9_000 })
    // Monday has an hour, of which the first half is taken; Tuesday has both halves.
    await clinician.save([{ weekday: 1, from: 780, to: 840 }, ...MORNING])
    const short = minutes.video === 30 ? { typeId: await desk.idOf('Advice') } : { typeId }
    const { caller } = await makePatient(testApp)
    const taken = { startsAt: '2026-03-02T13:00:00Z', providerId: clinician.id }
    await caller.booking.hold({ ...taken, ...short })
    await testApp.drainOutbox()
    const { search } = testApp.caller()
    const wish = { postcode: 'SE1 6ET', distance_filter_clicked: true } as const
    for (const mode of ['in_person', 'video'] as const) {
      const startsAt = `2026-03-0${minutes[mode] === 30 ? '2T13:30' : '3T09:00'}:00.000Z`
      const asked = { ...wish, mode }
      expect((await search.map(asked)).pins).toMatchObject([{ nextFree: startsAt }])
      expect((await search.providers(asked)).results).toMatchObject([{ nextFree: startsAt }])
      const isToday = await search.providers({ ...asked, available: 'today' })
      expect([mode, isToday.total]).toEqual([mode, today[mode]])
    }
    // The ceiling and the order compare what is shown.
    const dear = { ...wish, fee_max: 60 }
    expect(await search.providers({ ...dear, mode: 'in_person' })).toMatchObject({ total: 1 })
    expect(await search.providers({ ...dear, mode: 'video' })).toMatchObject({
      total: 0,
      removals: [
        { filter: 'fee_max', total: 1 },
        { filter: 'mode', total: 1 },
      ],
    })
  })
})

test('an incomplete order is refused as outdated', async () => {
  await using at = await open()
  const { desk } = at
  await desk.save({ name: 'Check-up' })
  const first = await desk.idOf('Consultation')
  for (const typeIds of [[first], [first, first]]) {
    const answer = await desk.browser.act('profiles.orderVisitTypes', { typeIds })
    expect(answer).toMatchObject({ status: 409, code: 'changed_meanwhile' })
  }
})

test('there are at most twelve', async () => {
  await using at = await open()
  const { desk } = at
  for (let n = 1; n < 12; n += 1) {
    expect((await desk.save({ name: `Type ${n}` })).status).toBe(200)
  }
  expect(await desk.save({ name: 'One more' })).toMatchObject({ code: 'too_many_visit_types' })
})
