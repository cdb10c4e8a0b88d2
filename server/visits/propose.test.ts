import { expect, test } from 'vitest'
import {
  errorCodeOf,
  linkIn,
  makePaidVisit,
  makeVisitorCaller,
  signInProvider,
} from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { readAudit } from '#tests/harness/test-app.ts'
import { changesIn, offerNextDays } from '#tests/harness/visits.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.parse('2026-03-05T09:00:00Z')
const iso = (at: number) => new Date(at).toISOString()
const day = (n: number) => ({ startsAt: iso(START + n * DAY) })

/** A paid visit, five more days to choose from, and its provider signed in. */
async function open(database?: Parameters<typeof makePaidVisit>[0]) {
  const at = await makePaidVisit(database)
  const { db } = at.testApp.database
  await offerNextDays(at.testApp, 5)
  const { caller: provider, account, provider: of } = await signInProvider(at.testApp)
  const { id, caller } = at
  return {
    ...at,
    db,
    account,
    providerId: of.id,
    provider,
    propose: (days: number[], note?: string, sequence = 0) =>
      provider.visits.propose({
        id,
        sequence,
        slots: days.map(day),
        ...(note !== undefined && { note }),
      }),
    shown: async () => {
      const { proposed } = await caller.booking.visit({ id })
      return proposed?.times.map(({ startsAt }) => startsAt) ?? null
    },
    take: (n: number, sequence = 0) =>
      caller.visits.move({ id, sequence, slot: day(n), isProposed: true }),
  }
}

