import { type Account, findById } from '#server/auth/accounts/account-store.ts'
import { createLink } from '#server/auth/codes/create-link.ts'
import type { Context, Services, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type AttemptName, takeOfNetwork } from '#server/kernel/limits/attempts.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { type EmailKind, wordsOf } from './templates.ts'

type Asked = { limit: Extract<AttemptName, 'forgot_password' | 'verification'>; subject: string }

/**
 * Runs a visitor's request to email an address. Beyond the limit of the address it silently does nothing,
 * because an error would reveal whose it is; beyond the limit of the network it throws `rate_limited`.
 */
export async function askForMail(
  ctx: Context,
  { limit, subject }: Asked,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.transaction((tx) => takeOfNetwork(tx.attempts, 'mail_network', ctx.network))
  try {
    await ctx.transaction(async (tx) => {
      await tx.attempts.take(limit, subject)
      await work(tx)
    })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error
  }
}

type Owed = {
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
export async function writeEmail(ctx: Context, tx: Tx, owed: Owed): Promise<void> {
  await tx.outbox.add('account.letter', {
    letter: owed.kind,
    userId: owed.account.id,
    secret: owed.secret === undefined ? '' : ctx.secrets.seal('mail', owed.secret),
    to: owed.to === undefined ? '' : ctx.secrets.seal('mail', owed.to),
    next: owed.next === undefined ? '' : ctx.secrets.seal('mail', owed.next),
  })
}

/** Marks an email that is never sent. */
const NOBODY = 'nobody'

/** Does as much work as an email with a token, for an address that has no account. */
export async function writeNobody(ctx: Context, tx: Tx): Promise<void> {
  const secret = ctx.secrets.seal('mail', ctx.secrets.token())
  await tx.outbox.add('account.letter', { letter: NOBODY, userId: '', secret, to: '', next: '' })
}

type Errand = {
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

/** Mail clients turn "evil.example" into a link: a name that looks like one must not advertise it. */
export function asGreeting(name: string): string {
  return name.replaceAll(/\.(?=[\p{L}\p{M}]{2})/gu, '. ')
}

/** Sends an email to the owner of an account, as the account is now. */
export async function deliverEmail(services: Services, errand: Errand): Promise<void> {
  if (errand.kind === NOBODY) return
  const { config, secrets, database } = services
  const account = await findById(database.db, errand.userId)
  if (account === undefined) throw new Error('The account of an email is not there.')
  const open = (sealed: string) => (sealed === '' ? '' : secrets.open('mail', sealed))
  const parts = open(errand.secret)
    .split(' ')
    .filter((part) => part !== '')
  const to = open(errand.to)
  // An account erased meanwhile has no address any more, except for the email about the erasure.
  if (account.erased_at !== null && to === '') return
  const content = wordsOf(errand.kind, {
    // Staff are added by address alone, without a name.
    firstName: asGreeting(account.first_name === '' ? 'colleague' : account.first_name),
    role: account.role ?? '',
    site: config.publicUrl,
    supportEmail: config.supportEmail,
    token: parts.find((part) => !isCode(part)) ?? '',
    code: parts.find(isCode) ?? '',
    next: open(errand.next),
  })
  if (content === null) throw new Error(`There is no email "${errand.kind}".`)
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: to === '' ? account.email : to,
    content,
    secrets: parts,
    userId: account.erased_at === null ? account.id : null,
  })
}

/** Whether an owner may be emailed once more; a refusal must not be visible to the requester. */
async function mayTell(tx: Tx, account: Account): Promise<boolean> {
  try {
    await tx.attempts.take('already_registered', account.id)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false
    throw error
  }
}

/** Tells the owner of an address that somebody tried to use it, at most three times an hour. */
export async function tellOwner(ctx: Context, tx: Tx, account: Account): Promise<void> {
  if (!(await mayTell(tx, account))) return
  const secret = await createLink(ctx, tx, { purpose: 'reset_password', accountNo: account.no })
  await writeEmail(ctx, tx, { kind: 'already_registered', account, secret })
}
