import { expect, test } from 'vitest'
import type { MoveByLinkInput, VisitLink } from '#contract/visits.ts'
import { deliverMove } from '#server/booking/visits/deliver-move.ts'
import { limits } from '#server/kernel/limits/rate-limit.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import {
  errorCodeOf,
  gatewayRefunds,
  linkIn,
  makePaidVisit,
  makeVisitorCaller,
  signInProvider,
} from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { readAudit, type TestApp } from '#tests/harness/test-app.ts'
import { changesIn, insertVisit, offerNextDays } from '#tests/harness/visits.ts'

const HOUR = 3_600_000
const gbp = (minor: number) => ({ minor, currency: 'GBP' as const })

/** The log and the tables a call leaves rows in, as text. */
async function recordsIn({ logged, database: { db } }: TestApp): Promise<string> {
  const tables = [
    'audit',
    'stranger_denials',
    'outbox',
    'visit_changes',
    'idempotency_keys',
  ] as const
  const rows = tables.map((table) => db.selectFrom(table).selectAll().execute())
  return JSON.stringify([logged, await Promise.all(rows)])
}

describeEngines('the link to a visit', (makeDatabase) => {
  test('shows provider, place, time and what cancelling costs; never the purpose, and nothing about the patient', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const link = linkIn(at)
    expect(link.id).toBe(at.id)
    const phone = '020 7946 0321'
    const { email } = await at.testApp.database.db
      .updateTable('accounts')
      .set({ phone_number: phone })
      .where('id', '=', at.patient.session.userId)
      .returning('email')
      .executeTakeFirstOrThrow()
    const visit = await makeVisitorCaller(at).byLink(link)
    expect(visit).toMatchObject({
      id: at.id,
      state: 'confirmed',
      typeOfVisit: 'first_visit',
      fee: gbp(6_000),
      terms: { sequence: 0, refund: gbp(6_000), kept: gbp(0), isFree: true },
      cancelled: null,
      isOwn: false,
    })
    expect(visit.calendarFile?.text).toContain('METHOD:PUBLISH')
    const json = JSON.stringify(visit)
    for (const secret of ['cough', email, phone, at.patient.session.userId, link.mac]) {
      expect(json).not.toContain(secret)
    }
    expect((await at.caller.visits.byLink(link)).isOwn).toBe(true)
    expect((await at.strangerCaller.visits.byLink(link)).isOwn).toBe(false)
  })

  test('cancels in time: a full refund, once, recorded with the patient and the link', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id } = at
    const link = linkIn(at)
    const shown = { ...link, sequence: 0, refund: gbp(6_000) }
    const done = await makeVisitorCaller(at).cancelByLink(shown)
    expect(done).toMatchObject({
      refund: gbp(6_000),
      visit: {
        state: 'cancelled',
        terms: null,
        calendarFile: null,
        calendarLinks: null,
        cancelled: { by: 'patient', refund: gbp(6_000), kept: gbp(0) },
      },
    })
    await testApp.drainOutbox()
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([6_000])
    const by = at.patient.session.userId
    expect(await changesIn(testApp)).toMatchObject([
      { what: 'cancelled', by_kind: 'patient', by_id: by, refund_minor: 6_000 },
    ])
    const actions = ['booking.cancelled', 'payment.refund_due', 'visit.link_used']
    const acts = await readAudit(testApp, ...actions)
    expect(acts).toHaveLength(3)
    for (const act of acts) expect(act).toMatchObject({ actor_kind: 'patient', actor_id: by })
    // An old email's link shows the visit's current state; the cancellation email contains the same link.
    expect(await makeVisitorCaller(at).byLink(link)).toMatchObject({ state: 'cancelled' })
    expect(linkIn(at)).toEqual(link)
    const again = { ...shown, sequence: 1 }
    expect(await errorCodeOf(makeVisitorCaller(at).cancelByLink(again))).toBe('visit_cancelled')
    expect(id).toBe(link.id)
  })

  test('cancels late: the agreed share is kept; does what was shown, or nothing', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const link = linkIn(at)
    at.testApp.advance(49 * HOUR)
    const cancel = (sequence: number, minor: number) =>
      makeVisitorCaller(at).cancelByLink({ ...link, sequence, refund: gbp(minor) })
    expect(await errorCodeOf(cancel(0, 6_000))).toBe('terms_changed')
    expect(await errorCodeOf(cancel(1, 3_000))).toBe('changed_meanwhile')
    expect((await makeVisitorCaller(at).byLink(link)).terms).toMatchObject({ kept: gbp(3_000) })
    expect((await cancel(0, 3_000)).visit.cancelled).toMatchObject({ kept: gbp(3_000) })
    await runRefunds(at.testApp.services)
    expect(gatewayRefunds(at)).toEqual([3_000])
  })

  test('every invalid link gets the same response', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id } = at
    const link = linkIn(at)
    const accounts = () =>
      testApp.database.db.updateTable('accounts').where('no', '=', at.patient.session.accountNo)
    const answerTo = async (one: VisitLink) => {
      const calls = makeVisitorCaller(at)
      const shown = { ...one, sequence: 0, refund: gbp(6_000) }
      const slot = { startsAt: '2026-03-06T09:00:00.000Z' }
      return [
        await errorCodeOf(calls.byLink(one)),
        await errorCodeOf(calls.cancelByLink(shown)),
        await errorCodeOf(calls.moveTermsByLink({ ...one, slot })),
        await errorCodeOf(calls.moveByLink({ ...one, sequence: 0, slot })),
      ]
    }
    const dead = Array.from({ length: 4 }, () => 'visit_link_invalid')
    const forged = [
      { id, mac: 'A'.repeat(43) },
      { id, mac: '' },
      { id, mac: `${link.mac}=` },
      { id: `apt_${'0'.repeat(26)}`, mac: link.mac },
      { id: '', mac: testApp.services.secrets.mac('visit', '  ') },
      { id: "' or 1=1", mac: 'ø'.repeat(5_000) },
    ]
    for (const one of forged) expect(await answerTo(one)).toEqual(dead)
    const hold = await at.hold(at.stranger).catch(() => null)
    expect(hold).toBeNull()
    for (const change of [{ email: 'new@mail.example' }, { erased_at: 1 }, { suspended_at: 1 }]) {
      const before = await testApp.database.db
        .selectFrom('accounts')
        .select(['email', 'erased_at', 'suspended_at'])
        .where('no', '=', at.patient.session.accountNo)
        .executeTakeFirstOrThrow()
      await accounts().set(change).execute()
      expect(await answerTo(link)).toEqual(dead)
      await accounts().set(before).execute()
    }
    expect((await makeVisitorCaller(at).byLink(link)).state).toBe('confirmed')
  })

  test('the visit cannot be cancelled after its start, and the link expires with its end', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const link = linkIn(at)
    const { startsAt, endsAt } = await makeVisitorCaller(at).byLink(link)
    at.testApp.advance(Date.parse(startsAt) - at.testApp.services.now())
    const begun = await makeVisitorCaller(at).byLink(link)
    expect(begun).toMatchObject({ state: 'confirmed', terms: null })
    const late = { ...link, sequence: 0, refund: gbp(3_000) }
    expect(await errorCodeOf(makeVisitorCaller(at).cancelByLink(late))).toBe('visit_begun')
    at.testApp.advance(Date.parse(endsAt) - Date.parse(startsAt))
    expect(await errorCodeOf(makeVisitorCaller(at).byLink(link))).toBe('visit_link_invalid')
  })

  test('twenty concurrent calls, by link and from the account: one cancellation, one refund', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const link = linkIn(at)
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const shown = { sequence: 0, refund: gbp(6_000) }
        if (n % 2 === 0) return errorCodeOf(at.caller.visits.cancel({ id: at.id, ...shown }))
        return errorCodeOf(makeVisitorCaller(at).cancelByLink({ ...link, ...shown }))
      }),
    )
    expect(results.filter((code) => code === null)).toHaveLength(1)
    await runRefunds(at.testApp.services)
    expect(gatewayRefunds(at)).toEqual([6_000])
    expect(await changesIn(at.testApp)).toHaveLength(1)
  })
})

