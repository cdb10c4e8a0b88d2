import { expect, test } from 'vitest'
import { AUDIT_EXPORT_PATH, type AuditEntry, AuditPage, AuditVerdict } from '#contract/audit.ts'
import { referenceOf } from '#contract/base/ids.ts'
import { sealAudit } from '#server/jobs/seal-audit.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInNewStaff, signInStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'

const DAY = 86_400_000

async function record(testApp: TestApp, count: number, more: object = {}): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await testApp.context().record({ action: 'session.ended', entity: 'ses_1', ...more })
  }
}

async function listed(browser: Browser, input: object = {}): Promise<AuditPage> {
  return AuditPage.parse((await browser.ask('audit.list', input)).data)
}

async function all(browser: Browser, filters: object = {}): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (let page = await listed(browser, filters); ; ) {
    entries.push(...page.entries)
    if (page.next === null) return entries
    page = await listed(browser, { ...filters, before: page.next })
  }
}

/** The text including its byte order mark, which `response.text()` removes. */
async function textOf(response: Response): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
}

async function take(browser: Browser, filters: object) {
  const response = await browser.fetch(AUDIT_EXPORT_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(filters),
  })
  return { named: response.headers.get('content-disposition'), text: await textOf(response) }
}

describeEngines('the audit log', (makeDatabase) => {
  test('is listed newest first, 25 at a time, each row once, even while rows are added', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInNewStaff(testApp, 'superuser')
    await record(testApp, 60)
    const first = await listed(browser)
    expect(first.entries).toHaveLength(25)
    await record(testApp, 3)
    const entries = await all(browser, { action: 'session.ended' })
    expect(entries).toHaveLength(63)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(63)
    const second = await listed(browser, { before: first.next })
    const seen = new Set(first.entries.map(({ id }) => id))
    expect(second.entries.filter(({ id }) => seen.has(id))).toEqual([])
    const times = entries.map(({ at }) => at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('is filtered by action, outcome, actor, entity and days, alone and together', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, account } = await signInNewStaff(testApp, 'superuser')
    const patient = await makeAccount(testApp)
    await new Browser(testApp, '192.0.2.2').signIn(patient, { password: 'not this one' })
    await new Browser(testApp, '192.0.2.2').signIn(patient)
    const refused = new Browser(testApp, '192.0.2.3')
    await refused.signIn(await makeAccount(testApp))
    await refused.ask('superUsers.list')
    const actions = async (filters: object) =>
      (await all(browser, filters)).map(({ action }) => action)
    expect(await actions({ outcome: 'denied' })).toEqual(['call.denied'])
    expect(await actions({ outcome: 'failed' })).toEqual(['session.refused'])
    expect(await actions({ action: 'session.refused' })).toEqual(['session.refused'])
    expect(await actions({ actor: patient.id })).toEqual(['session.began'])
    expect(await actions({ kind: 'patient' })).toEqual([
      'call.denied',
      'session.began',
      'session.began',
    ])
    expect(await actions({ actor: account.email.toUpperCase() })).toEqual(['session.began'])
    expect(await actions({ entity: 'superUsers.list' })).toEqual(['call.denied'])
    expect(await actions({ actor: 'nobody@staff.example' })).toEqual([])
    expect(await actions({ kind: 'staff', outcome: 'denied' })).toEqual([])
    testApp.advance(DAY)
    await record(testApp, 1)
    await signInStaff(browser, account.email)
    expect(await actions({ from: '2026-03-03', action: 'session.ended' })).toHaveLength(1)
    expect(await actions({ to: '2026-03-02', action: 'session.ended' })).toEqual([])
    expect(await actions({ from: '2026-03-02', to: '2026-03-02' })).toHaveLength(5)
    expect(await actions({ to: '2026-03-01' })).toEqual([])
  })

  test('shows providers and companies by their names at the time, and visits by reference', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { db } = testApp.database
    const { browser } = await signInNewStaff(testApp, 'superuser')
    const { provider, account } = await makeProviderAccount(testApp)
    const called = (last_name: string) =>
      db.updateTable('providers').set({ last_name }).where('no', '=', provider.no).execute()
    await called('Okafor')
    await record(testApp, 1, { action: 'verification.looked_up', entity: provider.id })
    await called('Adeyemi')
    await record(testApp, 1, { action: 'verification.looked_up', entity: provider.id })
    await new Browser(testApp, '192.0.2.2').signIn(account)
    const patient = await makeAccount(testApp)
    const { id, paymentNo } = await insertVisit(testApp, provider, {
      patientNo: patient.no,
      startsAt: '2026-03-09T09:00:00Z',
    })
    const payment = await db
      .selectFrom('payments')
      .select('id')
      .where('no', '=', paymentNo)
      .executeTakeFirstOrThrow()
    await record(testApp, 1, { action: 'booking.confirmed', entity: id })
    await record(testApp, 1, { action: 'payment.paid', entity: payment.id })
    const { membership_number: number } = await db
      .selectFrom('providers')
      .select('membership_number')
      .where('no', '=', provider.no)
      .executeTakeFirstOrThrow()
    const looks = await all(browser, { entity: provider.id })
    expect(looks.map(({ entityName }) => entityName)).toEqual([
      `Dr Amara Adeyemi, GMC ${number}`,
      `Dr Amara Okafor, GMC ${number}`,
    ])
    expect((await all(browser, { actor: account.id }))[0]?.actor.name).toBe('Dr Amara Adeyemi')
    for (const entity of [id, payment.id]) {
      expect((await all(browser, { entity }))[0]?.entityName).toBe(referenceOf(id))
    }
  })

  test('leaves out read-only actions unless asked for', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInNewStaff(testApp, 'superuser')
    await record(testApp, 2, { action: 'payment.names_read' })
    await record(testApp, 1)
    const actions = async (filters: object) =>
      (await all(browser, filters)).map(({ action }) => action)
    expect(await actions({})).toEqual(['session.ended', 'session.began'])
    expect(await actions({ reads: 'show' })).toHaveLength(4)
    expect(await actions({ action: 'payment.names_read' })).toHaveLength(2)
  })

  test('is exported with the filters, after a step-up, and the export is audited', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, account } = await signInNewStaff(testApp, 'superuser')
    await record(testApp, 510, { entity: '=HYPERLINK("https://evil.example")' })
    const file = await take(browser, { action: 'session.ended' })
    expect(file.named).toBe('attachment; filename="audit-log-2026-03-02.csv"')
    const [head = '', row = '', ...others] = file.text.split('\r\n')
    expect(head).toBe(
      '\uFEFFTime (UTC),Action,Outcome,Actor,Actor id,Actor email,Actor name,Entity,Entity name,Details,Network,Request,Position,Id',
    )
    // Formulas are escaped as text.
    expect(row).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
    expect(others).toHaveLength(510)
    const [written] = await all(browser, { action: 'audit.exported' })
    expect(written).toMatchObject({
      actor: { kind: 'staff', id: account.id, email: account.email },
      details: { action: 'session.ended' },
    })
    await take(browser, { actor: account.email.toUpperCase(), entity: 'superUsers.list' })
    await take(browser, { actor: 'maya@mail.example', entity: 'Maya Okafor' })
    const exports = await all(browser, { action: 'audit.exported' })
    expect(exports.map(({ details }) => [details['actor'], details['entity']])).toEqual([
      ['other', 'other'],
      [account.id, 'superUsers.list'],
      ['', ''],
    ])
    // Postgres can't store a NUL.
    expect((await take(browser, { entity: 'usr_\0' })).text).toContain('invalid_input')
    testApp.advance(6 * 60_000)
    expect((await take(browser, {})).text).toContain('step_up_required')
  })

  test('is verified: sealed and waiting rows, the head to record, and the first wrong row', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInNewStaff(testApp, 'superuser')
    const verify = async (input: object = {}) =>
      AuditVerdict.parse((await browser.act('audit.verify', input)).data)
    expect(await verify()).toMatchObject({ sealed: 0, unsealed: 1, head: null })
    await record(testApp, 5)
    await sealAudit(testApp.services)
    const sound = await verify()
    expect(sound).toMatchObject({ sealed: 7, brokenAt: null, unsealed: 0, head: { position: 7 } })
    await record(testApp, 1)
    await sealAudit(testApp.services)
    expect(await verify({ known: sound.head })).toMatchObject({ sealed: 9, brokenAt: null })
    const other = { position: 7, seal: 'A'.repeat(43) }
    expect(await verify({ known: other })).toMatchObject({ brokenAt: 7, head: null })
    const later = { position: 99, seal: 'A'.repeat(43) }
    expect(await verify({ known: later })).toMatchObject({ brokenAt: 10, brokenRow: null })
    const checks = await all(browser, { action: 'audit.verified' })
    expect(checks.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'ok', 'ok', 'ok'])
  })
})

