import {
  type AccessToken,
  type CreateAccessTokenInput,
  type CreateAccessTokenResponse,
  MAX_ACCESS_TOKENS,
  scopeFacts,
  scopesFor,
  TokenScope,
} from '#contract/access-tokens.ts'
import type { Done } from '#contract/base/done.ts'
import { AccessTokenId, UserId } from '#contract/base/ids.ts'
import { toIso } from '#contract/base/time.ts'
import { tryWrite } from '#db/failures.ts'
import type { AccessTokenRow, TokenEnd } from '#db/tables/auth.ts'
import {
  type Services,
  type Session,
  type SignedIn,
  type Tx,
  type Viewer,
  viewerOf,
} from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { OutboxJob } from '#server/kernel/outbox-topics.ts'
import { nextSetupStep } from '#server/kernel/security/setup-steps.ts'
import type { TokenFault, TokenUse } from '#server/kernel/security/token-scopes.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import {
  deleteAllOf,
  deleteOld,
  endAll,
  endOne,
  findByHash,
  findWithOwner,
  insertRow,
  listAllOf,
  listOf,
  lockOwner,
  touchRow,
} from './store.ts'

const DAY = 24 * 3_600_000

/** Prefix of every token, so that secret scanners recognise a leaked one. */
const TOKEN_PREFIX = 'apo_'

/** Uses are recorded at most this often, unless the network changes. */
const TOUCH_EVERY_MS = 60_000

/** How long expired tokens stay listed, and ended ones stored. */
const RETENTION_MS = 30 * DAY

/** When a token created now for `days` days expires. */
function expiryOf(now: number, days: number): number {
  return now + days * DAY
}

type TokenLifetime = {
  ended_at: number | null
  expires_at: number
  role: string | null
  owner_role: string | null
  suspended_at: number | null
  erased_at: number | null
}

/** Why a token is invalid at an instant; null while it is valid. */
function faultOf(row: TokenLifetime, now: number): TokenFault | null {
  if (row.ended_at !== null) return 'revoked'
  if (now >= row.expires_at) return 'expired'
  if (row.suspended_at !== null || row.erased_at !== null) return 'account'
  return row.role === row.owner_role ? null : 'role'
}

/** Refuses scopes that do not exist for this kind of account. */
function assertScopesFor(kind: Session['kind'], scopes: readonly TokenScope[]): void {
  const mine = scopesFor(kind)
  if (scopes.every((scope) => mine.includes(scope))) return
  const issues = [{ path: 'scopes', message: 'Your account can’t give access to that.' }]
  throw new AppError('invalid_input', {}, { issues })
}

async function insertToken(
  ctx: SignedIn,
  tx: Tx,
  made: { input: CreateAccessTokenInput; secret: string },
) {
  const { input, secret } = made
  const now = ctx.now()
  const { id: sessionId, accountNo, userId } = ctx.session
  await tx.attempts.take('access_token', userId)
  const owner = await lockOwner(tx.db, { accountNo, sessionId })
  if (owner === undefined) throw new AppError('session_ended')
  if ((await listOf(tx.db, accountNo, now)).length >= MAX_ACCESS_TOKENS) {
    throw new AppError('access_tokens_full')
  }
  const id = ctx.newId('pat')
  const scopes = input.scopes.toSorted().join(' ')
  const row = await insertRow(tx.db, {
    id,
    account_no: accountNo,
    hash: ctx.secrets.mac('personal', secret),
    last4: secret.slice(-4),
    name: input.name,
    scopes,
    role: owner.role,
    created_at: now,
    expires_at: expiryOf(now, input.days),
    last_used_at: null,
    last_network: null,
    ended_at: null,
    end_reason: null,
  })
  await tx.outbox.add('token.created', { tokenId: id })
  await tx.audit.add({
    action: 'access_token.created',
    entity: id,
    details: { scopes, days: input.days },
  })
  return row
}

/** Creates an access token. The secret is returned only once; only its hash is stored. */
export async function createAccessToken(
  ctx: SignedIn,
  input: CreateAccessTokenInput,
): Promise<CreateAccessTokenResponse> {
  assertScopesFor(ctx.session.kind, input.scopes)
  const secret = `${TOKEN_PREFIX}${ctx.secrets.token()}`
  const row = await ctx.transaction((tx) => insertToken(ctx, tx, { input, secret }))
  return { secret, token: showAccessToken(row, ctx.now()) }
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Emails the owner about a new token, unless the account was erased. */
export async function deliverCreated(
  services: Services,
  job: OutboxJob<'token.created'>,
): Promise<void> {
  const { config, database } = services
  const found = await findWithOwner(database.db, job.tokenId)
  if (found === undefined) return
  await sendEmail(services, {
    topic: 'token.created',
    deliveryId: job.deliveryId,
    to: found.email,
    userId: found.user_id,
    secrets: [],
    content: createdEmail({
      // Staff are added by address alone, without a name.
      firstName: found.first_name === '' ? 'colleague' : found.first_name,
      name: found.name,
      scopes: parseScopes(found.scopes),
      until: day.format(found.expires_at),
      site: config.publicUrl,
      supportEmail: config.supportEmail,
    }),
  })
}

type CreatedFacts = {
  firstName: string
  name: string
  scopes: readonly TokenScope[]
  /** Its last day, formatted for people. */
  until: string
  site: string
  supportEmail: string
}

/** The email about a new token and its scopes. */
function createdEmail(facts: CreatedFacts): EmailContent {
  const { firstName, name, scopes, until, site, supportEmail } = facts
  return {
    heading: 'An access token was created',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nAn access token was created for your account. Programs that have it can do this without your password:`,
      },
      {
        kind: 'facts',
        rows: [
          ['Token', name],
          ['Allows', scopes.map((scope) => scopeFacts[scope].words).join('; ')],
          ['Expires', until],
        ],
      },
      { kind: 'link', label: 'See your access tokens', url: `${site}/userProfile#tokens` },
      {
        kind: 'small',
        text: `If this wasn’t you, revoke it there, change your password and write to ${supportEmail}.`,
      },
    ],
  }
}

