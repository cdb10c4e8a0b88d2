import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { refreshNextFreeOf } from '#server/search/index-rows.ts'
import { makeClinician, USUAL } from '#tests/harness/hours.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeWorld, type World } from '#tests/harness/world.ts'
import { extendSlots } from './extend-slots.ts'

const HOUR = 3_600_000

const extend = (world: World) => extendSlots(world.services, refreshNextFreeOf)

function allSlots(world: World) {
  return world.database.db
    .selectFrom('slots')
    .selectAll()
    .orderBy('provider_no')
    .orderBy('start_at')
    .execute()
}

describeEngines('the nightly job', (makeDatabase) => {
  test('adds the day that comes into view, once, also when two processes do it at once', async () => {
    await using world = await makeWorld({ database: await makeDatabase() })
    const clinician = await makeClinician(world)
    const others = await Promise.all([makeClinician(world), makeClinician(world)])
    for (const one of [clinician, ...others]) await one.save(USUAL, { closedOnHolidays: false })
    const before = await allSlots(world)
    await extend(world)
    expect(await allSlots(world)).toEqual(before)
    // From Friday 1 May on, a weekend, then Monday 4 May.
    world.advance(3 * DAY_MS)
    await Promise.all([extend(world), extend(world), extend(world)])
    const after = await allSlots(world)
    expect(after).toHaveLength(before.length + 3 * 14)
    expect(await clinician.free('2026-05-04', 2)).toHaveLength(14)
    await extend(world)
    expect(await allSlots(world)).toEqual(after)
  })

  test('moves all others on where one calendar cannot be made', async () => {
    await using world = await makeWorld({ database: await makeDatabase() })
    const [bad, good] = [await makeClinician(world), await makeClinician(world)]
    for (const one of [bad, good]) await one.save(USUAL, { closedOnHolidays: false })
    // A zone of tomorrow's lists, or of a file somebody edited.
    await world.database.db
      .updateTable('places')
      .set({ time_zone: 'Nowhere/Town' })
      .where('provider_no', '=', bad.no)
      .execute()
    const before = await allSlots(world)
    world.advance(3 * DAY_MS)
    await extend(world)
    const after = await allSlots(world)
    expect(after.filter((slot) => slot.provider_no === bad.no)).toHaveLength(
      before.filter((slot) => slot.provider_no === bad.no).length,
    )
    expect(await good.free('2026-05-04', 2)).toHaveLength(14)
    const told = () => world.logged.filter(({ level }) => level === 50)
    expect(told()).toMatchObject([{ providerNo: bad.no }])
    // It is tried again, but not before an hour has passed.
    await extend(world)
    expect(told()).toHaveLength(1)
    world.advance(HOUR)
    await extend(world)
    expect(told()).toHaveLength(2)
  })

  test('ends where making all slots anew would, and forgets those over for a week', async () => {
    await using world = await makeWorld({ database: await makeDatabase() })
    const clinician = await makeClinician(world)
    const settings = { closedOnHolidays: true, bufferMinutes: 10 }
    await clinician.save(USUAL, settings)
    for (let night = 0; night < 20; night += 1) {
      world.advance(DAY_MS)
      await extend(world)
    }
    const slots = await allSlots(world)
    const now = world.services.now()
    expect(slots[0]?.start_at).toBeGreaterThanOrEqual(now - 7 * DAY_MS)
    const coming = slots.filter((slot) => slot.start_at > now + 2.1 * HOUR)
    await clinician.save(USUAL, settings)
    const anew = (await allSlots(world)).filter((slot) => slot.start_at > now + 2.1 * HOUR)
    expect(coming).toEqual(anew)
  })

  test('gives whoever had nothing in view a next free time in the search', async () => {
    await using world = await makeWorld({ database: await makeDatabase() })
    const clinician = await makeClinician(world)
    await clinician.save([{ week: 4, weekday: 1, from: 540, to: 600 }], {
      rotation: { weeks: 4, from: '2026-03-02' },
      horizonDays: 7,
    })
    await world.drainOutbox()
    expect(await clinician.free('2026-03-02', 42)).toEqual([])
    world.advance(15 * DAY_MS)
    await extend(world)
    const row = await world.database.db
      .selectFrom('search_index')
      .select('next_free')
      .executeTakeFirstOrThrow()
    expect(new Date(row.next_free).toISOString()).toBe('2026-03-23T09:00:00.000Z')
  })
})

test('each zone moves on in its own night', async () => {
  await using world = await makeWorld()
  const place = { time_zone: 'Pacific/Honolulu', postcode: '96815' }
  const clinician = await makeClinician(world, { region: 'usa', place })
  await clinician.save(USUAL)
  const count = async () => (await allSlots(world)).length
  const before = await count()
  // Monday 09:00 in London is Sunday evening in Honolulu; midnight there is 10:00 UTC.
  world.advance(50 * 60_000)
  await extend(world)
  expect(await count()).toBe(before)
  world.advance(4 * HOUR)
  await extend(world)
  expect(await count()).toBe(before + 14)
})
