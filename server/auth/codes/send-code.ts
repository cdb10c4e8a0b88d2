import type { CheckCodeInput, SendCodeInput, SendCodeResponse } from '#contract/auth.ts'
import { toIso } from '#contract/time.ts'
import { getAccount } from '#server/auth/accounts/account-store.ts'
import { enqueueEmail } from '#server/auth/emails.ts'
import type { SignedIn } from '#server/context.ts'
import { maskedEmail } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import { checkCode } from './check-code.ts'
import { issueCode } from './issue-code.ts'

function assertMaySendCode(ctx: SignedIn, purpose: string): void {
  if (purpose === 'booking' && ctx.session.kind !== 'patient') throw new AppError('forbidden')
}

/** Emails the viewer a code for a purpose and an object. */
export async function sendCode(ctx: SignedIn, input: SendCodeInput): Promise<SendCodeResponse> {
  assertMaySendCode(ctx, input.purpose)
  return ctx.transaction(async (tx) => {
    const account = await getAccount(tx.db, ctx.session.accountNo)
    const { code, resendAt } = await issueCode(ctx, tx, { account, ...input })
    const kind = input.purpose === 'booking' ? 'booking_code' : 'erase_code'
    await enqueueEmail(ctx, tx, { kind, account, secret: code })
    await tx.audit.add({ action: 'code.sent', details: { purpose: input.purpose } })
    return { email: maskedEmail(account.email), resendAt: toIso(resendAt) }
  })
}

/** Whether the viewer's code is right. */
export async function checkOwnCode(
  ctx: SignedIn,
  input: CheckCodeInput,
): Promise<{ status: boolean }> {
  assertMaySendCode(ctx, input.purpose)
  const account = { no: ctx.session.accountNo, id: ctx.session.userId }
  const { purpose, object, otp: code } = input
  return { status: await checkCode(ctx, { account, purpose, object, code }) }
}
