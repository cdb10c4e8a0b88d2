import type { EndReason, LinkRow } from '#db/tables/auth.ts'
import { endAccessTokens, eraseAccessTokens } from '#server/access-tokens/access-tokens.ts'
import { lockAccount } from '#server/auth/accounts/account-store.ts'
import { deleteLinksOf, voidCodes, voidLinks } from '#server/auth/codes/link-store.ts'
import type { Context, Tx } from '#server/context.ts'
import { clearDevices, deleteCalendarLinks, endAllOf } from './session-store.ts'

/** What ends the access that has been given to an account. */
type AccessEvent =
  | 'everywhere'
  | 'password'
  | 'first_password'
  | 'email'
  | 'second_factor'
  | 'role'
  | 'recovered'
  | 'erased'

type Ending = {
  reason: EndReason
  /** Whether the session of this request goes on. */
  keepsOwnSession: boolean
  /** Links in emails that no longer work. Those of a new account prove its address and nothing else. */
  links: readonly LinkRow['purpose'][] | 'deleted'
  /** Access tokens of scripts, and calendar links. */
  automation: 'kept' | 'ended' | 'deleted'
}

const CHANGES = ['change_email', 'reset_password'] as const

/**
 * Which event ends what. One-time codes end with every event; recovery codes with the authenticator app they
 * belong to. Links to visits and to unsubscribe are not listed: they prove the mailbox, not the account, and
 * work for the address they were sent to, until the visit is over.
 */
const endings: Record<AccessEvent, Ending> = {
  everywhere: {
    reason: 'everywhere',
    keepsOwnSession: false,
    links: CHANGES,
    automation: 'ended',
  },
  // Its own session is replaced by a new one. The link of a reset proves the address as well.
  password: {
    reason: 'password',
    keepsOwnSession: false,
    links: [...CHANGES, 'verify_email', 'pending'],
    automation: 'ended',
  },
  first_password: {
    reason: 'password',
    keepsOwnSession: false,
    links: CHANGES,
    automation: 'ended',
  },
  email: { reason: 'email', keepsOwnSession: true, links: CHANGES, automation: 'ended' },
  // Scripts and calendars were allowed by the account's owner: another phone does not stop them.
  second_factor: { reason: 'ended', keepsOwnSession: true, links: CHANGES, automation: 'kept' },
  role: { reason: 'role', keepsOwnSession: false, links: CHANGES, automation: 'ended' },
  recovered: { reason: 'role', keepsOwnSession: false, links: CHANGES, automation: 'ended' },
  erased: {
    reason: 'erased',
    keepsOwnSession: false,
    links: 'deleted',
    automation: 'deleted',
  },
}

/** How many of each have ended, for the audit log. */
export type EndedAccess = { sessions: number; tokens: number; calendars: number }

/**
 * Ends the access that was given to an account before an event, in the transaction of the event. Locks the
 * account first: what is created at the same time is created before, and ends, or not at all.
 */
export async function endAccess(
  ctx: Context,
  tx: Tx,
  { accountNo, event }: { accountNo: number; event: AccessEvent },
): Promise<EndedAccess> {
  const { reason, keepsOwnSession, links, automation } = endings[event]
  const now = ctx.now()
  await lockAccount(tx.db, accountNo)
  const kept = keepsOwnSession && ctx.session?.accountNo === accountNo ? ctx.session.id : null
  const sessions = await endAllOf(tx.db, accountNo, { reason, now, except: kept })
  await voidCodes(tx.db, accountNo, now)
  if (links === 'deleted') await deleteLinksOf(tx.db, accountNo)
  else await voidLinks(tx.db, accountNo, { purposes: [...links], now })
  if (automation === 'kept') return { sessions, tokens: 0, calendars: 0 }
  const calendars = await deleteCalendarLinks(tx.db, accountNo)
  if (automation === 'ended') {
    const tokens = await endAccessTokens(tx, accountNo, { reason, now })
    return { sessions, tokens, calendars }
  }
  await eraseAccessTokens(tx, accountNo)
  await clearDevices(tx.db, accountNo)
  return { sessions, tokens: 0, calendars }
}
