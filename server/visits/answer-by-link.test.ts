import { expect, test } from 'vitest'
import { errorCodeOf, makePaidVisit, signInProvider } from '#tests/harness/paid-visit.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { linkIn, makeVisitorCaller } from '#tests/harness/visit-links.ts'

const DAY = 86_400_000
const START = Date.parse('2026-03-05T09:00:00Z')
const iso = (at: number) => new Date(at).toISOString()
const day = (n: number) => ({ startsAt: iso(START + n * DAY) })

/** A paid visit whose provider proposes the next two days, and the visit link of that email. */
async function open(options?: Parameters<typeof makePaidVisit>[0]) {
  const at = await makePaidVisit(options)
  const { id, testApp } = at
  const { db } = testApp.database
  const slot = await db.selectFrom('slots').selectAll().executeTakeFirstOrThrow()
  await db
    .insertInto('slots')
    .values([1, 2, 3].map((n) => ({ ...slot, start_at: START + n * DAY, free: 1 as const })))
    .execute()
  const { caller: provider } = await signInProvider(testApp)
  const propose = (...days: number[]) =>
    provider.visits.propose({ id, sequence: 0, slots: days.map(day), note: 'We close early.' })
  await propose(1, 2)
  await testApp.drainOutbox()
  const link = linkIn(at)
  const proposedAt = iso(testApp.services.now())
  return {
    ...at,
    db,
    link,
    proposedAt,
    propose,
    take: (n: number) =>
      makeVisitorCaller(at).moveByLink({ ...link, sequence: 0, slot: day(n), isProposed: true }),
    keep: (given = proposedAt) => makeVisitorCaller(at).keepTimeByLink({ ...link, at: given }),
    /** The recorded changes with their actors. */
    changes: () =>
      db
        .selectFrom('visit_changes')
        .select(['what', 'by_kind', 'by_id', 'reason', 'sequence'])
        .orderBy('no')
        .execute(),
    /** Subjects of the emails to the provider about an answer. */
    told: async () => {
      await testApp.drainOutbox()
      const subjects = testApp.mails.map(({ subject }) => subject)
      return subjects.filter((subject) => /^(?:Not moved|Moved): /.test(subject))
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  }
}

describeEngines('answering proposed times by the link of a visit', (makeDatabase) => {
  test('the link shows the times and nothing the provider wrote; opening it changes nothing', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { link, proposedAt } = at
    const times = [day(1), day(2)].map((time) => ({ ...time, timeZone: 'Europe/London' }))
    for (let round = 0; round < 3; round += 1) {
      const visit = await makeVisitorCaller(at).byLink(link)
      expect(visit.proposed).toMatchObject({ at: proposedAt, times })
      expect(JSON.stringify(visit)).not.toContain('close early')
    }
    expect((await at.changes()).map(({ what }) => what)).toEqual(['proposed'])
    expect(await at.told()).toEqual([])
  })

  test('one that is taken counts as no move, is free to cancel, and is told to the provider', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { visit } = await at.take(2)
    expect(visit).toMatchObject({
      ...day(2),
      proposed: null,
      terms: { movesLeft: 3, isFree: true, freeUntil: day(2).startsAt },
    })
    const by = { by_kind: 'patient', by_id: at.patient.session.userId }
    expect((await at.changes())[1]).toEqual({
      what: 'moved',
      ...by,
      reason: 'proposed',
      sequence: 1,
    })
    expect(await at.told()).toEqual([expect.stringMatching(/^Moved: .*Saturday 7 March/)])
    expect(at.testApp.mails.findLast(({ subject }) => subject.startsWith('Moved'))?.text).toContain(
      'The patient chose a time you proposed.',
    )
  })

  test('keeping the time turns them down once, and the provider is told of it once', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { visit } = await at.keep()
    expect(visit).toMatchObject({ ...day(0), proposed: null, moves: [] })
    await at.keep()
    const by = { by_kind: 'patient', by_id: at.patient.session.userId }
    expect((await at.changes()).slice(1)).toEqual([
      { what: 'kept', ...by, reason: null, sequence: 0 },
    ])
    expect(await at.told()).toEqual([expect.stringMatching(/^Not moved: Thursday 5 March/)])
    const told = at.testApp.mails.findLast(({ subject }) => subject.startsWith('Not moved'))
    expect(told?.text).toContain('The patient has kept the time of this visit')
    expect(told?.text).not.toContain('cough')
    const acts = await at.db
      .selectFrom('audit')
      .select(['action', 'actor_kind', 'actor_id'])
      .where('action', 'in', ['booking.proposal_dismissed', 'visit.link_used'])
      .orderBy('no')
      .execute()
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

  test('kept in the account the provider is told as well, unless the visit has changed by then', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { caller, id, proposedAt } = at
    await caller.visits.keepTime({ id, at: proposedAt })
    expect(await at.told()).toHaveLength(1)
    at.testApp.advance(1_000)
    await at.propose(3)
    await caller.visits.keepTime({ id, at: iso(at.testApp.services.now()) })
    await caller.visits.move({ id, sequence: 0, slot: day(1) })
    expect((await at.told()).map((subject) => subject.split(':')[0])).toEqual([
      'Not moved',
      'Moved',
    ])
  })

  test('twenty answers at once, by link and from the account, are one', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { caller, id, proposedAt } = at
    const told = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        if (n % 4 === 0) return errorCodeOf(at.keep())
        if (n % 4 === 1) return errorCodeOf(caller.visits.keepTime({ id, at: proposedAt }))
        if (n % 4 === 2) return errorCodeOf(at.take(1))
        const slot = day(2)
        return errorCodeOf(caller.visits.move({ id, sequence: 0, slot, isProposed: true }))
      }),
    )
    const [, answer, ...more] = await at.changes()
    expect(more).toEqual([])
    expect(['kept', 'moved']).toContain(answer?.what)
    const isMoved = answer?.what === 'moved'
    expect(told.filter((code, n) => code === null && n % 4 > 1)).toHaveLength(isMoved ? 1 : 0)
    expect(await at.db.selectFrom('visit_proposals').selectAll().execute()).toEqual([])
    expect(await at.told()).toHaveLength(1)
  })
})

test('what was proposed later stays, and a dead link, a begun or a cancelled visit answers nothing', async () => {
  await using at = await open()
  at.testApp.advance(1_000)
  await at.propose(3)
  await at.keep()
  const { proposed } = await makeVisitorCaller(at).byLink(at.link)
  expect(proposed?.times.map(({ startsAt }) => startsAt)).toEqual([day(3).startsAt])
  const wrong = { ...at.link, mac: `${at.link.mac.slice(1)}x`, at: proposed?.at ?? '' }
  expect(await errorCodeOf(makeVisitorCaller(at).keepTimeByLink(wrong))).toBe('visit_link_invalid')
  at.testApp.advance(START - at.testApp.services.now())
  expect(await errorCodeOf(at.keep(proposed?.at))).toBe('visit_begun')
  expect((await at.changes()).map(({ what }) => what)).toEqual(['proposed', 'proposed'])

  await using other = await open()
  const { refund } = await other.caller.visits.terms({ id: other.id })
  await other.caller.visits.cancel({ id: other.id, sequence: 0, refund })
  expect(await errorCodeOf(other.keep())).toBe('visit_cancelled')
})

test('a repeat under the same key is given the first answer', async () => {
  await using at = await open()
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
