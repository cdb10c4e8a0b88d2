import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { createCaller } from '#server/app-router.ts'
import { makeContext } from '#server/context.ts'
import { emailRules } from '#server/kernel/email-rules.ts'
import { AppError } from '#server/kernel/errors.ts'
import { attemptLimits } from '#server/kernel/limits/attempts.ts'
import { makeAccount, makePatient, signInOwner } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makePaidVisit, signInProvider } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInNewStaff } from '#tests/harness/staff.ts'
import { makeTestApp, readAudit, type TestApp } from '#tests/harness/test-app.ts'
import { offerNextDays } from '#tests/harness/visits.ts'

const VICTIM = 'vera@victim.example'
const HOUR = 3_600_000
const MANY = 100

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof AppError) return error.code
    if (error instanceof Error && error.cause instanceof AppError) return error.cause.code
    throw error
  }
}

/** Does something a hundred times, one after the other, and counts the emails to one address. */
async function tryMany(
  testApp: TestApp,
  to: string,
  act: (nth: number) => Promise<unknown>,
): Promise<{ arrived: number; outcomes: string[] }> {
  const outcomes = new Set<string>()
  const before = testApp.mails.length
  for (let nth = 0; nth < MANY; nth += 1) {
    // An attacker with one connection.
    outcomes.add(await codeOf(act(nth)))
    await testApp.drainOutbox()
  }
  const arrived = testApp.mails.slice(before).filter((mail) => mail.to === to).length
  return { arrived, outcomes: [...outcomes].toSorted() }
}

const TUESDAY = Date.parse('2026-03-10T00:00:00Z')
const slotAt = (nth: number) => ({ startsAt: new Date(TUESDAY + nth * 600_000).toISOString() })
const vera = { kind: 'walk_in', name: 'Vera Victim', minutes: 5, email: VICTIM } as const

/** The desk of a new provider, verified unless given otherwise. */
async function openDesk(testApp: TestApp, status: 'Verified' | 'Unverified' = 'Verified') {
  const provider = await makeProvider(testApp, { verification_status: status })
  const { caller } = await signInOwner(testApp, { no: provider.no, id: provider.id })
  return caller
}

async function start(database: Database) {
  return makeTestApp({ database })
}

