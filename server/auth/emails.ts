import { type Account, findById } from '#server/auth/accounts/account-store.ts'
import { createLink } from '#server/auth/codes/create-link.ts'
import type { Context, Services, Tx } from '#server/context.ts'
import { isRateLimited, isTooManyEmails } from '#server/kernel/errors.ts'
import { type AttemptName, countNetworkAttempt } from '#server/kernel/limits/attempts.ts'
import { type AccountLetter, NO_RECIPIENT, type OutboxJob } from '#server/kernel/outbox-topics.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { emailText } from './templates.ts'

type EmailRequest = {
  limit: Extract<AttemptName, 'forgot_password' | 'verification'>
  subject: string
  /** Beyond the limit: whether the email is sent all the same, which must bound itself. */
  isOwed?: (tx: Tx) => Promise<boolean>
}

/**
 * Runs a visitor's request to email an address. Beyond the limit of the address it silently does nothing,
 * because an error would reveal whose it is; beyond the limit of the network it throws `rate_limited`.
 */
export async function requestEmail(
  ctx: Context,
  { limit, subject, isOwed }: EmailRequest,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.transaction((tx) => countNetworkAttempt(tx.attempts, 'mail_network', ctx.network))
  try {
    await ctx.transaction(async (tx) => {
      const isWithin = await tx.attempts.count(limit, subject)
      if (isWithin || (await isOwed?.(tx)) === true) await work(tx)
    })
  } catch (error) {
    if (!isRateLimited(error) && !isTooManyEmails(error)) throw error
  }
}

type NewEmail = {
  kind: AccountLetter
  account: Pick<Account, 'id' | 'email'>
  /** A token or code that appears in the email and nowhere else. */
  secret?: string
  /** The recipient, when it is not the account's own address. */
  to?: string
  /** Path of this site the link leads to in the end. */
  next?: string | undefined
}

/**
 * Enqueues an email in the transaction of the change it is about. The secret, a different recipient and the
 * link's path, which may name a provider, are encrypted: the outbox is copied into backups like any other
 * table.
 */
export async function enqueueEmail(ctx: Context, tx: Tx, newEmail: NewEmail): Promise<void> {
  const { kind: letter, account } = newEmail
  const payload = {
    letter,
    userId: account.id,
    secret: newEmail.secret === undefined ? '' : ctx.secrets.seal('mail', newEmail.secret),
    to: newEmail.to === undefined ? '' : ctx.secrets.seal('mail', newEmail.to),
    next: newEmail.next === undefined ? '' : ctx.secrets.seal('mail', newEmail.next),
  }
  await tx.outbox.add('account.letter', payload, { to: newEmail.to ?? account.email })
}

/** Does as much work as the email it stands in for, for an address that does not get it. */
export async function enqueueDummyEmail(
  ctx: Context,
  tx: Tx,
  { kind: insteadOf, to }: { kind: AccountLetter; to: string },
): Promise<void> {
  const secret = ctx.secrets.seal('mail', ctx.secrets.token())
  const payload = { letter: NO_RECIPIENT, userId: '', secret, to: '', next: '' } as const
  await tx.outbox.add('account.letter', payload, { to, insteadOf })
}

function isCode(part: string): boolean {
  return /^[0-9]{6}$/.test(part)
}

/** Whether an email says that the account is gone. */
function isFarewell(letter: AccountLetter): boolean {
  return letter === 'erased' || letter === 'staff_removed'
}

/** Mail clients turn "evil.example" into a link: a space after the dot prevents that. */
export function greetingName(name: string): string {
  return name.replaceAll(/\.(?=[\p{L}\p{M}]{2})/gu, '. ')
}

/** Sends an email to the owner of an account, as the account is now. */
export async function deliverEmail(
  services: Services,
  job: OutboxJob<'account.letter'>,
): Promise<void> {
  const { letter } = job
  if (letter === NO_RECIPIENT) return
  const { config, secrets, database } = services
  const account = await findById(database.db, job.userId)
  if (account === undefined) throw new Error('The account of an email job does not exist.')
  const open = (sealed: string) => (sealed === '' ? '' : secrets.open('mail', sealed))
  const parts = open(job.secret)
    .split(' ')
    .filter((part) => part !== '')
  const to = open(job.to)
  // Whoever deleted their account meanwhile only gets the email about that, whatever else still waits.
  if (account.erased_at !== null && !isFarewell(letter)) return
  const content = emailText(letter, {
    // Staff are added by address alone, without a name.
    firstName: greetingName(account.first_name === '' ? 'colleague' : account.first_name),
    kind: account.kind,
    role: account.role ?? '',
    site: config.publicUrl,
    supportEmail: config.supportEmail,
    token: parts.find((part) => !isCode(part)) ?? '',
    code: parts.find(isCode) ?? '',
    next: open(job.next),
  })
  await sendEmail(services, {
    topic: `letter.${letter}`,
    deliveryId: job.deliveryId,
    to: to === '' ? account.email : to,
    content,
    secrets: parts,
    userId: account.erased_at === null ? account.id : null,
  })
}

/** Whether an owner may be emailed once more; a refusal must not be visible to the requester. */
async function mayNotifyOwner(tx: Tx, account: Account): Promise<boolean> {
  try {
    await tx.attempts.take('already_registered', account.id)
    return true
  } catch (error) {
    if (isRateLimited(error)) return false
    throw error
  }
}

/** Tells the owner of an address that somebody tried to use it, at most three times an hour. */
export async function notifyOwner(ctx: Context, tx: Tx, account: Account): Promise<void> {
  if (!(await mayNotifyOwner(tx, account))) {
    const dummy = { kind: 'already_registered', to: account.email } as const
    await enqueueDummyEmail(ctx, tx, dummy)
    return
  }
  const secret = await createLink(ctx, tx, { purpose: 'reset_password', accountNo: account.no })
  await enqueueEmail(ctx, tx, { kind: 'already_registered', account, secret })
}