describeEngines('proposing times', (makeDatabase) => {
  test('the patient is emailed, nothing is held, and the chosen time counts as agreed', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { testApp, id, caller, db } = at
    // Past the free-cancellation deadline: the patient's own move would not extend it.
    testApp.advance(49 * HOUR)
    for (const n of [1, 2, 1]) {
      const { sequence } = await caller.visits.terms({ id })
      await caller.visits.move({ id, sequence, slot: day(n) })
    }
    expect(await errorCodeOf(caller.visits.move({ id, sequence: 3, slot: day(2) }))).toBe(
      'moves_used_up',
    )
    await at.propose([4, 3], 'We close early that day.', 3)
    const free = await db.selectFrom('slots').select('free').where('free', '=', 1).execute()
    expect(free).toHaveLength(5)
    const { proposed } = await caller.booking.visit({ id })
    expect(proposed).toMatchObject({
      note: 'We close early that day.',
      times: [
        { startsAt: iso(START + 3 * DAY), timeZone: 'Europe/London' },
        { startsAt: iso(START + 4 * DAY) },
      ],
    })
    await testApp.drainOutbox()
    const emails = testApp.mails.filter(({ subject }) =>
      subject.includes('has proposed other times'),
    )
    expect(emails).toHaveLength(1)
    expect(emails[0]?.text).toContain('Dr Amara Okafor has proposed other times')
    expect(emails[0]?.text).toContain('They aren’t held for you')
    expect(emails[0]?.text).toContain('Sunday 8 March 2026, 09:00')
    expect(emails[0]?.text).toContain('Message: We close early that day.')
    expect(emails[0]?.text).toContain(`/visit/${id}/`)
    expect(emails[0]?.text).toContain('/userProfile')
    expect(emails[0]?.text).not.toContain('cough')
    const other = await errorCodeOf(caller.visits.moveTerms({ id, slot: day(5) }))
    expect(other).toBe('moves_used_up')
    expect(await caller.visits.moveTerms({ id, slot: day(3) })).toMatchObject({
      isProposed: true,
      freeUntil: iso(START + 3 * DAY),
      isFree: true,
    })
    const { visit } = await at.take(3, 3)
    expect(visit).toMatchObject({ startsAt: iso(START + 3 * DAY), proposed: null })
    expect(await db.selectFrom('visit_proposals').selectAll().execute()).toEqual([])
    // Free until a minute before the start.
    testApp.advance(START + 3 * DAY - 60_000 - testApp.services.now())
    expect(await caller.visits.terms({ id })).toMatchObject({ isFree: true, movesLeft: 0 })
    await testApp.drainOutbox()
    const notice = testApp.mails.findLast(({ subject }) => /^Moved: [A-Z]/.test(subject))
    expect(notice?.text).toContain('The patient chose a time you proposed.')
    const moved = testApp.mails.findLast(({ subject }) => subject.startsWith('Moved: your visit'))
    expect(moved?.text).toContain('You’ve chosen a time that Dr Amara Okafor proposed.')
  })

  test('choosing one does not count as a move', async () => {
    await using at = await open({ database: await makeDatabase() })
    await at.propose([1])
    await at.take(1)
    expect(await at.caller.visits.terms({ id: at.id })).toMatchObject({ movesLeft: 3 })
    expect(await changesIn(at.testApp)).toMatchObject([
      { what: 'proposed', by_kind: 'provider', reason: null, sequence: 0 },
      { what: 'moved', by_kind: 'patient', reason: 'proposed', sequence: 1 },
    ])
    expect(await readAudit(at.testApp, 'booking.proposed')).toMatchObject([{ entity: at.id }])
  })

  test('a taken time is not shown, and choosing it changes nothing', async () => {
    await using at = await open({ database: await makeDatabase() })
    await at.propose([1, 2])
    await at.strangerCaller.booking.hold({ ...day(1), providerId: at.providerId })
    expect(await at.shown()).toEqual([iso(START + 2 * DAY)])
    expect(await errorCodeOf(at.take(1))).toBe('slot_taken')
    expect((await at.caller.booking.visit({ id: at.id })).startsAt).toBe(iso(START))
    expect(await errorCodeOf(at.propose([1]))).toBe('slot_taken')
    expect(await errorCodeOf(at.propose([0]))).toBe('slot_taken')
    // The refused proposal has replaced nothing.
    expect(await at.shown()).toEqual([iso(START + 2 * DAY)])
  })

  test('of two concurrent choices one succeeds', async () => {
    await using at = await open({ database: await makeDatabase() })
    await at.propose([1, 2])
    const codes = await Promise.all([errorCodeOf(at.take(1)), errorCodeOf(at.take(2))])
    expect(codes.toSorted()).toEqual(['changed_meanwhile', null])
    const claims = await at.db.selectFrom('slot_claims').select('start_at').execute()
    const { start_at: start } = await at.db
      .selectFrom('bookings')
      .select('start_at')
      .executeTakeFirstOrThrow()
    expect(claims).toEqual([{ start_at: start }])
    expect(await at.shown()).toBeNull()
  })

  test('a new proposal replaces the last one, three times at most', async () => {
    await using at = await open({ database: await makeDatabase() })
    await at.propose([1, 2])
    at.testApp.advance(1_000)
    await at.propose([3])
    expect(await at.shown()).toEqual([iso(START + 3 * DAY)])
    // The page shows the first proposal, which is outdated: refused.
    expect(await errorCodeOf(at.take(1))).toBe('changed_meanwhile')
    await at.testApp.drainOutbox()
    const emails = at.testApp.mails.filter(({ subject }) =>
      subject.includes('has proposed other times'),
    )
    expect(emails).toHaveLength(1)
    await at.propose([4])
    expect(await errorCodeOf(at.propose([5]))).toBe('proposals_used_up')
    expect(await at.shown()).toEqual([iso(START + 4 * DAY)])
    expect(await at.provider.booking.providerVisit({ id: at.id })).toMatchObject({
      proposalsLeft: 0,
      proposed: { times: [{ startsAt: iso(START + 4 * DAY) }] },
    })
  })

  test('of four concurrent proposals three are made', async () => {
    await using at = await open({ database: await makeDatabase() })
    const codes = await Promise.all([1, 2, 3, 4].map((n) => errorCodeOf(at.propose([n]))))
    expect(codes.filter((code) => code === null)).toHaveLength(3)
    expect(codes).toContain('proposals_used_up')
    expect(await at.shown()).toHaveLength(1)
  })

  test('keeping the time declines that proposal, and nothing newer', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { id, caller } = at
    await at.propose([1])
    const first = (await caller.booking.visit({ id })).proposed?.at ?? ''
    at.testApp.advance(1_000)
    await at.propose([2])
    await caller.visits.keepTime({ id, at: first })
    expect(await at.shown()).toEqual([iso(START + 2 * DAY)])
    const second = (await caller.booking.visit({ id })).proposed?.at ?? ''
    expect(await errorCodeOf(at.strangerCaller.visits.keepTime({ id, at: second }))).toBe(
      'not_found',
    )
    const keptShown = async () => (await at.provider.booking.providerVisit({ id })).kept
    expect(await keptShown()).toEqual([])
    at.testApp.advance(HOUR)
    const keptAt = iso(at.testApp.services.now())
    expect(await caller.visits.keepTime({ id, at: second })).toMatchObject({
      startsAt: iso(START),
      proposed: null,
    })
    // The provider sees when; a repeat does not count as a second response.
    at.testApp.advance(HOUR)
    await caller.visits.keepTime({ id, at: second })
    expect(await keptShown()).toEqual([keptAt])
  })

  test('proposals end with a move, a cancellation or the start, and are then not emailed', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { id, caller, testApp } = at
    await at.propose([1, 2])
    await caller.visits.move({ id, sequence: 0, slot: day(3) })
    expect(await at.shown()).toBeNull()
    expect(await errorCodeOf(at.take(1, 1))).toBe('changed_meanwhile')
    await at.propose([4], undefined, 1)
    const { refund } = await caller.visits.terms({ id })
    await caller.visits.cancel({ id, sequence: 1, refund })
    expect(await at.shown()).toBeNull()
    expect(await at.db.selectFrom('visit_proposals').selectAll().execute()).toEqual([])
    expect(await errorCodeOf(at.take(4, 2))).toBe('visit_cancelled')
    expect(await errorCodeOf(at.propose([4], undefined, 2))).toBe('visit_cancelled')
    await testApp.drainOutbox()
    expect(testApp.mails.some(({ subject }) => subject.includes('has proposed other times'))).toBe(
      false,
    )
  })
})

