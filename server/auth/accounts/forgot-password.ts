import { type ForgotPasswordInput, USER_TYPES, type UserType } from '#contract/auth.ts'
import type { Done } from '#contract/base/done.ts'
import { createLink } from '#server/auth/codes/create-link.ts'
import { hasWorkingLink } from '#server/auth/codes/link-store.ts'
import { enqueueDummyEmail, enqueueEmail, requestEmail } from '#server/auth/emails.ts'
import type { Context, Tx } from '#server/context.ts'
import { findByEmail } from './account-store.ts'

type Named = { kind: UserType; email: string }

async function emailResetLink(ctx: Context, tx: Tx, { kind, email }: Named): Promise<void> {
  const account = await findByEmail(tx.db, kind, email)
  if (account === undefined) {
    await enqueueDummyEmail(ctx, tx, { kind: 'reset', to: email })
  } else {
    const link = { purpose: 'reset_password', accountNo: account.no } as const
    const secret = await createLink(ctx, tx, link)
    await enqueueEmail(ctx, tx, { kind: 'reset', account, secret })
  }
  await tx.audit.add({
    action: 'password.reset_asked',
    ...(account === undefined ? {} : { entity: account.id }),
  })
}

/**
 * Emails a reset link for the account of one kind, or for each of the address's accounts, at most three times an
 * hour. The response and the work are the same whether or not there is an account.
 */
export async function forgotPassword(ctx: Context, input: ForgotPasswordInput): Promise<Done> {
  const { email, userType } = input
  const kinds = userType === undefined ? USER_TYPES : [userType]
  const emailRequest = {
    limit: 'forgot_password',
    subject: email,
    // Whoever asks for somebody else's emails must not keep them out: a working link is always in the mailbox.
    isOwed: async (tx: Tx) => {
      for (const kind of kinds) {
        // In one transaction.
        const account = await findByEmail(tx.db, kind, email)
        if (account === undefined) continue
        if (!(await hasWorkingLink(tx.db, account.no, ctx.now()))) return true
      }
      return false
    },
  } as const
  await requestEmail(ctx, emailRequest, async (tx) => {
    for (const kind of kinds) await emailResetLink(ctx, tx, { kind, email })
  })
  return { status: true }
}
