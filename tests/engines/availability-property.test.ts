import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/base/time.ts'
import { offeredFrom } from '#server/availability/hours/hours-rules.ts'
import { findRules } from '#server/availability/hours/read-availability.ts'
import {
  extendSlots,
  regenerateSlots,
  withdrawSlots,
} from '#server/availability/slots/extend-slots.ts'
import { releaseBooking } from '#server/booking/hold/holds.ts'
import { systemContext } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { refreshNextFreeOf } from '#server/search/reindex.ts'
import { makePatient, signInProviderCaller } from '#tests/harness/accounts.ts'
import { type Clinician, makeClinician } from '#tests/harness/clinician.ts'
import { setVisitLength } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { Dice } from './payments/crashes.ts'

// Changes hours, holds, books and cancels visits and lets nights pass, in random order. `HOURS_SEED=… vitest run …
// availability-property` repeats a failed run; HOURS_SEEDS runs that many seeds, starting with it.
const firstSeed = Number(process.env['HOURS_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const seeds = Array.from(
  { length: Number(process.env['HOURS_SEEDS'] ?? 1) },
  (_, n) => firstSeed + n,
)

type Storm = {
  testApp: TestApp
  clinician: Clinician
  /** The same provider's caller, signed in. */
  desk: Clinician['caller']
  dice: Dice
  held: string[]
  tally: Record<string, number>
}

async function saveSomeHours({ clinician, dice }: Storm): Promise<void> {
  const hours = [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => {
    if (dice.next() < 0.3) return []
    const from = 480 + 15 * dice.below(8)
    const to = from + 60 + 15 * dice.below(16)
    return [
      { weekday, from, to },
      { weekday, from: to + 30, to: Math.min(1_440, to + 120) },
    ]
  })
  const settings = {
    bufferMinutes: 5 * dice.below(3),
    noticeMinutes: 60 * dice.below(48),
    horizonDays: 10 + dice.below(20),
    closedOnHolidays: dice.next() < 0.5,
  }
  const { conflicts } = await clinician.save(hours, settings)
  await clinician.save(hours, settings, { confirmed: conflicts.map(({ id }) => id) })
}

async function changeLength({ testApp, clinician, dice }: Storm): Promise<void> {
  const minutes = dice.pick([15, 20, 30, 45, 60])
  await testApp.database.transaction(async (db) => {
    await setVisitLength({ db }, minutes)
    await regenerateSlots(db, clinician.no, testApp.services.now())
  })
}

async function holdOrBook(storm: Storm, isBooked: boolean): Promise<void> {
  const { testApp, clinician, dice } = storm
  const { nextFree } = await testApp.caller().availability.freeTimes({ providerId: clinician.id })
  if (nextFree === null) return
  const free = await clinician.free(nextFree.slice(0, 10), 14)
  const startsAt = `${free[dice.below(free.length)] ?? ''}:00Z`
  const { ctx, caller } = await makePatient(testApp)
  const slot = { providerId: clinician.id, startsAt }
  if (isBooked) await bookVisit(ctx, slot)
  else storm.held.push((await caller.booking.hold(slot)).id)
}

async function releaseHold({ testApp, held, dice }: Storm): Promise<void> {
  const [id] = held.splice(dice.below(held.length), 1)
  if (id === undefined) return
  const row = await testApp.database.db
    .selectFrom('bookings')
    .select('no')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const ctx = systemContext(testApp.services, 'TEST')
  await ctx.transaction((tx) => releaseBooking(ctx, tx, { bookingNo: row.no }))
}

async function advanceTime({ testApp, dice }: Storm): Promise<void> {
  testApp.advance(dice.below(36) * 3_600_000 + dice.below(3_600) * 1_000)
  await extendSlots(testApp.services, refreshNextFreeOf)
  await withdrawSlots(testApp.services, refreshNextFreeOf)
}

async function beAway({ testApp, clinician, dice }: Storm): Promise<void> {
  const first = testApp.services.now() + dice.below(20) * DAY_MS
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const days = { from: day(first + DAY_MS), to: day(first + DAY_MS * (1 + dice.below(4))) }
  const add = async (confirmed: string[]) => {
    const { version } = await clinician.mine()
    return clinician.caller.availability.addAbsence({ version, placeId: null, ...days, confirmed })
  }
  try {
    const { conflicts } = await add([])
    if (conflicts.length > 0) await add(conflicts.map(({ id }) => id))
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    if (!(cause instanceof AppError && cause.code === 'absence_overlaps')) throw error
  }
}

async function block({ clinician, dice, testApp }: Storm): Promise<void> {
  const day = new Date(testApp.services.now() + dice.below(20) * DAY_MS).toISOString().slice(0, 10)
  const from = dice.below(22) * 60 + dice.below(60)
  const times = { date: day, weekly: dice.below(2) === 0, from, to: from + 1 + dice.below(119) }
  const add = async (confirmed: string[]) => {
    const { version } = await clinician.mine()
    return clinician.caller.availability.addBlock({ version, ...times, confirmed })
  }
  const { conflicts } = await add([])
  if (conflicts.length > 0) await add(conflicts.map(({ id }) => id))
}

async function unblock({ clinician }: Storm): Promise<void> {
  const { version, blocks } = await clinician.mine()
  const [first] = blocks
  if (first !== undefined) {
    await clinician.caller.availability.removeBlock({ version, id: first.id })
  }
}

/** Ignores refusals because the time is taken or the day is over. */
async function ignoreRefusals(act: Promise<unknown>): Promise<void> {
  try {
    await act
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    if (!(cause instanceof AppError && ['desk_time_taken', 'desk_over'].includes(cause.code))) {
      throw error
    }
  }
}

/** A random time in the coming days, offered or not. */
function randomTime({ testApp, dice }: Storm): { startsAt: string } {
  const quarter = 15 * 60_000
  const at = testApp.services.now() + dice.below(10 * 96) * quarter
  return { startsAt: new Date(Math.floor(at / quarter) * quarter + quarter).toISOString() }
}

async function addDeskVisit(storm: Storm): Promise<void> {
  const { desk, dice } = storm
  const minutes = 10 + dice.below(60)
  const input = { kind: 'walk_in' as const, name: 'Ida Rowe', minutes, slot: randomTime(storm) }
  await ignoreRefusals(desk.booking.addDesk(input))
}

/** A random one of the latest confirmed desk visits. */
async function randomDeskVisit({ testApp, dice }: Storm) {
  const rows = await testApp.database.db
    .selectFrom('desk_visits')
    .select(['id', 'sequence'])
    .where('state', '=', 'confirmed')
    .orderBy('no', 'desc')
    .limit(5)
    .execute()
  return rows[dice.below(Math.max(1, rows.length))]
}

async function moveDesk(storm: Storm): Promise<void> {
  const visit = await randomDeskVisit(storm)
  if (visit === undefined) return
  await ignoreRefusals(storm.desk.booking.moveDesk({ ...visit, slot: randomTime(storm) }))
}

async function cancelDesk(storm: Storm): Promise<void> {
  const visit = await randomDeskVisit(storm)
  if (visit !== undefined) await ignoreRefusals(storm.desk.booking.cancelDesk(visit))
}

const ACTIONS: Record<string, (storm: Storm) => Promise<void>> = {
  hours: saveSomeHours,
  length: changeLength,
  hold: (storm) => holdOrBook(storm, false),
  book: (storm) => holdOrBook(storm, true),
  release: releaseHold,
  time: advanceTime,
  away: beAway,
  block,
  unblock,
  desk: addDeskVisit,
  desk_move: moveDesk,
  desk_cancel: cancelDesk,
}

/** Violated invariants; empty when all hold. */
async function findViolations({ testApp, clinician }: Storm): Promise<string[]> {
  const { db } = testApp.database
  const now = testApp.services.now()
  const slots = await db.selectFrom('slots').selectAll().orderBy('start_at').execute()
  const claims = await db.selectFrom('slot_claims').selectAll().execute()
  const stored = await findRules(db, clinician.no, now)
  if (stored === undefined) return []
  const wrong: string[] = []
  const end = (slot: (typeof slots)[number]) => slot.start_at + slot.minutes * 60_000
  const free = slots.filter((slot) => slot.free === 1 && slot.start_at >= now)
  for (const slot of free) {
    if (slot.start_at < now + stored.rules.noticeMinutes * 60_000) wrong.push('inside the notice')
    const claim = claims.find((one) => one.start_at < end(slot) && one.end_at > slot.start_at)
    if (claim !== undefined) wrong.push('free and claimed')
    if (slot.minutes !== stored.rules.minutes) wrong.push('of another length')
  }
  for (const [n, slot] of free.entries()) {
    const before = free[n - 1]
    if (before !== undefined && end(before) > slot.start_at) wrong.push('two that overlap')
  }
  // A visit never exceeds its claim, even after hours have changed.
  const live = await db
    .selectFrom('bookings')
    .select(['no', 'start_at', 'end_at'])
    .where('state', 'in', ['held', 'confirmed'])
    .execute()
  const desk = await db
    .selectFrom('desk_visits')
    .select('no')
    .where('state', '=', 'confirmed')
    .execute()
  if (live.length + desk.length !== claims.length) wrong.push('a claim lost or left')
  const taken = claims.toSorted((one, other) => one.start_at - other.start_at)
  for (const [n, claim] of taken.entries()) {
    if ((taken[n - 1]?.end_at ?? 0) > claim.start_at) wrong.push('two claims that overlap')
  }
  // Regenerating the slots changes nothing: the actions left them as the rules require.
  const from = offeredFrom(stored.rules, now)
  const shown = free.filter((slot) => slot.start_at >= from)
  await testApp.database.transaction((tx) => regenerateSlots(tx, clinician.no, now))
  const anew = await db.selectFrom('slots').selectAll().orderBy('start_at').execute()
  // The night's job adds the last day a few minutes after midnight.
  const until = Date.parse(stored.schedule.generated_to)
  const wanted = anew.filter(
    (slot) => slot.free === 1 && slot.start_at >= from && slot.start_at < until,
  )
  if (JSON.stringify(shown) !== JSON.stringify(wanted)) wrong.push('not what the rules say')
  return wrong
}

describeEngines('hours, visits and nights in any order', (makeDatabase) => {
  test.each(seeds)(
    'keep holds and bookings, and offer what the rules allow (%i)',
    async (seed) => {
      await using testApp = await makeTestApp({ database: await makeDatabase() })
      const clinician = await makeClinician(testApp)
      const desk = await signInProviderCaller(testApp, clinician)
      const storm: Storm = { testApp, clinician, desk, dice: new Dice(seed), held: [], tally: {} }
      const names = Object.keys(ACTIONS)
      await saveSomeHours(storm)
      for (let round = 0; round < 160; round += 1) {
        const name = storm.dice.pick(names)
        await ACTIONS[name]?.(storm)
        // The job runs every few seconds.
        await withdrawSlots(testApp.services, refreshNextFreeOf)
        storm.tally[name] = (storm.tally[name] ?? 0) + 1
        expect(
          await findViolations(storm),
          `HOURS_SEED=${seed}, round ${round}, after ${name}`,
        ).toEqual([])
      }
      const count = async (table: 'bookings' | 'desk_visits') =>
        (await testApp.database.db.selectFrom(table).select('no').execute()).length
      const visits = (await count('bookings')) + (await count('desk_visits'))
      process.stdout.write(`hours: HOURS_SEED=${seed} ${JSON.stringify(storm.tally)}\n`)
      expect(visits).toBeGreaterThan(10)
    },
    120_000,
  )
})
