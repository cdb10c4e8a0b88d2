import { ProviderId, SessionId, UserId } from '#contract/ids.ts'
import { isDatabaseOut } from '#db/failures.ts'
import type { Services, Session, Viewer } from '#server/context.ts'
import { mustHaveSecondFactor, TOUCH_EVERY_MS, whyOver } from './rules.ts'
import { findByAccess, touchSession } from './session-store.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findByAccess>>>

function viewerOf(row: Row): Viewer {
  if (row.kind === 'patient') return { kind: 'patient', id: row.user_id }
  if (row.kind === 'provider') {
    return { kind: 'provider', id: ProviderId.parse(row.provider_id) }
  }
  if (row.role === null) throw new Error('A staff account has no role.')
  return { kind: 'staff', id: row.user_id, role: row.role }
}

/** Best effort: a database that is busy or full must not turn a read away because of this. */
async function touch({ database }: Services, id: string, now: number): Promise<void> {
  try {
    await touchSession(database.db, id, now)
  } catch (error) {
    if (!isDatabaseOut(error)) throw error
  }
}

/**
 * Who an access token belongs to at this moment, or null: asked of the database for each request, so
 * that whoever is signed out, suspended or demoted is so with the next one. A quiet request is one
 * that nobody made: it does not count as use.
 */
export async function readSession(
  services: Services,
  token: string,
  isQuiet = false,
): Promise<{ viewer: Viewer; session: Session } | null> {
  const now = services.now()
  const { db } = services.database
  const row = await findByAccess(db, services.secrets.mac('access', token), now)
  if (row === undefined || whyOver(row, row.kind, now) !== null) return null
  const isDue = now - row.last_used_at >= TOUCH_EVERY_MS
  if (isDue && !isQuiet) await touch(services, row.session_id, now)
  return {
    viewer: viewerOf(row),
    session: {
      id: SessionId.parse(row.session_id),
      accountNo: row.account_no,
      userId: UserId.parse(row.user_id),
      kind: row.kind,
      steppedUpUntil: row.stepped_up_until,
      mustSetSecondFactor:
        row.totp_confirmed_at === null && mustHaveSecondFactor(row.kind, services.config.demo),
      mustChangePassword: row.must_change_password === 1,
    },
  }
}