describeEngines('emails about desk visits', (makeDatabase) => {
  test('from ten providers who add, move and cancel are five in an hour, and twelve a day', async () => {
    await using testApp = await start(await makeDatabase())
    const desks = await Promise.all(Array.from({ length: 10 }, () => openDesk(testApp)))
    const fates: string[] = []
    const flood = async (nth: number) => {
      const desk = desks[nth % 10] ?? (await openDesk(testApp))
      // Spellings of one mailbox count as one.
      const email = nth % 2 === 0 ? VICTIM : `vera+${nth}@victim.example`
      const { id, email: added } = await desk.booking.addDesk({
        ...vera,
        email,
        slot: slotAt(nth * 3),
      })
      const moved = await desk.booking.moveDesk({ id, sequence: 0, slot: slotAt(nth * 3 + 1) })
      const ended = await desk.booking.cancelDesk({ id, sequence: 1 })
      fates.push(added, moved.email, ended.email)
    }
    for (let nth = 0; nth < 30; nth += 1) {
      // Ninety emails, by an attacker with one connection.
      await flood(nth)
    }
    await testApp.drainOutbox()
    const hour = testApp.mails.filter(({ to }) => to.endsWith('@victim.example')).length
    expect(hour).toBeLessThanOrEqual(attemptLimits.mail_desk.count)
    expect(fates.filter((fate) => fate === 'sent')).toHaveLength(attemptLimits.mail_desk.count)
    expect(new Set(fates)).toEqual(new Set(['sent', 'too_many']))
    for (let nth = 0; nth < 8; nth += 1) {
      testApp.advance(2 * HOUR)
      await flood(200 + nth)
    }
    expect(fates.filter((fate) => fate === 'sent')).toHaveLength(attemptLimits.mail_desk_day.count)
  })

  test('are not sent for an unverified provider, who is told so; the visit is added', async () => {
    await using testApp = await start(await makeDatabase())
    const desk = await openDesk(testApp, 'Unverified')
    const { id, email, state } = await desk.booking.addDesk({ ...vera, slot: slotAt(0) })
    expect([email, state]).toEqual(['unverified', 'confirmed'])
    const moved = await desk.booking.moveDesk({ id, sequence: 0, slot: slotAt(1) })
    const { fates } = await desk.visits.cancelMany({
      visits: [],
      desk: [{ id, sequence: 1 }],
      reason: 'other',
      note: 'Cheap pills at evil.example',
    })
    expect([moved.email, fates[0]?.unsent, fates[0]?.refusal]).toEqual([
      'unverified',
      'unverified',
      null,
    ])
    await testApp.drainOutbox()
    expect(testApp.mails).toEqual([])
  })

  test('never hold the words of a provider, nor a link that is not ours', async () => {
    await using testApp = await start(await makeDatabase())
    const provider = await makeProvider(testApp, {
      // As stored before names refused links.
      places: [{ name: 'evil.com Clinic' }],
    })
    const { caller } = await signInOwner(testApp, { no: provider.no, id: provider.id })
    const { id } = await caller.booking.addDesk({ ...vera, slot: slotAt(0), note: 'See evil.com' })
    const note = 'Cheap pills at https://evil.example'
    const desk = [{ id, sequence: 0 }]
    await caller.visits.cancelMany({ visits: [], desk, reason: 'closed', note })
    await testApp.drainOutbox()
    expect(testApp.mails).toHaveLength(1)
    const all = testApp.mails.map(({ text, html, files }) => JSON.stringify([text, html, files]))
    for (const one of all) {
      expect(one).not.toMatch(/pills|evil\.(?:com|example)/)
      expect(one).toContain('evil. com Clinic')
      expect(one).toContain('The practice is closed that day')
    }
    const name = caller.booking.addDesk({ ...vera, name: 'evil.com', slot: slotAt(9) })
    expect(await codeOf(name)).toBe('invalid_input')
  })

  test('stop for good with the link in them, which only a button or a mail program presses', async () => {
    await using testApp = await start(await makeDatabase())
    const desk = await openDesk(testApp)
    const { id } = await desk.booking.addDesk({ ...vera, slot: slotAt(0) })
    await testApp.drainOutbox()
    const [mail] = testApp.mails
    const url = /https?:\/\/\S+\/not-me\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    expect(mail?.unsubscribe).toBe(url)
    const { pathname } = new URL(url)
    const browser = new Browser(testApp)
    // What scanners and previews do changes nothing.
    await browser.fetch(pathname)
    await browser.fetch(pathname, { method: 'HEAD' })
    expect((await desk.booking.moveDesk({ id, sequence: 0, slot: slotAt(1) })).email).toBe('sent')
    // On its way when the button is pressed.
    const token = pathname.split('/').at(-1) ?? ''
    const forged = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
    expect((await browser.act('messages.stop', { token: forged })).code).toBe('stop_link_invalid')
    expect((await browser.act('messages.stop', { token })).status).toBe(200)
    expect((await browser.fetch(pathname, { method: 'POST' })).status).toBe(200)
    await testApp.drainOutbox()
    expect(testApp.mails).toHaveLength(1)
    const other = await openDesk(testApp)
    const added = await other.booking.addDesk({
      ...vera,
      email: 'vera+new@victim.example',
      slot: slotAt(5),
    })
    testApp.advance(400 * 24 * HOUR)
    expect(added.email).toBe('stopped')
    expect(await readAudit(testApp, 'mail.stopped')).toHaveLength(1)
    const rows = await testApp.database.db.selectFrom('stopped_mail').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('victim')
  })

  test('of concurrent requests count one by one', async () => {
    await using testApp = await start(await makeDatabase())
    const desks = await Promise.all(Array.from({ length: 12 }, () => openDesk(testApp)))
    const all = await Promise.all(
      desks.map((desk, nth) => desk.booking.addDesk({ ...vera, slot: slotAt(nth) })),
    )
    expect(all.filter(({ email }) => email === 'sent')).toHaveLength(5)
  })
})

async function openVisit(database: Database) {
  const at = await makePaidVisit({ database })
  await offerNextDays(at.testApp, 5)
  const { caller: provider } = await signInProvider(at.testApp)
  const day = (n: number) => ({
    startsAt: new Date(Date.parse('2026-03-05T09:00:00Z') + n * 24 * HOUR).toISOString(),
  })
  await at.testApp.drainOutbox()
  at.testApp.mails.length = 0
  const { email: to } = await at.testApp.database.db
    .selectFrom('accounts')
    .select('email')
    .where('no', '=', at.patient.session.accountNo)
    .executeTakeFirstOrThrow()
  return { ...at, provider, day, to }
}

