import type { StepUpAnswer, StepUpInput } from '#contract/auth.ts'
import { toIso } from '#contract/time.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type Account, getAccount } from './account-store.ts'
import { checkSecondFactor } from './check-second-factor.ts'
import { proveOwner, settleOwner } from './prove-password.ts'
import { stepUpUntil } from './rules.ts'
import { setSteppedUp } from './session-store.ts'

async function markProved(ctx: SignedIn, tx: Tx): Promise<number> {
  const until = stepUpUntil(ctx.now())
  await setSteppedUp(tx.db, ctx.session.id, until)
  await tx.audit.add({ action: 'session.stepped_up', entity: ctx.session.id })
  return until
}

async function byPassword(ctx: SignedIn, password: string | undefined): Promise<number> {
  const account = await proveOwner(ctx, password ?? '')
  return ctx.transaction(async (tx) => {
    await settleOwner(ctx, tx, account)
    return markProved(ctx, tx)
  })
}

async function bySecondFactor(ctx: SignedIn, account: Account, given: string | undefined) {
  const outcome = await ctx.transaction(
    async (tx) =>
      (await checkSecondFactor(ctx, tx, { account, given })) ?? (await markProved(ctx, tx)),
  )
  if (typeof outcome === 'string') throw new AppError(outcome)
  return outcome
}

/** Proves once more who it is: by the authenticator app where there is one, else by password. */
export async function stepUp(ctx: SignedIn, input: StepUpInput): Promise<StepUpAnswer> {
  const account = await getAccount(ctx.database.db, ctx.session.accountNo)
  const until =
    account.totp_confirmed_at === null
      ? await byPassword(ctx, input.password)
      : await bySecondFactor(ctx, account, input.second_factor)
  return { stepped_up_until: toIso(until) }
}
