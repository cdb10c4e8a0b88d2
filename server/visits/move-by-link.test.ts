import { expect, test } from 'vitest'
import type { MoveByLinkInput } from '#contract/visits.ts'
import { deliverMove } from '#server/booking/visits/deliver-move.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import {
  errorCodeOf,
  gatewayRefunds,
  makePaidVisit,
  signInProvider,
} from '#tests/harness/paid-visit.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { linkIn, makeVisitorCaller } from '#tests/harness/visit-links.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.parse('2026-03-05T09:00:00Z')
const iso = (at: number) => new Date(at).toISOString()
const slotIn = (days: number) => ({ startsAt: iso(START + days * DAY) })

type Options = NonNullable<Parameters<typeof makePaidVisit>[0]>

/** A paid visit whose provider offers the same time on the next nine days, too. */
async function makeMovableVisit(options: Options = {}) {
  const at = await makePaidVisit(options)
  const { db } = at.testApp.database
  const slot = await db.selectFrom('slots').selectAll().executeTakeFirstOrThrow()
  const others = Array.from({ length: 9 }, (_, n) => START + (n + 1) * DAY)
  await db
    .insertInto('slots')
    .values(others.map((start) => ({ ...slot, start_at: start, free: 1 as const })))
    .execute()
  const link = linkIn(at)
  const move = (days: number, more: Partial<MoveByLinkInput> = {}) =>
    makeVisitorCaller(at).moveByLink({ ...link, sequence: 0, slot: slotIn(days), ...more })
  return { ...at, link, move }
}

type MovableVisit = Awaited<ReturnType<typeof makeMovableVisit>>

function changesIn({ testApp }: Pick<MovableVisit, 'testApp'>) {
  return testApp.database.db
    .selectFrom('visit_changes')
    .select(['what', 'by_kind', 'by_id'])
    .orderBy('no')
    .execute()
}

describeEngines('moving by the link of a visit', (makeDatabase) => {
  test('the visit has the new time, nothing is paid, and the record names the patient and the link', async () => {
    await using at = await makeMovableVisit({ database: await makeDatabase() })
    const { testApp, link, move } = at
    const { db } = testApp.database
    const terms = await makeVisitorCaller(at).moveTermsByLink({ ...link, slot: slotIn(1) })
    expect(terms).toMatchObject({
      sequence: 0,
      from: { startsAt: iso(START) },
      to: slotIn(1),
      isFree: true,
      movesLeft: 3,
    })
    testApp.advance(MINUTE)
    const now = testApp.services.now()
    const { visit } = await move(1)
    expect(visit).toMatchObject({
      id: at.id,
      ...slotIn(1),
      state: 'confirmed',
      isOwn: false,
      terms: { sequence: 1, movesLeft: 2 },
      moves: [{ at: iso(now), by: 'patient', from: iso(START), to: iso(START + DAY) }],
    })
    const by = at.patient.session.userId
    const told = JSON.stringify(visit)
    for (const secret of ['cough', by, link.mac]) expect(told).not.toContain(secret)
    expect(await changesIn(at)).toEqual([{ what: 'moved', by_kind: 'patient', by_id: by }])
    const acts = await db
      .selectFrom('audit')
      .select(['action', 'actor_kind', 'actor_id', 'entity'])
      .where('action', 'in', ['booking.moved', 'visit.link_used'])
      .execute()
    const act = { actor_kind: 'patient', actor_id: by, entity: at.id }
    expect(acts.toSorted((a, b) => a.action.localeCompare(b.action))).toEqual([
      { action: 'booking.moved', ...act },
      { action: 'visit.link_used', ...act },
    ])
    expect(await db.selectFrom('slot_claims').select('start_at').execute()).toEqual([
      { start_at: START + DAY },
    ])
    await testApp.drainOutbox()
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([])
    // The old link still works, and the email about the move contains the same one.
    expect(linkIn(at)).toEqual(link)
    expect(await makeVisitorCaller(at).byLink(link)).toMatchObject(slotIn(1))
  })

  test('three times, whichever way it was moved; a refusal changes nothing', async () => {
    await using at = await makeMovableVisit({ database: await makeDatabase() })
    const { move, link, id, caller } = at
    await move(1)
    await caller.visits.move({ id, sequence: 1, slot: slotIn(2) })
    const { visit } = await move(3, { sequence: 2 })
    expect(visit.terms?.movesLeft).toBe(0)
    expect(await errorCodeOf(move(4, { sequence: 3 }))).toBe('moves_used_up')
    const asked = makeVisitorCaller(at).moveTermsByLink({ ...link, slot: slotIn(4) })
    expect(await errorCodeOf(asked)).toBe('moves_used_up')
    expect(await makeVisitorCaller(at).byLink(link)).toMatchObject(slotIn(3))
    const acts = await at.testApp.database.db
      .selectFrom('audit')
      .select('no')
      .where('action', '=', 'visit.link_used')
      .execute()
    expect(acts).toHaveLength(2)
  })

  test('what the page showed is what is moved, and only to what is free', async () => {
    await using at = await makeMovableVisit({ database: await makeDatabase() })
    const { move, testApp, link } = at
    expect(await errorCodeOf(move(1, { sequence: 1 }))).toBe('changed_meanwhile')
    expect(await errorCodeOf(move(0))).toBe('slot_taken')
    expect(await errorCodeOf(move(20))).toBe('slot_not_offered')
    await at.strangerCaller.booking.hold({
      providerId: (await makeVisitorCaller(at).byLink(link)).provider.id,
      ...slotIn(1),
    })
    expect(await errorCodeOf(move(1))).toBe('slot_taken')
    expect(await changesIn(at)).toEqual([])
    testApp.advance(START - testApp.services.now())
    expect(await errorCodeOf(move(2))).toBe('visit_begun')
  })

  test('another visit of the patient at that time is said, unless they know of it; never with whom', async () => {
    await using at = await makeMovableVisit({ database: await makeDatabase() })
    const other = await makeProvider(at.testApp, { slots: [] })
    await insertVisit(at.testApp, other, {
      patientNo: at.patient.session.accountNo,
      startsAt: iso(START + DAY + 15 * MINUTE),
    })
    const refusal: unknown = await at.move(1).catch((error: unknown) => error)
    const cause = refusal instanceof Error ? refusal.cause : null
    expect(cause).toMatchObject({ code: 'visits_overlap', details: {} })
    expect((await at.move(1, { overlapOk: true })).visit).toMatchObject(slotIn(1))
  })

  test('thirty at once, by link and from the account, moving and cancelling: one of them is first', async () => {
    await using at = await makeMovableVisit({ database: await makeDatabase() })
    const { id, caller, link, move } = at
    const told = await Promise.all(
      Array.from({ length: 30 }, (_, n) => {
        const days = (n % 9) + 1
        if (n % 3 === 0) return errorCodeOf(move(days))
        if (n % 3 === 1)
          return errorCodeOf(caller.visits.move({ id, sequence: 0, slot: slotIn(days) }))
        const refund = { minor: 6_000, currency: 'GBP' as const }
        return errorCodeOf(makeVisitorCaller(at).cancelByLink({ ...link, sequence: 0, refund }))
      }),
    )
    expect(told.filter((code) => code === null)).toHaveLength(1)
    const [change, ...more] = await changesIn(at)
    expect(more).toEqual([])
    await runRefunds(at.testApp.services)
    expect(gatewayRefunds(at)).toEqual(change?.what === 'cancelled' ? [6_000] : [])
    const claims = await at.testApp.database.db.selectFrom('slot_claims').selectAll().execute()
    expect(claims).toHaveLength(change?.what === 'cancelled' ? 0 : 1)
  })
})

