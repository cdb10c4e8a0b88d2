import { type Account, findById } from '#server/auth/accounts/account-store.ts'
import { createLink } from '#server/auth/codes/create-link.ts'
import type { Context, Services, Tx } from '#server/context.ts'
import { isRateLimited } from '#server/kernel/errors.ts'
import { type AttemptName, countNetworkAttempt } from '#server/kernel/limits/attempts.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { type EmailKind, emailText } from './templates.ts'

type EmailRequest = {
  limit: Extract<AttemptName, 'forgot_password' | 'verification'>
  subject: string
}

/**
 * Runs a visitor's request to email an address. Beyond the limit of the address it silently does nothing,
 * because an error would reveal whose it is; beyond the limit of the network it throws `rate_limited`.
 */
export async function requestEmail(
  ctx: Context,
  { limit, subject }: EmailRequest,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.transaction((tx) => countNetworkAttempt(tx.attempts, 'mail_network', ctx.network))
  try {
    await ctx.transaction(async (tx) => {
      await tx.attempts.take(limit, subject)
      await work(tx)
    })
  } catch (error) {
    if (!isRateLimited(error)) throw error
  }
}

type NewEmail = {
  kind: EmailKind
  account: { id: string }
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
  await tx.outbox.add('account.letter', {
    letter: newEmail.kind,
    userId: newEmail.account.id,
    secret: newEmail.secret === undefined ? '' : ctx.secrets.seal('mail', newEmail.secret),
    to: newEmail.to === undefined ? '' : ctx.secrets.seal('mail', newEmail.to),
    next: newEmail.next === undefined ? '' : ctx.secrets.seal('mail', newEmail.next),
  })
}

/** Marks an email that is never sent. */
const NO_RECIPIENT = 'nobody'

/** Does as much work as an email with a token, for an address that has no account. */
export async function enqueueDummyEmail(ctx: Context, tx: Tx): Promise<void> {
  const secret = ctx.secrets.seal('mail', ctx.secrets.token())
  await tx.outbox.add('account.letter', {
    letter: NO_RECIPIENT,
    userId: '',
    secret,
    to: '',
    next: '',
  })
}

type EmailJob = {
  kind: string
  userId: string
  /** Encrypted, or empty. */
  secret: string
  to: string
  next: string
  deliveryId: string
}

function isCode(part: string): boolean {
  return /^[0-9]{6}$/.test(part)
}

/** Whether an email says that the account is gone. */
function isFarewell(kind: string): boolean {
  return kind === 'erased' || kind === 'staff_removed'
}

/** Mail clients turn "evil.example" into a link: a space after the dot prevents that. */
export function greetingName(name: string): string {
  return name.replaceAll(/\.(?=[\p{L}\p{M}]{2})/gu, '. ')
}

/** Sends an email to the owner of an account, as the account is now. */
export async function deliverEmail(services: Services, job: EmailJob): Promise<void> {
  if (job.kind === NO_RECIPIENT) return
  const { config, secrets, database } = services
  const account = await findById(database.db, job.userId)
  if (account === undefined) throw new Error('The account of an email job does not exist.')
  const open = (sealed: string) => (sealed === '' ? '' : secrets.open('mail', sealed))
  const parts = open(job.secret)
    .split(' ')
    .filter((part) => part !== '')
  const to = open(job.to)
  // Whoever deleted their account meanwhile only gets the email about that, whatever else still waits.
  if (account.erased_at !== null && !isFarewell(job.kind)) return
  const content = emailText(job.kind, {
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
  if (content === null) throw new Error(`There is no email template "${job.kind}".`)
  await sendEmail(services, {
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
  if (!(await mayNotifyOwner(tx, account))) return
  const secret = await createLink(ctx, tx, { purpose: 'reset_password', accountNo: account.no })
  await enqueueEmail(ctx, tx, { kind: 'already_registered', account, secret })
}