test('nothing can be proposed after the start', async () => {
  await using at = await open()
  await at.propose([1])
  at.testApp.advance(START - at.testApp.services.now())
  expect(await at.shown()).toBeNull()
  expect(await errorCodeOf(at.take(1))).toBe('visit_begun')
  expect(await errorCodeOf(at.propose([2]))).toBe('visit_begun')
})

test('an outdated page, a repeated time and four times are refused', async () => {
  await using at = await open()
  expect(await errorCodeOf(at.propose([1], undefined, 7))).toBe('changed_meanwhile')
  for (const days of [[1, 1], [1, 2, 3, 4], []]) {
    await expect(at.propose(days)).rejects.toThrow('Check the highlighted fields')
  }
})

/** A paid visit whose provider proposes the next two days, and the visit link of that email. */
async function openByLink(options?: Parameters<typeof makePaidVisit>[0]) {
  const at = await open(options)
  const { testApp } = at
  const propose = (...days: number[]) => at.propose(days, 'We close early.')
  await propose(1, 2)
  await testApp.drainOutbox()
  const link = linkIn(at)
  const proposedAt = iso(testApp.services.now())
  return {
    ...at,
    link,
    proposedAt,
    propose,
    take: (n: number) =>
      makeVisitorCaller(at).moveByLink({
        ...link,
        sequence: 0,
        slot: day(n),
        isProposed: true,
      }),
    keep: (given = proposedAt) => makeVisitorCaller(at).keepTimeByLink({ ...link, at: given }),
    /** Subjects of the emails to the provider about an answer. */
    emails: async () => {
      await testApp.drainOutbox()
      const subjects = testApp.mails.map(({ subject }) => subject)
      return subjects.filter((subject) => /^(?:Not moved|Moved): [A-Z]/.test(subject))
    },
  }
}

