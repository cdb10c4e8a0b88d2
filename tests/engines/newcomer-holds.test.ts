import { expect, test } from 'vitest'
import { MAX_UNPAID_PER_DAY } from '#contract/booking.ts'
import { holdAsVisitor, holdSlot } from '#server/booking/hold/hold-slot.ts'
import { MAX_UNPAID_HOLDS } from '#server/booking/rules.ts'
import { signedInAs } from '#tests/harness/accounts.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, readAudit } from '#tests/harness/test-app.ts'
import { insertPatients } from './booking-race.ts'
import {
  clientOf,
  count,
  holdAsNewPatients,
  live,
  MINUTE,
  makePatientAndTime,
  makeSlots,
  pairOf,
  pay,
  resultOf,
  type SlotRequest,
  solved,
  tryToHold,
  visitor,
} from './hold-crowd.ts'

describeEngines('many concurrent unpaid holds', (makeDatabase) => {
  test('of new accounts from one network take a challenge beyond twelve, across providers', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await Promise.all(Array.from({ length: 20 }, () => makeSlots(testApp, 1)))
    const results = await holdAsNewPatients(testApp, wishes.flat(), '203.0.113.9')
    expect(count(results)).toEqual({
      held: MAX_UNPAID_HOLDS.network,
      'captcha_required 1': 20 - MAX_UNPAID_HOLDS.network,
    })
    // Expired holds no longer count.
    testApp.advance(15 * MINUTE)
    const later = await holdAsNewPatients(testApp, wishes.flat().slice(12), '203.0.113.9')
    expect(count(later)).toEqual({ held: 8 })
  })

  test('of new accounts from one IPv6 home take a challenge beyond twelve', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await Promise.all(Array.from({ length: 14 }, () => makeSlots(testApp, 1)))
    const crowd = await insertPatients(testApp, 14)
    const results = await Promise.all(
      crowd.map((who, n) =>
        tryToHold(
          { ...signedInAs(testApp.services, who), network: `2001:db8:1:${n}::/64` },
          wishes[n]?.[0],
        ),
      ),
    )
    expect(count(results)).toEqual({ held: 12, 'captcha_required 1': 2 })
  })

  test('of twenty accounts from one network three get times of one provider, others elsewhere do', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await makeSlots(testApp, 26)
    for (const [nth, network] of ['203.0.113.9', '2001:db8:1:2::/64'].entries()) {
      const sought = wishes.slice(nth * 10, nth * 10 + 10)
      // The second network comes after the first.
      const results = await holdAsNewPatients(testApp, sought, network)
      expect(count(results)).toEqual({ held: 3, 'captcha_required 1': 7 })
    }
    // The same home, and the one next door.
    const [more] = await holdAsNewPatients(testApp, wishes.slice(20, 21), '2001:db8:1:ff::/64')
    expect(more).toBe('captcha_required 1')
    const nextDoor = await holdAsNewPatients(testApp, wishes.slice(21, 24), '2001:db8:1:1ff::/64')
    expect(count(nextDoor)).toEqual({ held: 3 })
    expect(await holdAsNewPatients(testApp, wishes.slice(24, 25))).toEqual(['held'])
  })

  test('four accounts with three holds each do not keep newcomers away', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await makeSlots(testApp, 13)
    const four = await insertPatients(testApp, 4)
    const attack = wishes.slice(0, 12).map((wish, n) => {
      const ctx = signedInAs(testApp.services, four[n % 4] ?? { no: 0, id: '' })
      return tryToHold({ ...ctx, network: '203.0.113.9' }, wish)
    })
    expect(count(await Promise.all(attack))).toEqual({ held: 3, 'captcha_required 1': 9 })
    const newcomer = await holdAsNewPatients(testApp, wishes.slice(12))
    expect(newcomer).toEqual(['held'])
  })

  test('with a challenge go on at every cap, each with one of its own', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await makeSlots(testApp, 20)
    // Ten from all over: the provider's cap.
    await holdAsNewPatients(testApp, wishes.slice(0, 10))
    const crowd = (await insertPatients(testApp, 6)).map((who) => signedInAs(testApp.services, who))
    const [first, ...others] = crowd
    if (first === undefined) throw new Error('There is no patient.')
    expect(await tryToHold(first, wishes[10])).toBe('captcha_required 1')
    const captchaValue = await solved(testApp)
    const withProof = (wish: SlotRequest | undefined, value: string) =>
      wish === undefined ? wish : { ...wish, captchaValue: value }
    // A time that is taken costs nobody their solution.
    expect(await tryToHold(first, withProof(wishes[0], captchaValue))).toBe('slot_taken')
    const results = await Promise.all(
      [first, ...others].map((ctx, n) => tryToHold(ctx, withProof(wishes[10 + n], captchaValue))),
    )
    expect(count(results)).toEqual({ held: 1, 'captcha_invalid 1': 5 })
    const last = crowd[5] ?? first
    expect(await tryToHold(last, withProof(wishes[19], 'nonsense'))).toBe('captcha_invalid 1')
  })

  test('take more work the more a network holds', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await makeSlots(testApp, 20)
    const network = '203.0.113.9'
    const works: number[] = []
    for (const wish of wishes) {
      // Each meets what those before it hold.
      const [result = ''] = await holdAsNewPatients(testApp, [wish], network)
      const work = Number(/captcha_required (\d+)/.exec(result)?.[1] ?? 0)
      works.push(work)
      if (work === 0) continue
      const less = { ...wish, captchaValue: await solved(testApp, work - 1) }
      if (work > 1) expect(await holdAsNewPatients(testApp, [less], network)).toEqual([result])
      const enough = { ...wish, captchaValue: await solved(testApp, work) }
      expect(await holdAsNewPatients(testApp, [enough], network)).toEqual(['held'])
    }
    expect(works).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 16, 16, 16, 16, 16])
  })

  test('of new accounts at one provider take a challenge beyond ten, not counting people who have paid', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [one, other, ...wishes] = (await makeSlots(testApp, 32)).toReversed()
    const results = await holdAsNewPatients(testApp, wishes)
    expect(count(results)).toEqual({
      held: MAX_UNPAID_HOLDS.provider,
      'captcha_required 1': 30 - MAX_UNPAID_HOLDS.provider,
    })
    const [known] = await insertPatients(testApp, 1)
    if (known === undefined) throw new Error('There is no patient.')
    await pay(testApp, known, (await makeSlots(testApp, 1))[0])
    const ctx = signedInAs(testApp.services, known)
    expect([await tryToHold(ctx, one), await tryToHold(ctx, other)]).toEqual(['held', 'held'])
  })
})