test('other staff are refused with who may, and the refusal is in the log', async () => {
  await using testApp = await makeTestApp()
  for (const role of ['admin', 'editor', 'author'] as const) {
    const { browser } = await signInNewStaff(testApp, role, `10.0.0.${role.length}`)
    const answers = [await browser.ask('audit.list'), await browser.act('audit.verify', {})]
    for (const { status, message } of answers) {
      expect([status, message]).toEqual([403, 'Only superusers may do this.'])
    }
  }
  const { browser } = await signInNewStaff(testApp, 'superuser')
  expect(await all(browser, { outcome: 'denied' })).toHaveLength(6)
})

test('contains no names or addresses of patients and providers, nor deleted addresses', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await signInNewStaff(testApp, 'superuser')
  const patient = await makeAccount(testApp, { email: 'maya@mail.example' })
  await new Browser(testApp, '192.0.2.2').signIn(patient)
  const other = await signInNewStaff(testApp, 'admin', '192.0.2.3')
  const before = await all(browser, { actor: other.account.id })
  expect(before[0]?.actor.email).toBe(other.account.email)
  await browser.act('superUsers.remove', { id: other.account.id })
  const entries = await all(browser)
  expect(JSON.stringify(entries)).not.toContain('maya@mail.example')
  expect(JSON.stringify(entries)).not.toContain(other.account.email)
  expect(entries.filter(({ actor }) => actor.id === other.account.id)).toHaveLength(1)
})

test('invalid filters are refused', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await signInNewStaff(testApp, 'superuser')
  const wrong = [
    { action: "session'; drop table audit" },
    { from: '2026-02-31' },
    { before: '1' },
    { outcome: 'maybe' },
    { actor: '' },
  ]
  for (const input of wrong) {
    expect([input, (await browser.ask('audit.list', input)).status]).toEqual([input, 400])
  }
})
