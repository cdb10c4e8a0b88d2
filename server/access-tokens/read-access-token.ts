import { ProviderId, UserId } from '#contract/ids.ts'
import { isDatabaseDown } from '#db/failures.ts'
import type { Services, Session, Viewer } from '#server/context.ts'
import type { TokenUse } from '#server/kernel/security/token-scopes.ts'
import { parseScopes } from './manage-access-tokens.ts'
import { faultOf, TOUCH_EVERY_MS } from './rules.ts'
import { findByHash, touchRow } from './store.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findByHash>>>

type TokenContext = { viewer: Viewer; session: Session | null; token: TokenUse }

type TokenRequest = {
  secret: string
  network: string
  /** Whether a second factor is mandatory for this kind of account. */
  needsSecondFactor: (kind: Session['kind']) => boolean
}

function viewerOf(row: Row): Viewer {
  if (row.kind === 'patient') return { kind: 'patient', id: row.user_id }
  if (row.kind === 'provider') return { kind: 'provider', id: ProviderId.parse(row.provider_id) }
  if (row.owner_role === null) throw new Error('A staff account has no role.')
  return { kind: 'staff', id: row.user_id, role: row.owner_role }
}

function sessionOf(row: Row, mustSetSecondFactor: boolean): Session {
  return {
    id: row.id,
    accountNo: row.account_no,
    userId: UserId.parse(row.user_id),
    kind: row.kind,
    // A token proves nothing about who is at the keyboard.
    steppedUpUntil: null,
    mustSetSecondFactor,
    // A token cannot be created before that.
    mustChangePassword: false,
  }
}

/** Best effort: a busy or full database must not make the call fail. */
async function touch(services: Services, row: Row, network: string): Promise<void> {
  const now = services.now()
  const isRecent = now - (row.last_used_at ?? 0) < TOUCH_EVERY_MS
  if (isRecent && row.last_network === network) return
  try {
    await touchRow(services.database.db, row.id, { now, network })
  } catch (error) {
    if (!isDatabaseDown(error)) throw error
  }
}

/**
 * Resolves an access token, with a database query per request. An invalid token gives a visitor, and every
 * call with it is refused.
 */
export async function readAccessToken(
  services: Services,
  { secret, network, needsSecondFactor }: TokenRequest,
): Promise<TokenContext> {
  const { database, now, secrets } = services
  const row = await findByHash(database.db, secrets.mac('personal', secret))
  const visitor: Viewer = { kind: 'visitor' }
  if (row === undefined) {
    const token: TokenUse = { id: null, fault: 'unknown', owner: null }
    return { viewer: visitor, session: null, token }
  }
  const fault = faultOf(row, now())
  if (fault !== null) {
    const owner = { kind: row.kind, id: row.user_id }
    return { viewer: visitor, session: null, token: { id: row.id, fault, owner } }
  }
  await touch(services, row, network)
  const mustSetSecondFactor = row.totp_confirmed_at === null && needsSecondFactor(row.kind)
  return {
    viewer: viewerOf(row),
    session: sessionOf(row, mustSetSecondFactor),
    token: { id: row.id, scopes: parseScopes(row.scopes), fault: null },
  }
}
