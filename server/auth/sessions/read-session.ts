import type { Me, SessionStatus, SessionView } from '#contract/auth.ts'
import { ProviderId, SessionId, UserId } from '#contract/base/ids.ts'
import { toIso } from '#contract/base/time.ts'
import { DEFAULT_RADIUS, RADII } from '#contract/search.ts'
import type { Db } from '#db/engine.ts'
import { tryWrite } from '#db/failures.ts'
import { type Account, findProviderOf, getAccount } from '#server/auth/accounts/account-store.ts'
import {
  sessionEndReason,
  sessionStatusOf,
  sessionTimes,
  TOUCH_EVERY_MS,
} from '#server/auth/rules.ts'
import {
  type Context,
  type Services,
  type Session,
  type SignedIn,
  type Viewer,
  viewerOf,
} from '#server/context.ts'
import { mustHaveSecondFactor } from '#server/kernel/demo-mode.ts'
import { nextSetupStep } from '#server/kernel/security/setup-steps.ts'
import { findByAccess, findSessionStatus, listLive, touchSession } from './session-store.ts'

/**
 * The session of an access token now, or null. It is read from the database for every request, so that
 * signing out, suspension and a change of role take effect with the next one. A quiet request is not made by
 * a person and does not count as use.
 */
export async function readSession(
  services: Services,
  token: string,
  isQuiet = false,
): Promise<{ viewer: Viewer; session: Session } | null> {
  const now = services.now()
  const { db } = services.database
  const row = await findByAccess(db, services.secrets.mac('access', token), now)
  if (row === undefined || sessionEndReason(row, row.kind, now) !== null) return null
  const isDue = now - row.last_used_at >= TOUCH_EVERY_MS
  if (isDue && !isQuiet) await tryWrite(touchSession(db, row.session_id, now))
  return {
    viewer: viewerOf(row),
    session: {
      id: SessionId.parse(row.session_id),
      accountNo: row.account_no,
      userId: UserId.parse(row.user_id),
      kind: row.kind,
      steppedUpUntil: row.stepped_up_until,
      setupStep: nextSetupStep(services.config, row),
    },
  }
}

/**
 * Status of this browser's session. Open staff pages poll it every second: it reads the refresh token without
 * using it up, so that polling neither needs nor creates tokens.
 */
export async function readSessionStatus(ctx: Context): Promise<SessionStatus> {
  const token = ctx.client.cookies.get('refresh_token')
  const row =
    token === undefined
      ? undefined
      : await findSessionStatus(ctx.database.db, ctx.secrets.mac('refresh', token))
  return row === undefined ? { role: null, over: 'ended' } : sessionStatusOf(row, ctx.now())
}

/** The viewer's live sessions, the latest used first. */
export async function listSessions(ctx: SignedIn): Promise<SessionView[]> {
  const now = ctx.now()
  const usedAfter = now - sessionTimes[ctx.session.kind].idle
  const rows = await listLive(ctx.database.db, ctx.session.accountNo, { now, usedAfter })
  return rows.map((row) => ({
    id: SessionId.parse(row.id),
    device: row.device,
    network: row.network,
    signedInAt: toIso(row.created_at),
    lastUsedAt: toIso(row.last_used_at),
    isThisOne: row.id === ctx.session.id,
  }))
}

function radiusOf(account: Account): Me['default_radius'] {
  return RADII.find((radius) => radius === account.default_radius) ?? DEFAULT_RADIUS
}

/** An account for its owner's pages; `steppedUpUntil` belongs to the requesting session. */
export async function readMe(
  ctx: Context,
  db: Db,
  of: { accountNo: number; steppedUpUntil: number | null },
): Promise<Me> {
  const account = await getAccount(db, of.accountNo)
  const provider =
    account.provider_no === null ? undefined : await findProviderOf(db, account.provider_no)
  const isSteppedUp = of.steppedUpUntil !== null && of.steppedUpUntil > ctx.now()
  return {
    user_id: UserId.parse(account.id),
    kind: account.kind,
    role: account.role,
    first_name: account.first_name,
    last_name: account.last_name,
    email: account.email,
    phone_number: account.phone_number,
    profile_image: provider?.photo ?? account.profile_image,
    default_radius: radiusOf(account),
    has_second_factor: account.totp_confirmed_at !== null,
    must_set_second_factor:
      account.totp_confirmed_at === null && mustHaveSecondFactor(ctx.config, account.kind),
    must_change_password: account.must_change_password === 1,
    must_accept_terms: account.terms_accepted_at === 0,
    stepped_up_until: isSteppedUp ? toIso(of.steppedUpUntil ?? 0) : null,
    provider:
      provider === undefined
        ? null
        : {
            provider_id: ProviderId.parse(provider.id),
            region: provider.region,
            verification_status: provider.verification_status,
          },
  }
}

/** The response of `me`: null for a visitor. */
export async function readOwn(ctx: Context): Promise<Me | null> {
  const { session } = ctx
  return session === null ? null : readMe(ctx, ctx.database.db, session)
}
