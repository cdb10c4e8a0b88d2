import type { Context, Tx } from '#server/context.ts'
import type { LetterKind } from './templates.ts'

type Owed = {
  letter: LetterKind
  account: { id: string }
  /** Goes into the mail and nowhere else: a token or a code. */
  secret?: string
  /** Where to, when that is not the account's own address. */
  to?: string
}

/**
 * Owes somebody a mail, in the transaction of what it is about. The secret and a foreign address wait
 * encrypted: the outbox is a table like any other, and tables are copied into backups.
 */
export async function writeLetter(ctx: Context, tx: Tx, owed: Owed): Promise<void> {
  await tx.outbox.add('account.letter', {
    letter: owed.letter,
    userId: owed.account.id,
    secret: owed.secret === undefined ? '' : ctx.secrets.seal('mail', owed.secret),
    to: owed.to === undefined ? '' : ctx.secrets.seal('mail', owed.to),
  })
}

/** The letter that is never sent. */
export const NOBODY = 'nobody'

/** As much work as a letter with a token in it, for an address that has no account. */
export async function writeNobody(ctx: Context, tx: Tx): Promise<void> {
  const secret = ctx.secrets.seal('mail', ctx.secrets.token())
  await tx.outbox.add('account.letter', { letter: NOBODY, userId: '', secret, to: '' })
}