describeEngines('emails to a patient with a booked visit', (makeDatabase) => {
  test('about moves are six an hour; then the move is refused, and a cancellation still arrives', async () => {
    await using at = await openVisit(await makeDatabase())
    const { testApp, id, provider, day } = at
    const note = 'See you then.'
    let sequence = 0
    const { arrived, outcomes } = await tryMany(testApp, at.to, async () => {
      await provider.visits.moveAgreed({ id, sequence, slot: day(1 + (sequence % 2)), note })
      sequence += 1
    })
    expect([arrived, outcomes]).toEqual([6, ['done', 'too_many_emails']])
    expect(sequence).toBe(6)
    const propose = provider.visits.propose({ id, sequence, slots: [day(4)] })
    expect(await codeOf(propose)).toBe('too_many_emails')
    // Their own move is not refused for what others have sent them.
    await at.caller.visits.move({ id, sequence, slot: day(3) })
    const { refund } = await provider.visits.providerTerms({ id })
    const { fates } = await provider.visits.cancelMany({
      visits: [{ id, sequence: 7, refund }],
      reason: 'unwell',
    })
    expect(fates[0]?.refusal).toBeNull()
    await testApp.drainOutbox()
    const told = testApp.mails.filter(({ to }) => to === at.to).map(({ subject }) => subject)
    expect(told.some((subject) => /cancelled/i.test(subject))).toBe(true)
  })

  test('are not caused by a provider who is no longer verified, except cancellations', async () => {
    await using at = await openVisit(await makeDatabase())
    const { testApp, id, provider, day } = at
    const { db } = testApp.database
    await db.updateTable('providers').set({ verification_status: 'Unverified' }).execute()
    const move = provider.visits.moveAgreed({ id, sequence: 0, slot: day(1) })
    expect(await codeOf(move)).toBe('provider_not_bookable')
    const { refund } = await provider.visits.providerTerms({ id })
    const { fates } = await provider.visits.cancelMany({
      visits: [{ id, sequence: 0, refund }],
      reason: 'unwell',
    })
    expect(fates[0]?.refusal).toBeNull()
    await testApp.drainOutbox()
    expect(testApp.mails.some(({ to }) => to === at.to)).toBe(true)
  })
})

const person = {
  first_name: 'Vera',
  last_name: 'Victim',
  password: 'under the mango tree',
  phone_number: '+44 20 7946 0123',
  date_of_birth: '1990-02-28',
  terms: true,
} as const

/** A stranger on a network of their own. */
function stranger(testApp: TestApp, nth: number) {
  const network = `198.51.${nth >> 8}.${nth & 255}`
  const facts = { viewer: { kind: 'visitor' }, requestId: 'TEST', network } as const
  return createCaller(makeContext(testApp.services, facts))
}

