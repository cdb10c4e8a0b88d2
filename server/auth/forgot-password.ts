import type { Done, ForgotPasswordInput } from '#contract/auth.ts'
import type { Context } from '#server/context.ts'
import { findByEmail } from './account-store.ts'
import { askForMail } from './ask-for-mail.ts'
import { createLink } from './create-link.ts'
import { writeLetter, writeNobody } from './write-letter.ts'

/** Mails a reset link, three an hour at most. The answer is the same whether there is an account. */
export async function forgotPassword(ctx: Context, input: ForgotPasswordInput): Promise<Done> {
  const { email, userType: kind } = input
  const asked = { limit: 'forgot_password', subject: `${kind} ${email}` } as const
  await askForMail(ctx, asked, async (tx) => {
    const account = await findByEmail(tx.db, kind, email)
    if (account === undefined) {
      await writeNobody(ctx, tx)
    } else {
      const link = { purpose: 'reset_password', accountNo: account.no } as const
      const secret = await createLink(ctx, tx, link)
      await writeLetter(ctx, tx, { letter: 'reset', account, secret })
    }
    await tx.audit.add({
      action: 'password.reset_asked',
      ...(account === undefined ? {} : { entity: account.id }),
    })
  })
  return { status: true }
}