/** The viewer's tokens, newest first; expired ones stay listed for a month. */
export async function listAccessTokens(ctx: SignedIn): Promise<AccessToken[]> {
  const now = ctx.now()
  const rows = await listOf(ctx.database.db, ctx.session.accountNo, now - RETENTION_MS)
  return rows.map((row) => showAccessToken(row, now))
}

/** Parses the stored scopes; unknown scopes are dropped. */
function parseScopes(stored: string): TokenScope[] {
  return stored.split(' ').flatMap((text) => {
    const scope = TokenScope.safeParse(text)
    return scope.success ? [scope.data] : []
  })
}

/** A token as its owner may see it. */
function showAccessToken(row: AccessTokenRow, now: number): AccessToken {
  return {
    id: AccessTokenId.parse(row.id),
    name: row.name,
    last4: row.last4,
    scopes: parseScopes(row.scopes),
    createdAt: toIso(row.created_at),
    expiresAt: toIso(row.expires_at),
    isExpired: row.expires_at <= now,
    lastUsedAt: row.last_used_at === null ? null : toIso(row.last_used_at),
    lastNetwork: row.last_network,
  }
}

/**
 * Revokes one of the viewer's tokens at once. Another account's token is `not_found`, like an unknown one.
 */
export async function revokeAccessToken(ctx: SignedIn, input: { id: string }): Promise<Done> {
  const which = { accountNo: ctx.session.accountNo, id: input.id }
  await ctx.transaction(async (tx) => {
    if (!(await endOne(tx.db, which, { reason: 'revoked', now: ctx.now() }))) {
      throw new AppError('not_found')
    }
    await tx.audit.add({ action: 'access_token.revoked', entity: input.id })
  })
  return { status: true }
}

/** Ends every token of an account, in the transaction that ends its other access; returns how many. */
export function endAccessTokens(
  tx: Tx,
  accountNo: number,
  ending: { reason: TokenEnd; now: number },
): Promise<number> {
  return endAll(tx.db, accountNo, ending)
}

/** Deletes every token of an account, in the transaction that erases it. */
export async function eraseAccessTokens(tx: Tx, accountNo: number): Promise<void> {
  await deleteAllOf(tx.db, accountNo)
}

/** Deletes tokens a month after they expired or ended. */
export async function purgeAccessTokens({ database, now }: Services): Promise<void> {
  await deleteOld(database.db, now() - RETENTION_MS)
}

/** The viewer's tokens for the data export, without their hashes. */
export function exportAccessTokens(ctx: SignedIn, tx: Tx): Promise<Record<string, unknown>[]> {
  return listAllOf(tx.db, ctx.session.accountNo)
}

type Row = NonNullable<Awaited<ReturnType<typeof findByHash>>>

type TokenContext = { viewer: Viewer; session: Session | null; token: TokenUse }

type TokenRequest = {
  secret: string
  network: string
}

function sessionOf({ config }: Services, row: Row): Session {
  return {
    id: row.id,
    accountNo: row.account_no,
    userId: UserId.parse(row.user_id),
    kind: row.kind,
    // A token never counts as step-up authentication.
    steppedUpUntil: null,
    setupStep: nextSetupStep(config, row),
  }
}

/** Records the use of a token. */
async function touch(services: Services, row: Row, network: string): Promise<void> {
  const now = services.now()
  const isRecent = now - (row.last_used_at ?? 0) < TOUCH_EVERY_MS
  if (isRecent && row.last_network === network) return
  await tryWrite(touchRow(services.database.db, row.id, { now, network }))
}

/**
 * Resolves an access token, with a database query per request. An invalid token is treated as a visitor, and
 * every call with it is refused.
 */
export async function readAccessToken(
  services: Services,
  { secret, network }: TokenRequest,
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
  return {
    viewer: viewerOf({ ...row, role: row.owner_role }),
    session: sessionOf(services, row),
    token: { id: row.id, scopes: parseScopes(row.scopes), fault: null },
  }
}
