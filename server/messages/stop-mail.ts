import type { Done } from '#contract/base/done.ts'
import { STOP_MAIL_PATH, type StopMailInput } from '#contract/messages.ts'
import type { Context, Services } from '#server/context.ts'
import { stoppedKey } from '#server/kernel/email-admission.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isSameSecret } from '#server/kernel/security/secrets.ts'

type Encrypting = Pick<Services, 'secrets'>

/** Names a mailbox by its keyed hash, and proves that the link was emailed to it. Nothing of it is stored. */
export function stopToken({ secrets }: Encrypting, address: string): string {
  const mailbox = stoppedKey(secrets, address)
  return `${mailbox}.${secrets.mac('stopped_mail', `link ${mailbox}`)}`
}

/** URL that stops emails from strangers to a mailbox: the page asks first; a POST does so at once (RFC 8058). */
export function stopUrl(services: Pick<Services, 'secrets' | 'config'>, address: string): string {
  return `${services.config.publicUrl}${STOP_MAIL_PATH}/${stopToken(services, address)}`
}

/**
 * Stops all emails that strangers cause to the mailbox of a link, for good; a repeat changes nothing. Throws
 * `stop_link_invalid` for a forged token.
 */
export async function stopMail(ctx: Context, { token }: StopMailInput): Promise<Done> {
  const [mailbox = ''] = token.split('.')
  const proof = ctx.secrets.mac('stopped_mail', `link ${mailbox}`)
  if (!isSameSecret(token, `${mailbox}.${proof}`)) throw new AppError('stop_link_invalid')
  await ctx.transaction(async (tx) => {
    const isNew = await tx.stopped.add(mailbox)
    // The keyed hash names nobody, and finds the mailbox again if its owner asks.
    if (isNew) await tx.audit.add({ action: 'mail.stopped', entity: mailbox })
  })
  return { status: true }
}
