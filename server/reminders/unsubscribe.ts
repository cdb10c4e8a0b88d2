import type { Done } from '#contract/auth.ts'
import { UNSUBSCRIBE_PATH, type UnsubscribeInput } from '#contract/reminders.ts'
import type { Context, Services } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isSameSecret } from '#server/kernel/security/secrets.ts'
import { findOwner, turnOffReminders } from './store.ts'

type Owner = { id: string; email: string }

/**
 * Names an account and proves that its owner received it by email. It is not stored, and becomes invalid when
 * the address changes.
 */
export function unsubscribeToken({ secrets }: Pick<Services, 'secrets'>, owner: Owner): string {
  return `${owner.id}.${secrets.mac('unsubscribe', `${owner.id} ${owner.email}`)}`
}

/** The URL that turns reminders off: the page asks first; a POST does so at once (RFC 8058). */
export function unsubscribeUrl(
  services: Pick<Services, 'secrets' | 'config'>,
  owner: Owner,
): string {
  return `${services.config.publicUrl}${UNSUBSCRIBE_PATH}/${unsubscribeToken(services, owner)}`
}

/**
 * Turns every reminder off for the bearer of the link; a repeat changes nothing. Throws
 * `unsubscribe_link_invalid` when the token is forged, or the owner's address has changed or the account is
 * gone.
 */
export async function unsubscribe(ctx: Context, { token }: UnsubscribeInput): Promise<Done> {
  const [userId = ''] = token.split('.')
  await ctx.transaction(async (tx) => {
    const owner = await findOwner(tx.db, userId)
    if (owner === undefined || !isSameSecret(token, unsubscribeToken(ctx, owner))) {
      throw new AppError('unsubscribe_link_invalid')
    }
    await turnOffReminders(tx.db, owner.no, ctx.now())
    const actor = { kind: 'patient' as const, id: owner.id }
    await tx.audit.add({ action: 'reminders.unsubscribed', entity: owner.id, actor })
  })
  return { status: true }
}