test('a repeat with the same key gets the first response; with other details it is refused', async () => {
  await using at = await makePaidVisit()
  const link = linkIn(at)
  const input = { ...link, sequence: 0, refund: gbp(6_000) }
  const keyed = () => makeVisitorCaller(at, { key: 'b7c0a9de-2f0e-4a55-9d0c-6a1de6f0c111' })
  const first = await keyed().cancelByLink(input)
  expect(await keyed().cancelByLink(input)).toEqual(first)
  expect(await errorCodeOf(keyed().cancelByLink({ ...input, sequence: 1 }))).toBe('key_reused')
  expect(await errorCodeOf(makeVisitorCaller(at).cancelByLink(input))).toBe('visit_cancelled')
})

test('the actor is the link’s patient, even if somebody else is signed in', async () => {
  await using at = await makePaidVisit()
  const { caller } = await signInProvider(at.testApp)
  await caller.visits.cancelByLink({ ...linkIn(at), sequence: 0, refund: gbp(6_000) })
  const { db } = at.testApp.database
  const by_id = at.patient.session.userId
  expect(await changesIn(at.testApp)).toMatchObject([{ by_kind: 'patient', by_id }])
  const refunds = await db.selectFrom('refunds').select('actor_id').execute()
  expect(refunds).toEqual([{ actor_id: by_id }])
})

