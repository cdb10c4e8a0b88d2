import type { Done } from '#contract/base/done.ts'
import { staffRefusal } from '#contract/base/staff.ts'
import { toIso } from '#contract/base/time.ts'
import {
  FAILED_PAGE_SIZE,
  type FailedCount,
  type FailedDelivery,
  type FailedInput,
  type FailedKind,
  type FailedPage,
  type RetryInput,
} from '#contract/messages.ts'
import type { Instant } from '#db/columns.ts'
import { isDatabaseDown } from '#db/failures.ts'
import type { AsStaff, Context } from '#server/context.ts'
import { isErasedAddress, maskedEmail } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  isOutboxTopic,
  type OutboxPayloads,
  type OutboxTopic,
  readOutboxPayload,
} from '#server/kernel/outbox-topics.ts'
import {
  type AboutProvider,
  countFailed,
  type FailedRow,
  findAccountAddress,
  findClaimAddresses,
  findDeskAddress,
  findFeedAddress,
  findMessageAddress,
  findOutsideAddress,
  findPayerAddress,
  findProviderAddress,
  findPublishedAddress,
  findRefundAddress,
  findReminderAddress,
  findTokenAddress,
  findVisitAddresses,
  listFailed,
  reviveFailed,
} from './store.ts'

const kindOfTopic: Record<Exclude<OutboxTopic, 'account.letter'>, FailedKind> = {
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

/** Letters with a kind of their own; all others are about a change of the account. */
const kindOfLetter: Partial<Record<OutboxPayloads['account.letter']['letter'], FailedKind>> = {
  verify: 'confirm_email',
  verify_provider: 'confirm_email',
  confirm_address: 'confirm_email',
  reset: 'reset_password',
  booking_code: 'one_time_code',
  erase_code: 'one_time_code',
}

type WaitingJob = Pick<FailedRow, 'topic' | 'payload'>
type AnyPayload = OutboxPayloads[OutboxTopic]

function kindOf(topic: string, payload: AnyPayload | null): FailedKind {
  if (!isOutboxTopic(topic)) return 'clean_up'
  if (topic !== 'account.letter') return kindOfTopic[topic]
  const letter = payload !== null && 'letter' in payload ? kindOfLetter[payload.letter] : undefined
  return letter ?? 'account'
}

/** Null when a payload is damaged, or of a newer version's topic. */
function readPayload({ topic, payload }: WaitingJob): AnyPayload | null {
  try {
    return isOutboxTopic(topic) ? readOutboxPayload(topic, payload) : null
  } catch {
    return null
  }
}

/**
 * The addresses a row would be delivered to now; empty when its topic sends no email or nobody is left. Null when the
 * payload is damaged, or encrypted with another key: one such row must not hide the others.
 */
async function readAddresses(
  ctx: AddresseeContext,
  { topic, payload }: WaitingJob,
): Promise<string[] | null> {
  if (!isOutboxTopic(topic)) return []
  try {
    const found = await findAddresses(ctx, topic, payload)
    return found.flatMap((address) => (address && !isErasedAddress(address) ? [address] : []))
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    return null
  }
}

function findAddresses<T extends OutboxTopic>(ctx: AddresseeContext, topic: T, payload: string) {
  return addresseesOf[topic](ctx, readOutboxPayload(topic, payload))
}

async function shown(ctx: Context, row: FailedRow, isMasked: boolean): Promise<FailedDelivery> {
  const payload = readPayload(row)
  const addresses = await readAddresses(ctx, row)
  const to = addresses ?? []
  return {
    id: row.id,
    kind: kindOf(row.topic, payload),
    isReadable: addresses !== null,
    to: isMasked ? to.map(maskedEmail) : to,
    writtenAt: toIso(row.created_at),
    failedAt: toIso(row.failed_at ?? row.created_at),
    tries: row.attempts,
    why: row.last_error ?? '',
    hasSecret: payload !== null && 'secret' in payload && payload.secret !== '',
  }
}

/** Deliveries that were given up; addresses are masked for roles that may not see names. */
export async function listFailedDeliveries(
  ctx: AsStaff,
  { page }: FailedInput,
): Promise<FailedPage> {
  const { db } = ctx.database
  const isMasked = staffRefusal('seeNames', ctx.viewer.role) !== null
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

/**
 * Since when emails to more than one address are put off, out of those given, oldest first: when the first one was
 * enqueued with which there are two addresses. Null for one alone, which may be the reason itself.
 */
export async function findManyPutOffSince(
  services: AddresseeContext,
  putOff: readonly (WaitingJob & { created_at: Instant })[],
): Promise<Instant | null> {
  const addresses = new Set<string>()
  for (const row of putOff) {
    for (const to of (await readAddresses(services, row)) ?? []) addresses.add(to)
    if (addresses.size > 1) return row.created_at
  }
  return null
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

type AddresseeContext = Pick<Context, 'config' | 'secrets' | 'database'>
type FoundAddresses = Promise<readonly (string | null | undefined)[]>
type FindAddresses<Payload> = (ctx: AddresseeContext, payload: Payload) => FoundAddresses

const one = async (address: Promise<string | null | undefined>): FoundAddresses => [await address]
const noAddressees = () => Promise.resolve([])
const staff = ({ config }: AddresseeContext) => Promise.resolve([config.supportEmail])

const about = ({ database }: AddresseeContext, table: AboutProvider, id: string) =>
  one(findProviderAddress(database.db, { table, id }))

const ofVisit =
  (...sides: ('patient' | 'provider')[]): FindAddresses<{ bookingId: string }> =>
  async ({ database }, { bookingId }) => {
    const addresses = await findVisitAddresses(database.db, bookingId)
    return sides.map((side) => addresses[side])
  }

const owner: FindAddresses<{ userId: string }> = ({ database }, { userId }) =>
  one(findAccountAddress(database.db, userId))

/** The address of a desk visit is stored encrypted with the visit. */
const deskPatient: FindAddresses<{ deskId: string }> = async (ctx, { deskId }) => {
  const sealed = await findDeskAddress(ctx.database.db, deskId)
  return [sealed ? ctx.secrets.open('desk', sealed) : null]
}

const addresseesOf: { [T in OutboxTopic]: FindAddresses<OutboxPayloads[T]> } = {
  'message.received': async ({ config, database }, { messageId }) => {
    const address = await findMessageAddress(database.db, messageId)
    return [address === null ? config.supportEmail : address]
  },
  /** An email about a new address carries that address, encrypted, in its payload. */
  'account.letter': async (ctx, { to, userId }) =>
    to === '' ? owner(ctx, { userId }) : [ctx.secrets.open('mail', to)],
  'account.erased': noAddressees,
  'picture.dropped': noAddressees,
  'document.dropped': noAddressees,
  'provider.changed': noAddressees,
  'verification.lost': async (ctx, { checkId }) => [
    ...(await about(ctx, 'verification_checks', checkId)),
    ctx.config.supportEmail,
  ],
  'verification.decided': (ctx, { checkId }) => about(ctx, 'verification_checks', checkId),
  'verification.asked': (ctx, { requestId }) => about(ctx, 'verification_requests', requestId),
  'proof.offered': (ctx, { proofId }) => about(ctx, 'registrant_proofs', proofId),
  'proof.code': ({ database }, { proofId }) => one(findPublishedAddress(database.db, proofId)),
  'proof.refused': (ctx, { proofId }) => about(ctx, 'registrant_proofs', proofId),
  'company.decided': (ctx, { claimId }) => about(ctx, 'company_claims', claimId),
  'payment.refunded': ({ database }, { refundId }) => one(findRefundAddress(database.db, refundId)),
  'payment.not_taken': ({ database }, { paymentId }) =>
    one(findPayerAddress(database.db, paymentId)),
  'payment.alert': staff,
  'payment.differences': staff,
  'bank.changed': owner,
  'token.created': ({ database }, { tokenId }) => one(findTokenAddress(database.db, tokenId)),
  'booking.cancelled': ofVisit('patient', 'provider'),
  'booking.confirmed': ofVisit('patient', 'provider'),
  'booking.moved': ofVisit('patient', 'provider'),
  'booking.proposed': ofVisit('patient'),
  'booking.kept': ofVisit('provider'),
  'desk.booked': deskPatient,
  'desk.cancelled': deskPatient,
  'desk.moved': deskPatient,
  'outcome.no_show': ofVisit('patient'),
  'claim.made': async ({ database }, { claimId }) => {
    const { provider } = await findClaimAddresses(database.db, claimId)
    return [provider]
  },
  'claim.decided': async ({ database }, { claimId }) => {
    const { patient, provider } = await findClaimAddresses(database.db, claimId)
    return [patient, provider]
  },
  'feed.created': ({ database }, { feedId }) => one(findFeedAddress(database.db, feedId)),
  'outside.failing': ({ database }, { calendarId }) =>
    one(findOutsideAddress(database.db, calendarId)),
  'reminder.due': ({ database }, { batch }) => one(findReminderAddress(database.db, batch)),
}
