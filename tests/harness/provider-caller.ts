import { ProviderId, SessionId, UserId } from '#contract/ids.ts'
import { createCaller } from '#server/app-router.ts'
import { makeContext } from '#server/context.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

type ProviderRef = { no: number; id: string }

/** A signed-in provider's caller, with a new account. */
export async function signInProviderCaller(testApp: TestApp, provider: ProviderRef) {
  const account = await makeAccount(testApp, {
    kind: 'provider',
    email: `${provider.id.slice(-6)}@desk.example`,
    date_of_birth: null,
    provider_no: provider.no,
  })
  const session = {
    id: SessionId.parse(`ses_${'0'.repeat(26)}`),
    accountNo: account.no,
    userId: UserId.parse(account.id),
    kind: 'provider' as const,
    steppedUpUntil: null,
    mustSetSecondFactor: false,
    mustChangePassword: false,
  }
  const ctx = makeContext(testApp.services, {
    viewer: { kind: 'provider', id: ProviderId.parse(provider.id) },
    requestId: 'TEST',
    network: `10.9.${(account.no >> 8) & 255}.${account.no & 255}`,
    session,
  })
  return createCaller({ ...ctx, session })
}
