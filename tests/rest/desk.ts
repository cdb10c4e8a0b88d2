import { expect } from 'vitest'
import { makeAccount } from '#tests/harness/accounts.ts'
import { codeIn, lastMailTo } from '#tests/harness/letters.ts'
import type { Till } from '#tests/harness/paying.ts'
import { type Program, programOf, type RestAnswer } from '#tests/harness/servers/rest.ts'

/** Thursday 5 March 2026, nine in the morning in London: the one time that is offered. */
export const SLOT = { bookedDate: '05/03/2026', timeSlot: '09:00' }

export type Desk = { till: Till; program: Program; email: string; providerId: string }

/** A patient of the documented paths at a till. */
export async function comeTo(till: Till): Promise<Desk> {
  const account = await makeAccount(till.world)
  const { id } = await till.world.database.db
    .selectFrom('providers')
    .select('id')
    .executeTakeFirstOrThrow()
  const program = await programOf(till.world, account)
  return { till, program, email: account.email, providerId: id }
}

/** Begins to pay; `more` takes the place of fields of the usual body. */
export function checkout(
  { program, providerId }: Desk,
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

/** Has a code mailed, and reads it. */
export async function sendCode({ till, program, email }: Desk): Promise<string> {
  const sent = await program.send(`POST /user/user-otp-verification/${program.userId}/`)
  expect([sent.status, sent.body['status']]).toEqual([200, true])
  // What the page masks again stays as it is.
  expect(sent.body['email']).toBe(email.slice(0, 2) + 'x'.repeat(email.length - 2))
  return codeIn(await lastMailTo(till.world, email))
}

/** Checks a code. */
export function checkCode({ program }: Desk, otp: string): Promise<RestAnswer> {
  return program.send(
    `GET /user/user-otp-verification/${program.userId}/?otp=${encodeURIComponent(otp)}`,
  )
}

/** Has a code mailed, and confirms it. */
export async function verifyCode(desk: Desk): Promise<void> {
  const answer = await checkCode(desk, await sendCode(desk))
  expect([answer.status, answer.body]).toEqual([200, { status: true }])
}
