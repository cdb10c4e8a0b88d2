import {
  type CreateAccessTokenInput,
  type CreateAccessTokenResponse,
  MAX_ACCESS_TOKENS,
  scopeFacts,
  type TokenScope,
} from '#contract/access-tokens.ts'
import type { Services, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import { parseScopes, showAccessToken } from './manage-access-tokens.ts'
import { assertScopesFor, expiryOf, TOKEN_PREFIX } from './rules.ts'
import { findWithOwner, insertRow, listOf, lockOwner } from './store.ts'

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
  job: { tokenId: string; deliveryId: string },
): Promise<void> {
  const { config, database } = services
  const found = await findWithOwner(database.db, job.tokenId)
  if (found === undefined) return
  await sendEmail(services, {
    deliveryId: job.deliveryId,
    to: found.email,
    userId: found.user_id,
    secrets: [],
    content: createdEmail({
      firstName: found.first_name,
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
          ['May', scopes.map((scope) => scopeFacts[scope].words).join('; ')],
          ['Until', until],
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