describeEngines('responding to proposed times by link', (makeDatabase) => {
  test('the link shows the times without the provider’s note; opening it changes nothing', async () => {
    await using at = await openByLink({ database: await makeDatabase() })
    const { link, proposedAt } = at
    const times = [day(1), day(2)].map((time) => ({ ...time, timeZone: 'Europe/London' }))
    for (let round = 0; round < 3; round += 1) {
      const visit = await makeVisitorCaller(at).byLink(link)
      expect(visit.proposed).toMatchObject({ at: proposedAt, times })
      expect(JSON.stringify(visit)).not.toContain('close early')
    }
    expect((await changesIn(at.testApp)).map(({ what }) => what)).toEqual(['proposed'])
    expect(await at.emails()).toEqual([])
  })

  test('choosing one does not count as a move, is free to cancel, and is emailed to the provider', async () => {
    await using at = await openByLink({ database: await makeDatabase() })
    const { visit } = await at.take(2)
    expect(visit).toMatchObject({
      ...day(2),
      proposed: null,
      terms: { movesLeft: 3, isFree: true, freeUntil: day(2).startsAt },
    })
    const by = { by_kind: 'patient', by_id: at.patient.session.userId }
    const [, moved] = await changesIn(at.testApp)
    expect(moved).toMatchObject({ what: 'moved', ...by, reason: 'proposed', sequence: 1 })
    expect(await at.emails()).toEqual([expect.stringMatching(/^Moved: .*Saturday 7 March/)])
    expect(
      at.testApp.mails.findLast(({ subject }) => /^Moved: [A-Z]/.test(subject))?.text,
    ).toContain('The patient chose a time you proposed.')
  })

  test('keeping the time declines them once, with one email to the provider', async () => {
    await using at = await openByLink({ database: await makeDatabase() })
    const { visit } = await at.keep()
    expect(visit).toMatchObject({ ...day(0), proposed: null, moves: [] })
    await at.keep()
    const by = { by_kind: 'patient', by_id: at.patient.session.userId }
    expect((await changesIn(at.testApp)).slice(1)).toMatchObject([
      { what: 'kept', ...by, reason: null, sequence: 0 },
    ])
    expect(await at.emails()).toEqual([expect.stringMatching(/^Not moved: Thursday 5 March/)])
    const email = at.testApp.mails.findLast(({ subject }) => subject.startsWith('Not moved'))
    expect(email?.text).toContain('The patient has kept the time of this visit')
    expect(email?.text).not.toContain('cough')
    const acts = await readAudit(at.testApp, 'booking.proposal_dismissed', 'visit.link_used')
    const actor = { actor_kind: 'patient', actor_id: at.patient.session.userId }
    expect(acts.map(({ action }) => action).toSorted()).toEqual([
      'booking.proposal_dismissed',
      'visit.link_used',
      'visit.link_used',
    ])
    for (const act of acts) expect(act).toMatchObject(actor)
    // The page's proposal is outdated, so its times are refused.
    expect(await errorCodeOf(at.take(1))).toBe('changed_meanwhile')
  })

  test('keeping the time in the account is emailed too, unless the visit has changed', async () => {
    await using at = await openByLink({ database: await makeDatabase() })
    const { caller, id, proposedAt } = at
    await caller.visits.keepTime({ id, at: proposedAt })
    expect(await at.emails()).toHaveLength(1)
    at.testApp.advance(1_000)
    await at.propose(3)
    await caller.visits.keepTime({ id, at: iso(at.testApp.services.now()) })
    await caller.visits.move({ id, sequence: 0, slot: day(1) })
    expect((await at.emails()).map((subject) => subject.split(':')[0])).toEqual([
      'Not moved',
      'Moved',
    ])
  })

  test('twenty concurrent responses, by link and from the account, count once', async () => {
    await using at = await openByLink({ database: await makeDatabase() })
    const { caller, id, proposedAt } = at
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        if (n % 4 === 0) return errorCodeOf(at.keep())
        if (n % 4 === 1) return errorCodeOf(caller.visits.keepTime({ id, at: proposedAt }))
        if (n % 4 === 2) return errorCodeOf(at.take(1))
        const slot = day(2)
        return errorCodeOf(caller.visits.move({ id, sequence: 0, slot, isProposed: true }))
      }),
    )
    const [, answer, ...more] = await changesIn(at.testApp)
    expect(more).toEqual([])
    expect(['kept', 'moved']).toContain(answer?.what)
    const isMoved = answer?.what === 'moved'
    expect(results.filter((code, n) => code === null && n % 4 > 1)).toHaveLength(isMoved ? 1 : 0)
    expect(await at.db.selectFrom('visit_proposals').selectAll().execute()).toEqual([])
    expect(await at.emails()).toHaveLength(1)
  })
})

test('later proposals stay, and an invalid link, a begun or a cancelled visit is refused', async () => {
  await using at = await openByLink()
  at.testApp.advance(1_000)
  await at.propose(3)
  await at.keep()
  const { proposed } = await makeVisitorCaller(at).byLink(at.link)
  expect(proposed?.times.map(({ startsAt }) => startsAt)).toEqual([day(3).startsAt])
  const wrong = { ...at.link, mac: `${at.link.mac.slice(1)}x`, at: proposed?.at ?? '' }
  expect(await errorCodeOf(makeVisitorCaller(at).keepTimeByLink(wrong))).toBe('visit_link_invalid')
  at.testApp.advance(START - at.testApp.services.now())
  expect(await errorCodeOf(at.keep(proposed?.at))).toBe('visit_begun')
  expect((await changesIn(at.testApp)).map(({ what }) => what)).toEqual(['proposed', 'proposed'])

  await using other = await openByLink()
  const { refund } = await other.caller.visits.terms({ id: other.id })
  await other.caller.visits.cancel({ id: other.id, sequence: 0, refund })
  expect(await errorCodeOf(other.keep())).toBe('visit_cancelled')
})

test('a repeat with the same key gets the first response', async () => {
  await using at = await openByLink()
  const keyed = () => makeVisitorCaller(at, { key: 'b7c0a9de-2f0e-4a55-9d0c-6a1de6f0c111' })
  const input = { ...at.link, at: at.proposedAt }
  const first = await keyed().keepTimeByLink(input)
  at.testApp.advance(1_000)
  await at.propose(3)
  expect(await keyed().keepTimeByLink(input)).toEqual(first)
  expect(await errorCodeOf(keyed().keepTimeByLink({ ...input, at: day(0).startsAt }))).toBe(
    'key_reused',
  )
})
