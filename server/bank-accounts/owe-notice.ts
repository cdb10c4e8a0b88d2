import { maskedNumber } from '#contract/bank-accounts.ts'
import type { SignedIn } from '#server/context.ts'
import type { Changing } from './change-bank-accounts.ts'
import { openNumbers } from './seal-numbers.ts'
import type { Row } from './store.ts'
import type { NoticeKind } from './templates.ts'

/**
 * Owes the owner a mail about a change, in its transaction. The account goes along as it is shown, for
 * it may be gone by then; encrypted, because the outbox is a table like any other.
 */
export async function oweNotice(
  ctx: SignedIn,
  { tx, owner }: Changing,
  about: { what: NoticeKind; row: Row },
): Promise<void> {
  const { number } = openNumbers(ctx, about.row, owner.id)
  await tx.outbox.add('bank.changed', {
    what: about.what,
    userId: owner.user_id,
    account: ctx.secrets.seal('mail', `${about.row.name}, ${maskedNumber(number)}`),
  })
}
