import type { SignOutAnswer } from '#contract/auth.ts'
import type { EraseInput } from '#contract/erasure.ts'
import { useVerifiedCode } from '#server/auth/codes/check-code.ts'
import { assertSteppedUp } from '#server/auth/rules.ts'
import { signOut } from '#server/auth/sessions/end-session.ts'
import { forgetDesk, lockOwnDesk } from '#server/booking/desk/forget-desk.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { closeHeldOf } from '#server/payments/paying/close-payment.ts'
import { cancelComing } from '#server/payments/refunds/cancel-coming.ts'
import { erasePerson } from '#server/profiles/erase-person.ts'

/** Either will do: a mailed code, which is used up, or a proof of the last five minutes. */
async function assertProved(ctx: SignedIn, tx: Tx): Promise<void> {
  const { accountNo } = ctx.session
  const code = { accountNo, purpose: 'erase', object: '', now: ctx.now() }
  if (!(await useVerifiedCode(tx, code))) assertSteppedUp(ctx.session, ctx.now())
}

/**
 * Erases the viewer's account. A provider's coming visits are cancelled and owed back first, while
 * their patients can still be told whose visit it was, and so are those put in at the desk; `visits_changed` when other ones are ahead than
 * the viewer saw. What is held and could still be paid for is closed at once where the gateway answers;
 * where it does not, the payment cannot book anything any more and goes back.
 */
export async function erase(ctx: SignedIn, input: EraseInput): Promise<SignOutAnswer> {
  await ctx.transaction(async (tx) => {
    await assertProved(ctx, tx)
    await lockOwnDesk(ctx, tx)
    await cancelComing(ctx, tx, input.seen)
    await forgetDesk(ctx, tx)
    await erasePerson(ctx, tx)
  })
  await closeHeldOf(ctx, ctx.session.accountNo)
  return signOut(ctx)
}
