import type { Done } from '#contract/auth.ts'
import {
  FAILED_PAGE_SIZE,
  type FailedCount,
  type FailedDelivery,
  type FailedInput,
  type FailedKind,
  type FailedPage,
  type RetryInput,
} from '#contract/messages-staff.ts'
import { staffRefusal } from '#contract/staff.ts'
import { toIso } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { maskedEmail } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { OutboxTopic } from '#server/kernel/outbox.ts'
import { findAddressees } from './find-addressees.ts'
import { countFailed, type FailedRow, listFailed, reviveFailed } from './store.ts'

const kinds: Record<Exclude<OutboxTopic, 'account.letter'>, FailedKind> = {
  'message.received': 'contact',
  'account.erased': 'clean_up',
  'picture.dropped': 'clean_up',
  'document.dropped': 'clean_up',
  'provider.changed': 'clean_up',
  'verification.lost': 'standing_lost',
  'verification.decided': 'decision',
  'verification.asked': 'request',
  'proof.offered': 'request',
  'proof.code': 'one_time_code',
  'proof.refused': 'request',
  'company.decided': 'company',
  'payment.refunded': 'refund',
  'payment.not_taken': 'refund',
  'payment.alert': 'payment_alert',
  'payment.differences': 'differences',
  'bank.changed': 'bank_account',
  'token.created': 'access_token',
  'booking.cancelled': 'visit',
  'booking.confirmed': 'visit',
  'booking.moved': 'visit',
  'booking.proposed': 'visit',
  'booking.kept': 'visit',
  'desk.booked': 'visit',
  'desk.cancelled': 'visit',
  'desk.moved': 'visit',
  'reminder.due': 'visit',
  'outcome.no_show': 'visit',
  'claim.made': 'visit',
  'claim.decided': 'visit',
  'feed.created': 'account',
  'outside.failing': 'account',
}

/** Account emails with a kind of their own; all others are about a change of the account. */
const emails = new Map<string, FailedKind>([
  ['verify', 'confirm_email'],
  ['verify_provider', 'confirm_email'],
  ['confirm_address', 'confirm_email'],
  ['reset', 'reset_password'],
  ['booking_code', 'one_time_code'],
  ['erase_code', 'one_time_code'],
])

const byTopic = new Map<string, FailedKind>(Object.entries(kinds))

function kindOf({ topic, payload }: FailedRow): FailedKind {
  if (topic === 'account.letter') return emails.get(payload['letter'] ?? '') ?? 'account'
  return byTopic.get(topic) ?? 'clean_up'
}

async function shown(ctx: Context, row: FailedRow, isMasked: boolean): Promise<FailedDelivery> {
  const addresses = await findAddressees(ctx, row)
  return {
    id: row.id,
    kind: kindOf(row),
    to: isMasked ? addresses.map(maskedEmail) : addresses,
    writtenAt: toIso(row.created_at),
    failedAt: toIso(row.failed_at ?? row.created_at),
    tries: row.attempts,
    why: row.last_error ?? '',
    hasSecret: (row.payload['secret'] ?? '') !== '',
  }
}

/** Deliveries that were given up; addresses are masked for roles that may not see names. */
export async function listFailedDeliveries(
  ctx: Context,
  { page }: FailedInput,
): Promise<FailedPage> {
  const { db } = ctx.database
  const { viewer } = ctx
  const isMasked = viewer.kind !== 'staff' || staffRefusal('seeNames', viewer.role) !== null
  const total = await countFailed(db)
  const offset = (page - 1) * FAILED_PAGE_SIZE
  const rows = await listFailed(db, { limit: FAILED_PAGE_SIZE, offset })
  return {
    deliveries: await Promise.all(rows.map((row) => shown(ctx, row, isMasked))),
    current_page: page,
    total_pages: Math.ceil(total / FAILED_PAGE_SIZE),
    total,
  }
}

/** Number of failed deliveries, for the staff home page. */
export async function countFailedDeliveries({ database }: Context): Promise<FailedCount> {
  return { failed: await countFailed(database.db) }
}

/** Retries a failed delivery at once, with the full number of attempts. */
export async function retryFailed(ctx: Context, { id }: RetryInput): Promise<Done> {
  await ctx.transaction(async (tx) => {
    const revived = await reviveFailed(tx.db, id, ctx.now())
    if (revived === undefined) throw new AppError('not_found')
    await tx.audit.add({ action: 'mail.retried', entity: id, details: { topic: revived.topic } })
  })
  ctx.outbox.wake()
  return { status: true }
}
