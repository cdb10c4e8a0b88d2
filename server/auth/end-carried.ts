import type { EndReason } from '#db/tables/auth.ts'
import type { Context, Tx } from '#server/context.ts'
import { endSessionOf, findByRefresh } from './session-store.ts'

type Carried = {
  id: string
  accountNo: number
  kind: 'patient' | 'provider' | 'staff'
  userId: string
}

/** What the tokens of a request lead to: an access token that has run out still has its refresh token. */
async function carriedBy(ctx: Context, tx: Tx): Promise<Carried[]> {
  const { session, client, secrets } = ctx
  const found: Carried[] = session === null ? [] : [session]
  const refresh = client.cookies.get('refresh_token') ?? client.bearer
  const row =
    refresh === null ? undefined : await findByRefresh(tx.db, secrets.mac('refresh', refresh))
  if (row !== undefined && row.session_id !== session?.id) {
    const { session_id: id, account_no: accountNo, kind, user_id: userId } = row
    found.push({ id, accountNo, kind, userId })
  }
  return found
}

/** Ends the sessions whose tokens came with this request, within a transaction. */
export async function endCarried(
  ctx: Context,
  tx: Tx,
  reason: Extract<EndReason, 'signed_out' | 'replaced'>,
): Promise<void> {
  for (const { id, accountNo, kind, userId } of await carriedBy(ctx, tx)) {
    if (await endSessionOf(tx.db, { accountNo, id }, { reason, now: ctx.now() })) {
      await tx.audit.add({
        action: `session.${reason}`,
        entity: id,
        actor: { kind, id: userId },
      })
    }
  }
}
