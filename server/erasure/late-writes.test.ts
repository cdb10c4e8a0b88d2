import sharp from 'sharp'
import { expect, test } from 'vitest'
import { ProviderId } from '#contract/base/ids.ts'
import { asProvider } from '#server/admission.ts'
import { createCaller } from '#server/app-router.ts'
import type { Context } from '#server/context.ts'
import { saveDocument } from '#server/verification/company/company.ts'
import { makePatient, signInOwner } from '#tests/harness/accounts.ts'
import { errorCodeOf } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'

const HOUR = 3_600_000

/** Calls a procedure with its sample input, as a request does whose session was read before the erasure. */
async function call(ctx: Context, path: string, more: object = {}): Promise<unknown> {
  const [room = '', name = ''] = path.split('.')
  const run: unknown = Reflect.get(Reflect.get(createCaller(ctx), room), name)
  if (typeof run !== 'function') throw new Error(`There is no ${path}`)
  const answer: unknown = await Reflect.apply(run, undefined, [{ ...sampleInputs[path], ...more }])
  return answer
}

/** The context of the same request, soon after its account has proved who it is. */
function steppedUp(testApp: TestApp, { session, ...ctx }: Context): Context {
  const steppedUpUntil = testApp.services.now() + HOUR
  return { ...ctx, session: session && { ...session, steppedUpUntil } }
}

async function erase(testApp: TestApp, ctx: Context): Promise<void> {
  await call(steppedUp(testApp, ctx), 'erasure.erase')
  await testApp.drainOutbox()
}

/** A patient and a provider with a no-show, which can be contested. */
async function makeNoShow(testApp: TestApp) {
  const provider = await makeProvider(testApp)
  const { ctx: patient, account } = await makePatient(testApp)
  const owner = (await signInOwner(testApp, provider)).ctx
  const { id } = await insertVisit(testApp, provider, {
    patientNo: account.no,
    startsAt: '2026-03-02T10:00:00Z',
  })
  testApp.advance(2 * HOUR)
  await call(owner, 'outcomes.mark', { id, mark: 'no_show' })
  return { id, provider, patient, owner }
}

describeEngines('what is sent in another tab', (makeDatabase) => {
  test('is not stored once the patient’s account is erased', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { id, provider, patient } = await makeNoShow(testApp)
    await erase(testApp, patient)
    const calls: [string, object][] = [
      ['outcomes.contest', { id }],
      ['profiles.saveFavourite', { providerId: provider.id }],
      ['reminders.save', {}],
    ]
    for (const [path, more] of calls) {
      expect([path, await errorCodeOf(call(patient, path, more))]).toEqual([path, 'session_ended'])
    }
    const { db } = testApp.database
    for (const table of ['outcome_claims', 'favourites', 'reminder_settings'] as const) {
      expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
    }
  })

  test('is not stored once the provider’s account is erased', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { id, provider, patient, owner } = await makeNoShow(testApp)
    await call(patient, 'outcomes.contest', { id })
    await erase(testApp, owner)
    const late = steppedUp(testApp, owner)
    const calls: [string, object][] = [
      ['outcomes.answer', { id }],
      ['profiles.updateAbout', {}],
      ['profiles.updateOffer', {}],
      ['profiles.saveVisitType', {}],
      ['availability.addBlock', {}],
      ['imports.add', {}],
      ['outsideCalendars.add', {}],
      ['bankAccounts.add', {}],
      ['verification.sendCompany', {}],
      ['verification.sendProof', {}],
      ['verification.answer', {}],
    ]
    for (const [path, more] of calls) {
      expect([path, await errorCodeOf(call(late, path, more))]).toEqual([path, 'session_ended'])
    }
    const create = { width: 60, height: 40, channels: 3, background: '#3366cc' } as const
    const document = await sharp({ create }).jpeg().toBuffer()
    const viewer = { kind: 'provider' as const, id: ProviderId.parse(provider.id) }
    const upload = saveDocument(asProvider({ ...owner, viewer }), document)
    await expect(upload).rejects.toThrow('Your session has ended')
  })
})
