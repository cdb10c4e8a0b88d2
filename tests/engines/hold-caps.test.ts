import { expect, test } from 'vitest'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { releaseBooking } from '#server/booking/hold/release-booking.ts'
import { MAX_UNPAID_HOLDS } from '#server/booking/rules.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { signedInAs } from '#tests/harness/patients.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { makeCrowd, makeOffer } from './race-crowd.ts'

const TOMORROW = Date.parse('2026-03-03T09:00:00Z')
const MINUTE = 60_000
const HALF_HOUR = 30 * MINUTE

/** A provider with so many times, one after the other. */
async function offer(testApp: TestApp, many: number) {
  const starts = Array.from({ length: many }, (_, n) => TOMORROW + n * HALF_HOUR)
  const providerId = await makeOffer(
    testApp,
    starts.map((start) => ({ start, minutes: 30 })),
  )
  return starts.map((at) => ({ providerId, startsAt: new Date(at).toISOString() }))
}

type Wish = Awaited<ReturnType<typeof offer>>[number]

/** What was told: `held`, or the code and the cap of the refusal. */
async function tryToHold(ctx: SignedIn, wish: Wish | undefined): Promise<string> {
  if (wish === undefined) throw new Error('There is no such time.')
  try {
    await holdSlot(ctx, wish)
    return 'held'
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.details['cap'] ?? ''}`.trim()
    throw error
  }
}

function count(told: string[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(told)].map((one) => [one, told.filter((t) => t === one).length]),
  )
}

/** As many new patients as there are wishes, all from one network unless told otherwise. */
async function newcomers(testApp: TestApp, wishes: readonly Wish[], network?: string) {
  const crowd = await makeCrowd(testApp, wishes.length)
  return Promise.all(
    crowd.map((who, n) => {
      const ctx = signedInAs(testApp.services, who)
      return tryToHold(network === undefined ? ctx : { ...ctx, network }, wishes[n])
    }),
  )
}

async function pay(testApp: TestApp, who: { no: number; id: string }, wish: Wish | undefined) {
  if (wish === undefined) throw new Error('There is no such time.')
  await bookVisit(signedInAs(testApp.services, who), wish)
}

describeEngines('unpaid holds, many at once,', (makeDatabase) => {
  test('of new accounts from one network are twelve, whatever the providers', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await Promise.all(Array.from({ length: 20 }, () => offer(testApp, 1)))
    const told = await newcomers(testApp, wishes.flat(), '203.0.113.9')
    expect(count(told)).toEqual({
      held: MAX_UNPAID_HOLDS.network,
      'too_many_unpaid_holds network': 20 - MAX_UNPAID_HOLDS.network,
    })
    // What is over counts for nothing.
    testApp.advance(15 * MINUTE)
    expect(count(await newcomers(testApp, wishes.flat().slice(12), '203.0.113.9'))).toEqual({
      held: 8,
    })
  })

  test('of new accounts from all over one IPv6 site are twelve', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await Promise.all(Array.from({ length: 14 }, () => offer(testApp, 1)))
    const crowd = await makeCrowd(testApp, 14)
    const told = await Promise.all(
      crowd.map((who, n) =>
        tryToHold(
          { ...signedInAs(testApp.services, who), network: `2001:db8:1:${n}::/64` },
          wishes[n]?.[0],
        ),
      ),
    )
    expect(count(told)).toEqual({ held: 12, 'too_many_unpaid_holds network': 2 })
  })

  test('of new accounts at one provider are ten; whoever has paid before is not among them', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [one, other, ...wishes] = (await offer(testApp, 32)).toReversed()
    const told = await newcomers(testApp, wishes)
    expect(count(told)).toEqual({
      held: MAX_UNPAID_HOLDS.provider,
      'too_many_unpaid_holds provider': 30 - MAX_UNPAID_HOLDS.provider,
    })
    const [known] = await makeCrowd(testApp, 1)
    if (known === undefined) throw new Error('Nobody came.')
    await pay(testApp, known, (await offer(testApp, 1))[0])
    const ctx = signedInAs(testApp.services, known)
    expect([await tryToHold(ctx, one), await tryToHold(ctx, other)]).toEqual(['held', 'held'])
  })
})

describeEngines('unpaid holds of one patient', (makeDatabase) => {
  test('are twenty in a day, given back or not, and those booked do not count', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await offer(testApp, 24)
    const [who] = await makeCrowd(testApp, 1)
    if (who === undefined) throw new Error('Nobody came.')
    const ctx = signedInAs(testApp.services, who)
    await pay(testApp, who, wishes.pop())
    for (const wish of wishes.slice(0, MAX_UNPAID_HOLDS.patient)) {
      const { id } = await holdSlot(ctx, wish)
      await ctx.transaction(async (tx) => {
        const { no } = await tx.db
          .selectFrom('bookings')
          .select('no')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        await releaseBooking(ctx, tx, { bookingNo: no, reason: 'left' })
      })
    }
    expect(await tryToHold(ctx, wishes[20])).toBe('too_many_unpaid_holds patient')
    // Somebody else's day is another one.
    expect(await newcomers(testApp, wishes.slice(20, 21))).toEqual(['held'])
  })
})
