import { SessionId, UserId } from '#contract/ids.ts'
import { createCaller } from '#server/app-router.ts'
import { makeContext, type Services, type SignedIn } from '#server/context.ts'
import { type MadeAccount, makeAccount } from '#tests/harness/accounts.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

type AccountRef = Pick<MadeAccount, 'no' | 'id'>

/** The context of a patient who has signed in, with a network of their own. */
export function signedInAs(services: Services, account: AccountRef): SignedIn {
  const session = {
    id: SessionId.parse(`ses_${'0'.repeat(26)}`),
    accountNo: account.no,
    userId: UserId.parse(account.id),
    kind: 'patient' as const,
    steppedUpUntil: null,
    mustSetSecondFactor: false,
    mustChangePassword: false,
  }
  const ctx = makeContext(services, {
    viewer: { kind: 'patient', id: account.id },
    requestId: 'TEST',
    network: `10.${account.no >> 16}.${(account.no >> 8) & 255}.${account.no & 255}`,
    session,
  })
  return { ...ctx, session }
}

/** A patient with an account, a context and a caller. */
export async function makePatient(
  testApp: TestApp,
  overrides: Parameters<typeof makeAccount>[1] = {},
) {
  const account = await makeAccount(testApp, overrides)
  const ctx = signedInAs(testApp.services, account)
  return { account, ctx, caller: createCaller(ctx) }
}