describeEngines('emails that a stranger causes', (makeDatabase) => {
  test('by registering are few, for all spellings of a mailbox', async () => {
    await using testApp = await start(await makeDatabase())
    await tryMany(testApp, VICTIM, (nth) =>
      stranger(testApp, nth).auth.registerPatient({
        ...person,
        email: nth % 2 === 0 ? VICTIM : `vera+${nth}@victim.example`,
      }),
    )
    const arrived = testApp.mails.filter(({ to }) => to.endsWith('@victim.example')).length
    expect(arrived).toBeLessThanOrEqual(attemptLimits.mail_register.count)
    expect(arrived).toBeGreaterThan(0)
  })

  test('by asking for a confirmation again are three an hour', async () => {
    await using testApp = await start(await makeDatabase())
    await makeAccount(testApp, { email: VICTIM, email_verified_at: null })
    const { arrived, outcomes } = await tryMany(testApp, VICTIM, (nth) =>
      stranger(testApp, nth).auth.resendVerification({ email: VICTIM, user_type: 'patient' }),
    )
    expect([arrived, outcomes]).toEqual([3, ['done']])
  })

  test('by asking for a new password are three an hour, and never keep the owner’s out', async () => {
    await using testApp = await start(await makeDatabase())
    await makeAccount(testApp, { email: VICTIM })
    const ask = (nth: number) =>
      stranger(testApp, nth).auth.forgotPassword({ email: VICTIM, userType: 'patient' })
    expect((await tryMany(testApp, VICTIM, ask)).arrived).toBe(3)
    // The links have expired; the hour has not.
    testApp.advance(31 * 60_000)
    expect((await tryMany(testApp, VICTIM, ask)).arrived).toBe(1)
    const unknown = await tryMany(testApp, 'nobody@mail.example', (nth) =>
      stranger(testApp, nth).auth.forgotPassword({
        email: 'nobody@mail.example',
        userType: 'patient',
      }),
    )
    expect(unknown).toEqual({ arrived: 0, outcomes: ['done'] })
  })

  test('by writing to a provider are twenty an hour', async () => {
    await using testApp = await start(await makeDatabase())
    const provider = await makeProvider(testApp)
    const { arrived } = await tryMany(testApp, provider.email, (nth) =>
      stranger(testApp, nth).messages.contact({
        first_name: 'Sam',
        last_name: 'Stranger',
        email: 'sam@mail.example',
        message: 'Cheap pills at evil.example',
        providerId: provider.id,
      }),
    )
    expect(arrived).toBe(attemptLimits.contact_provider.count)
  })
})

describeEngines('emails that somebody signed in causes', (makeDatabase) => {
  test('by a change of address are three an hour to the new one', async () => {
    await using testApp = await start(await makeDatabase())
    const patients = await Promise.all(
      Array.from({ length: MANY }, (_, nth) =>
        makePatient(testApp, { email: `p${nth}@mail.example` }),
      ),
    )
    const { arrived } = await tryMany(testApp, VICTIM, (nth) => {
      const change = { email: VICTIM, password: 'seven green bottles' }
      return patients[nth]?.caller.auth.changeEmail(change) ?? Promise.resolve()
    })
    expect(arrived).toBe(attemptLimits.verification.count)
  })

  test('by making calendar links are thirty an hour, then the link is refused', async () => {
    await using testApp = await start(await makeDatabase())
    const { ctx, account } = await makePatient(testApp)
    const steppedUpUntil = testApp.services.now() + HOUR
    const caller = createCaller({ ...ctx, session: { ...ctx.session, steppedUpUntil } })
    const { arrived, outcomes } = await tryMany(testApp, account.email, async () => {
      const { feed } = await caller.calendars.create({ name: 'Phone', showsNames: false })
      await testApp.drainOutbox()
      await caller.calendars.revoke({ id: feed.id })
    })
    expect([arrived, outcomes]).toEqual([30, ['done', 'too_many_emails']])
  })

  test('by adding and removing a colleague are six invitations an hour', async () => {
    await using testApp = await start(await makeDatabase())
    const { browser } = await signInNewStaff(testApp, 'superuser')
    const { arrived } = await tryMany(testApp, VICTIM, async () => {
      const nora = { email: VICTIM, role: 'editor', password: 'given by a colleague' }
      const { data } = await browser.act('superUsers.add', nora)
      const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : ''
      await browser.act('superUsers.remove', { id })
    })
    expect(arrived).toBeLessThanOrEqual(12)
    expect(arrived).toBeGreaterThan(0)
  })
})

test('what must arrive has no budget of its recipient’s, and everything says what bounds it', () => {
  for (const [topic, rule] of Object.entries(emailRules)) {
    expect([topic, rule.bound.length > 3]).toEqual([topic, true])
    if (rule.beyond === 'sent')
      expect([topic, rule.mailbox, rule.limits]).toEqual([topic, 'none', []])
    else expect([topic, rule.limits.length > 0]).toEqual([topic, true])
    // Words only where the address is confirmed; a link to stop them wherever it is not.
    if (rule.isStoppable)
      expect([topic, rule.words, rule.needsVerified]).toEqual([topic, false, true])
  }
  const must = ['payment.refunded', 'payment.not_taken', 'booking.confirmed', 'booking.cancelled']
  const rules = new Map(Object.entries(emailRules))
  for (const topic of [...must, 'letter.reset', 'letter.email_changed', 'letter.recovery_used']) {
    expect(rules.get(topic)?.beyond).toBe('sent')
  }
})