test('opening the link with GET changes nothing, and its URL is not stored', async () => {
  await using at = await makePaidVisit()
  const { testApp } = at
  const { id, mac } = linkIn(at)
  const path = `/visit/${id}/${mac}`
  const cookie = 'demo_access_token=x; consentID=y'
  const send = (method: string) =>
    testApp.app.fetch(new Request(`http://localhost:3000${path}`, { method, headers: { cookie } }))
  for (const [method, status] of [
    ['GET', 200],
    ['HEAD', 200],
    ['POST', 405],
    ['PUT', 405],
    ['DELETE', 405],
  ] as const) {
    const answer = await send(method)
    expect([method, answer.status]).toEqual([method, status])
    if (status !== 200) continue
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  }
  expect((await makeVisitorCaller(at).byLink({ id, mac })).state).toBe('confirmed')
  await makeVisitorCaller(at).cancelByLink({ id, mac, sequence: 0, refund: gbp(6_000) })
  await errorCodeOf(makeVisitorCaller(at).byLink({ id, mac: `${mac}x` }))
  expect(await recordsIn(testApp)).not.toContain(mac)
})

test('links are limited per network and minute', async () => {
  await using at = await makePaidVisit()
  const calls = makeVisitorCaller(at, { network: '198.51.100.7' })
  const wrong = { id: at.id, mac: 'A'.repeat(43) }
  const results = []
  for (let n = 0; n <= limits.visit_link.calls; n += 1)
    results.push(await errorCodeOf(calls.byLink(wrong)))
  expect(results.at(-2)).toBe('visit_link_invalid')
  expect(results.at(-1)).toBe('rate_limited')
  expect(await errorCodeOf(calls.byLink(linkIn(at)))).toBe('rate_limited')
})

const MINUTE = 60_000
const DAY = 24 * HOUR
const START = Date.parse('2026-03-05T09:00:00Z')
const iso = (at: number) => new Date(at).toISOString()
const slotIn = (days: number) => ({ startsAt: iso(START + days * DAY) })

type Options = NonNullable<Parameters<typeof makePaidVisit>[0]>

/** A paid visit whose provider offers the same time on the next nine days, too. */
async function makeMovableVisit(options: Options = {}) {
  const at = await makePaidVisit(options)
  await offerNextDays(at.testApp, 9)
  const link = linkIn(at)
  const move = (days: number, more: Partial<MoveByLinkInput> = {}) =>
    makeVisitorCaller(at).moveByLink({ ...link, sequence: 0, slot: slotIn(days), ...more })
  return { ...at, link, move }
}

