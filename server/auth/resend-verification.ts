import type { Done, ResendVerificationInput } from '#contract/auth.ts'
import type { Context, Tx } from '#server/context.ts'
import { type Account, findByEmail } from './account-store.ts'
import { askForMail } from './ask-for-mail.ts'
import { createLink } from './create-link.ts'
import { issueCode } from './issue-code.ts'
import { writeLetter, writeNobody } from './write-letter.ts'

/** Owes the mail that confirms an address: a link, and for providers a code beside it. */
export async function sendVerification(ctx: Context, tx: Tx, account: Account): Promise<void> {
  const token = await createLink(ctx, tx, { purpose: 'verify_email', accountNo: account.no })
  if (account.kind !== 'provider') {
    await writeLetter(ctx, tx, { letter: 'verify', account, secret: token })
    return
  }
  const { code } = await issueCode(ctx, tx, { account, purpose: 'email', object: '' })
  await writeLetter(ctx, tx, { letter: 'verify_provider', account, secret: `${token} ${code}` })
}

/** Sends the mail once more, if there is somebody to send it to; the answer does not say. */
export async function resendVerification(
  ctx: Context,
  input: ResendVerificationInput,
): Promise<Done> {
  const { email, user_type: kind } = input
  const asked = { limit: 'verification', subject: `${kind} ${email}` } as const
  await askForMail(ctx, asked, async (tx) => {
    const account = await findByEmail(tx.db, kind, email)
    const waiting = account?.email_verified_at === null ? account : undefined
    if (waiting === undefined) await writeNobody(ctx, tx)
    else await sendVerification(ctx, tx, waiting)
    await tx.audit.add({
      action: 'account.verification_asked',
      ...(waiting === undefined ? {} : { entity: waiting.id }),
    })
  })
  return { status: true }
}