describeEngines('many concurrent visitor holds', (makeDatabase) => {
  test('of twenty visitors for one time one gets it', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { wish } = await makePatientAndTime(testApp)
    const all = Array.from({ length: 20 }, (_, n) =>
      resultOf(holdAsVisitor(visitor(testApp, `198.51.100.${n}`), wish)),
    )
    expect(count(await Promise.all(all))).toEqual({ held: 1, slot_taken: 19 })
  })

  test('two tabs of one visitor share one hold', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [first, second] = await pairOf(testApp)
    const client = clientOf(testApp)
    const tabs = [first, second, first].map((wish) =>
      resultOf(holdAsVisitor(visitor(testApp, '198.51.100.1', client), wish)),
    )
    expect(new Set(await Promise.all(tabs))).toEqual(new Set(['held']))
    expect(await live(testApp)).toHaveLength(1)
  })

  test('take a challenge beyond twelve per network, with accounts that never paid, and ten per provider', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const network = '203.0.113.9'
    const wishes = (
      await Promise.all(Array.from({ length: 16 }, () => makeSlots(testApp, 1)))
    ).flat()
    const crowd = await insertPatients(testApp, 8)
    const all = wishes.map((wish, n) => {
      const who = crowd[n]
      if (who === undefined) return resultOf(holdAsVisitor(visitor(testApp, network), wish))
      return resultOf(holdSlot({ ...signedInAs(testApp.services, who), network }, wish))
    })
    expect(count(await Promise.all(all))).toEqual({
      held: MAX_UNPAID_HOLDS.network,
      'captcha_required 1': 4,
    })
    const sought = await makeSlots(testApp, 14)
    const fromAllOver = sought.map((wish, n) =>
      resultOf(holdAsVisitor(visitor(testApp, `198.51.100.${n}`), wish)),
    )
    expect(count(await Promise.all(fromAllOver))).toEqual({
      held: MAX_UNPAID_HOLDS.provider,
      'captcha_required 1': 4,
    })
  })

  test('a network has as many a day as one patient without a challenge, whatever the cookies', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await makeSlots(testApp, MAX_UNPAID_PER_DAY + 1)
    const verdicts: string[] = []
    for (const wish of wishes) {
      // One after the other, each expired before the next.
      verdicts.push(await resultOf(holdAsVisitor(visitor(testApp, '203.0.113.9'), wish)))
      testApp.advance(16 * MINUTE)
    }
    expect(count(verdicts)).toEqual({ held: MAX_UNPAID_PER_DAY, 'captcha_required 1': 1 })
    const last = wishes[MAX_UNPAID_PER_DAY]
    if (last === undefined) throw new Error('There is no such time.')
    const proved = { ...last, captchaValue: await solved(testApp) }
    expect(await resultOf(holdAsVisitor(visitor(testApp, '203.0.113.9'), proved))).toBe('held')
  })
})