test('a repeat under the same key is given the first answer; with other details it is refused', async () => {
  await using at = await makeMovableVisit()
  const input = { ...at.link, sequence: 0, slot: slotIn(1) }
  const keyed = () => makeVisitorCaller(at, { key: 'b7c0a9de-2f0e-4a55-9d0c-6a1de6f0c111' })
  const first = await keyed().moveByLink(input)
  expect(await keyed().moveByLink(input)).toEqual(first)
  expect(await errorCodeOf(keyed().moveByLink({ ...input, slot: slotIn(2) }))).toBe('key_reused')
  expect(await errorCodeOf(makeVisitorCaller(at).moveByLink(input))).toBe('changed_meanwhile')
  expect(await changesIn(at)).toHaveLength(1)
})

test('somebody else who is signed in where the link is opened is not who moved it', async () => {
  await using at = await makeMovableVisit()
  const { caller } = await signInProvider(at.testApp)
  await caller.visits.moveByLink({ ...at.link, sequence: 0, slot: slotIn(1) })
  const by_id = at.patient.session.userId
  expect(await changesIn(at)).toEqual([{ what: 'moved', by_kind: 'patient', by_id }])
})

test('the hash is in no log or record, and is taken out of the email that left', async () => {
  await using at = await makeMovableVisit()
  const { link, testApp, move } = at
  await move(1)
  await errorCodeOf(move(2, { mac: `${link.mac}x` }))
  const { db } = testApp.database
  const kept = [
    testApp.logged,
    await db.selectFrom('audit').selectAll().execute(),
    await db.selectFrom('outbox').selectAll().execute(),
    await db.selectFrom('visit_changes').selectAll().execute(),
    await db.selectFrom('idempotency_keys').selectAll().execute(),
  ]
  expect(JSON.stringify(kept)).not.toContain(link.mac)
  const texts: string[] = []
  const send = ({ text }: { text: string }) => {
    texts.push(text)
    return Promise.resolve('sent' as const)
  }
  await db.deleteFrom('mails').execute()
  const errand = { bookingId: link.id, sequence: 1, deliveryId: 'out_moved' }
  await deliverMove({ ...testApp.services, mail: { send } }, errand)
  expect(texts.join(' ')).toContain(`/visit/${link.id}/${link.mac}`)
  const left = JSON.stringify(await db.selectFrom('mails').selectAll().execute())
  expect(left).toContain(`/visit/${link.id}/[removed]`)
  expect(left).not.toContain(link.mac)
})
