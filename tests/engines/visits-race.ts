import { UserId } from '#contract/ids.ts'
import { isBusy } from '#db/failures.ts'
import type { AsStaff } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { refund } from '#server/payments/refunds/refund.ts'
import { cancelVisit } from '#server/visits/cancel-visit.ts'
import { moveVisit } from '#server/visits/move-visit.ts'
import { signedInAs } from '#tests/harness/patients.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import type { AccountRef } from './booking-race.ts'

/** An act on a visit of £60.00 that is still unchanged. */
export type VisitAction = { by: AccountRef; id: string } & (
  | { how: 'move'; startsAt: string }
  | { how: 'cancel' }
  | { how: 'refund'; paymentId: string; key: string }
)

function asAdmin(testApp: TestApp, { no, id }: AccountRef): AsStaff {
  const session = {
    id: 'ses_',
    accountNo: no,
    userId: UserId.parse(id),
    kind: 'staff' as const,
    steppedUpUntil: testApp.services.now() + 1_000,
    mustSetSecondFactor: false,
    mustChangePassword: false,
  }
  const viewer = { kind: 'staff' as const, id, role: 'admin' as const }
  return { ...testApp.context(viewer), viewer, session }
}

function perform(testApp: TestApp, act: VisitAction): Promise<unknown> {
  const { by, id, how } = act
  if (how === 'refund') {
    const { paymentId, key } = act
    const reason = 'The practice was closed that day.'
    const input = { paymentId, minor: 6_000, reason, key, releaseTime: true }
    return refund(asAdmin(testApp, by), input)
  }
  const ctx = signedInAs(testApp.services, by)
  if (how === 'move') {
    return moveVisit(ctx, { id, sequence: 0, slot: { startsAt: act.startsAt } })
  }
  return cancelVisit(ctx, { id, sequence: 0, refund: { minor: 6_000, currency: 'GBP' } })
}

async function attempt(testApp: TestApp, act: VisitAction): Promise<string> {
  try {
    await perform(testApp, act)
    return 'done'
  } catch (error) {
    if (error instanceof AppError) return error.code
    if (isBusy(error)) return 'busy'
    throw error
  }
}

/** Runs all acts at once; returns `done` or the code of the refusal for each. */
export function performAll(testApp: TestApp, acts: readonly VisitAction[]): Promise<string[]> {
  return Promise.all(acts.map((act) => attempt(testApp, act)))
}