describeEngines('a visitor’s hold at sign-in', (makeDatabase) => {
  test('is transferred once, also with two concurrent tabs', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { who, wish } = await makePatientAndTime(testApp)
    const client = clientOf(testApp)
    await holdAsVisitor(visitor(testApp, '198.51.100.1', client), wish)
    const ctx = { ...signedInAs(testApp.services, who), client }
    const both = await Promise.all([holdSlot(ctx, wish), holdSlot(ctx, wish)])
    expect(new Set(both.map(({ id }) => id)).size).toBe(1)
    expect(await live(testApp)).toMatchObject([{ patient_no: who.no, visitor: null }])
    expect(await readAudit(testApp, 'booking.held', 'booking.taken_over')).toHaveLength(2)
  })

  test('while another tab chooses another time works for both', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [who] = await insertPatients(testApp, 1)
    const [first, second] = await pairOf(testApp)
    if (who === undefined) throw new Error('There is no patient.')
    const client = clientOf(testApp)
    await holdAsVisitor(visitor(testApp, '198.51.100.1', client), first)
    const ctx = { ...signedInAs(testApp.services, who), client }
    const [mine] = await Promise.all([
      holdSlot(ctx, first),
      holdAsVisitor(visitor(testApp, '198.51.100.1', client), second),
    ])
    expect(mine.state).toBe('held')
    const rows = await live(testApp)
    expect(rows).toHaveLength(2)
    expect(new Set(rows.map((row) => row.patient_no))).toEqual(new Set([who.no, null]))
  })

  test('at its expiry goes to them or to somebody else, never to both', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { who, wish } = await makePatientAndTime(testApp)
    const [rival] = await insertPatients(testApp, 1)
    if (rival === undefined) throw new Error('There is no patient.')
    const client = clientOf(testApp)
    await holdAsVisitor(visitor(testApp, '198.51.100.1', client), wish)
    testApp.advance(15 * MINUTE)
    const all = await Promise.all([
      resultOf(holdSlot({ ...signedInAs(testApp.services, who), client }, wish)),
      resultOf(holdSlot(signedInAs(testApp.services, rival), wish)),
    ])
    expect(all.toSorted()).toEqual(['held', 'slot_taken'])
    expect(await live(testApp)).toHaveLength(1)
  })
})