describeEngines('moving by link', (makeDatabase) => {
  test('the visit has the new time, nothing is paid, recorded with the patient and the link', async () => {
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
    const json = JSON.stringify(visit)
    for (const secret of ['cough', by, link.mac]) expect(json).not.toContain(secret)
    expect(await changesIn(testApp)).toMatchObject([
      { what: 'moved', by_kind: 'patient', by_id: by },
    ])
    const acts = await readAudit(testApp, 'booking.moved', 'visit.link_used')
    const act = { actor_kind: 'patient', actor_id: by, entity: at.id }
    expect(acts.toSorted((a, b) => a.action.localeCompare(b.action))).toMatchObject([
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

  test('at most three times, by link and account together; a refusal changes nothing', async () => {
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
    expect(await readAudit(at.testApp, 'visit.link_used')).toHaveLength(2)
  })

  test('moves only what the page showed, and only to a free time', async () => {
    await using at = await makeMovableVisit({ database: await makeDatabase() })
    const { move, testApp, link } = at
    expect(await errorCodeOf(move(1, { sequence: 1 }))).toBe('changed_meanwhile')
    expect(await errorCodeOf(move(0))).toBe('slot_taken')
    expect(await errorCodeOf(move(20))).toBe('slot_not_offered')
    const { provider } = await makeVisitorCaller(at).byLink(link)
    await at.strangerCaller.booking.hold({ providerId: provider.id, ...slotIn(1) })
    expect(await errorCodeOf(move(1))).toBe('slot_taken')
    expect(await changesIn(at.testApp)).toEqual([])
    testApp.advance(START - testApp.services.now())
    expect(await errorCodeOf(move(2))).toBe('visit_begun')
  })

  test('an overlap with another visit is refused unless accepted, without naming its provider', async () => {
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
})

test('a repeat with the same key gets the first response; with other details it is refused', async () => {
  await using at = await makeMovableVisit()
  const input = { ...at.link, sequence: 0, slot: slotIn(1) }
  const keyed = () => makeVisitorCaller(at, { key: 'b7c0a9de-2f0e-4a55-9d0c-6a1de6f0c111' })
  const first = await keyed().moveByLink(input)
  expect(await keyed().moveByLink(input)).toEqual(first)
  expect(await errorCodeOf(keyed().moveByLink({ ...input, slot: slotIn(2) }))).toBe('key_reused')
  expect(await errorCodeOf(makeVisitorCaller(at).moveByLink(input))).toBe('changed_meanwhile')
  expect(await changesIn(at.testApp)).toHaveLength(1)
})

test('the actor is the link’s patient, even if somebody else is signed in', async () => {
  await using at = await makeMovableVisit()
  const { caller } = await signInProvider(at.testApp)
  await caller.visits.moveByLink({ ...at.link, sequence: 0, slot: slotIn(1) })
  const by_id = at.patient.session.userId
  expect(await changesIn(at.testApp)).toMatchObject([{ what: 'moved', by_kind: 'patient', by_id }])
})

test('the token is in no log or record, and removed from the stored email', async () => {
  await using at = await makeMovableVisit()
  const { link, testApp, move } = at
  await move(1)
  await errorCodeOf(move(2, { mac: `${link.mac}x` }))
  expect(await recordsIn(testApp)).not.toContain(link.mac)
  const texts: string[] = []
  const send = ({ text }: { text: string }) => {
    texts.push(text)
    return Promise.resolve('sent' as const)
  }
  const { db } = testApp.database
  await db.deleteFrom('mails').execute()
  const errand = { bookingId: link.id, sequence: 1, deliveryId: 'out_moved' }
  await deliverMove({ ...testApp.services, mail: { send } }, errand)
  expect(texts.join(' ')).toContain(`/visit/${link.id}/${link.mac}`)
  const left = JSON.stringify(await db.selectFrom('mails').selectAll().execute())
  expect(left).toContain(`/visit/${link.id}/[removed]`)
  expect(left).not.toContain(link.mac)
})
