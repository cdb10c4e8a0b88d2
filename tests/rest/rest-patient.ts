import { expect } from 'vitest'
import { makeAccount } from '#tests/harness/accounts.ts'
import type { PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { codeIn, lastMailTo } from '#tests/harness/sent-emails.ts'
import { type Program, programOf, type RestAnswer } from '#tests/harness/servers/rest.ts'

/** Thursday 5 March 2026, nine in the morning in London: the one time that is offered. */
export const SLOT = { bookedDate: '05/03/2026', timeSlot: '09:00' }

export type RestPatient = {
  fixture: PaymentFixture
  program: Program
  email: string
  providerId: string
}

/** Adds a patient to a payment fixture, signed in over the documented paths. */
export async function addRestPatient(fixture: PaymentFixture): Promise<RestPatient> {
  const account = await makeAccount(fixture.testApp)
  const { id } = await fixture.testApp.database.db
    .selectFrom('providers')
    .select('id')
    .executeTakeFirstOrThrow()
  const program = await programOf(fixture.testApp, account)
  return { fixture, program, email: account.email, providerId: id }
}

/** Begins to pay; `more` overrides fields of the usual body. */
export function checkout(
  { program, providerId }: RestPatient,
  more: object = {},
  gateway = 'stripe-checkout',
): Promise<RestAnswer> {
  return program.send(`POST /user/${gateway}/${program.userId}/`, {
    body: {
      providerId,
      providerRegion: 'uk',
      ...SLOT,
      type_of_visit: 'first_visit',
      purpose_for_visit: 'A cough that will not go away',
      doctorDistance: '0.7',
      ...more,
    },
  })
}

/** Requests a code by email, and reads it. */
export async function sendCode({ fixture, program, email }: RestPatient): Promise<string> {
  const sent = await program.send(`POST /user/user-otp-verification/${program.userId}/`)
  expect([sent.status, sent.body['status']]).toEqual([200, true])
  // The page masks this value again, which must not change it.
  expect(sent.body['email']).toBe(email.slice(0, 2) + 'x'.repeat(email.length - 2))
  return codeIn(await lastMailTo(fixture.testApp, email))
}

export function checkCode({ program }: RestPatient, otp: string): Promise<RestAnswer> {
  return program.send(
    `GET /user/user-otp-verification/${program.userId}/?otp=${encodeURIComponent(otp)}`,
  )
}

/** Requests a code by email, and confirms it. */
export async function verifyCode(patient: RestPatient): Promise<void> {
  const answer = await checkCode(patient, await sendCode(patient))
  expect([answer.status, answer.body]).toEqual([200, { status: true }])
}
