import * as z from 'zod/mini'
import type { Done } from '#contract/auth.ts'
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
import { type Instant, parseJson } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { isDatabaseDown } from '#db/failures.ts'
import type { Context } from '#server/context.ts'
import { isErasedAddress, maskedEmail } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { OutboxTopic } from '#server/kernel/outbox.ts'
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

/** Account emails with a kind of their own; all others are about a change of the account. */
const kindByEmail = new Map<string, FailedKind>([
  ['verify', 'confirm_email'],
  ['verify_provider', 'confirm_email'],
  ['confirm_address', 'confirm_email'],
  ['reset', 'reset_password'],
  ['booking_code', 'one_time_code'],
  ['erase_code', 'one_time_code'],
])

const kindByTopic = new Map<string, FailedKind>(Object.entries(kindOfTopic))

function kindOf(topic: string, payload: Payload): FailedKind {
  if (topic === 'account.letter') return kindByEmail.get(payload['letter'] ?? '') ?? 'account'
  return kindByTopic.get(topic) ?? 'clean_up'
}

const TextsByName = z.record(z.string(), z.string())

type OutboxJob = Pick<FailedRow, 'topic' | 'payload'>

/** Null when a payload is damaged. */
function readPayload({ payload }: OutboxJob): Payload | null {
  try {
    return TextsByName.parse(parseJson(payload))
  } catch {
    return null
  }
}

/** Null when the payload is damaged, or encrypted with another key: one such row must not hide the others. */
async function readAddresses(
  ctx: AddresseeContext & Pick<Context, 'database'>,
  { topic }: OutboxJob,
  payload: Payload | null,
): Promise<string[] | null> {
  if (payload === null) return null
  try {
    return await findAddressees(ctx, { topic, payload })
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    return null
  }
}

async function shown(ctx: Context, row: FailedRow, isMasked: boolean): Promise<FailedDelivery> {
  const payload = readPayload(row)
  const addresses = await readAddresses(ctx, row, payload)
  const to = addresses ?? []
  return {
    id: row.id,
    kind: kindOf(row.topic, payload ?? {}),
    isReadable: addresses !== null,
    to: isMasked ? to.map(maskedEmail) : to,
    writtenAt: toIso(row.created_at),
    failedAt: toIso(row.failed_at ?? row.created_at),
    tries: row.attempts,
    why: row.last_error ?? '',
    hasSecret: (payload?.['secret'] ?? '') !== '',
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

/**
 * Since when emails to more than one address are put off, out of those given, oldest first: when the first one was
 * enqueued with which there are two addresses. Null for one alone, which may be the reason itself.
 */
export async function findManyPutOffSince(
  services: AddresseeContext & Pick<Context, 'database'>,
  putOff: readonly (OutboxJob & { created_at: Instant })[],
): Promise<Instant | null> {
  const addresses = new Set<string>()
  for (const row of putOff) {
    for (const to of (await readAddresses(services, row, readPayload(row))) ?? []) addresses.add(to)
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

type Payload = Readonly<Record<string, string>>
type AddresseeContext = Pick<Context, 'config' | 'secrets'>
type FoundAddresses = Promise<readonly (string | null | undefined)[]>
type FindAddresses = (ctx: AddresseeContext, db: Db, payload: Payload) => FoundAddresses

const one = async (address: Promise<string | null | undefined>): FoundAddresses => [await address]
const noAddressees: FindAddresses = () => Promise.resolve([])
const staff: FindAddresses = ({ config }) => Promise.resolve([config.supportEmail])

const about =
  (table: AboutProvider, key: string): FindAddresses =>
  (_ctx, db, payload) =>
    one(findProviderAddress(db, { table, id: payload[key] ?? '' }))

const ofVisit =
  (...sides: ('patient' | 'provider')[]): FindAddresses =>
  async (_ctx, db, payload) => {
    const addresses = await findVisitAddresses(db, payload['bookingId'] ?? '')
    return sides.map((side) => addresses[side])
  }

const owner: FindAddresses = (_ctx, db, payload) =>
  one(findAccountAddress(db, payload['userId'] ?? ''))

/** An email about a new address carries that address, encrypted, in its payload. */
const accountEmail: FindAddresses = (ctx, db, payload) => {
  const sealed = payload['to'] ?? ''
  return sealed === ''
    ? owner(ctx, db, payload)
    : Promise.resolve([ctx.secrets.open('mail', sealed)])
}

/** The address of a desk visit is stored encrypted with the visit. */
const deskPatient: FindAddresses = async (ctx, db, payload) => {
  const sealed = await findDeskAddress(db, payload['deskId'] ?? '')
  return [sealed ? ctx.secrets.open('desk', sealed) : null]
}

const message: FindAddresses = async ({ config }, db, payload) => {
  const address = await findMessageAddress(db, payload['messageId'] ?? '')
  return [address === null ? config.supportEmail : address]
}

const addresseesOf: Record<OutboxTopic, FindAddresses> = {
  'message.received': message,
  'account.letter': accountEmail,
  'account.erased': noAddressees,
  'picture.dropped': noAddressees,
  'document.dropped': noAddressees,
  'provider.changed': noAddressees,
  'verification.lost': async (ctx, db, payload) => [
    ...(await about('verification_checks', 'checkId')(ctx, db, payload)),
    ctx.config.supportEmail,
  ],
  'verification.decided': about('verification_checks', 'checkId'),
  'verification.asked': about('verification_requests', 'requestId'),
  'proof.offered': about('registrant_proofs', 'proofId'),
  'proof.code': (_ctx, db, payload) => one(findPublishedAddress(db, payload['proofId'] ?? '')),
  'proof.refused': about('registrant_proofs', 'proofId'),
  'company.decided': about('company_claims', 'claimId'),
  'payment.refunded': (_ctx, db, payload) => one(findRefundAddress(db, payload['refundId'] ?? '')),
  'payment.not_taken': (_ctx, db, payload) => one(findPayerAddress(db, payload['paymentId'] ?? '')),
  'payment.alert': staff,
  'payment.differences': staff,
  'bank.changed': owner,
  'token.created': (_ctx, db, payload) => one(findTokenAddress(db, payload['tokenId'] ?? '')),
  'booking.cancelled': ofVisit('patient', 'provider'),
  'booking.confirmed': ofVisit('patient', 'provider'),
  'booking.moved': ofVisit('patient', 'provider'),
  'booking.proposed': ofVisit('patient'),
  'booking.kept': ofVisit('provider'),
  'desk.booked': deskPatient,
  'desk.cancelled': deskPatient,
  'desk.moved': deskPatient,
  'outcome.no_show': ofVisit('patient'),
  'claim.made': (_ctx, db, payload) =>
    findClaimAddresses(db, payload['claimId'] ?? '').then(({ provider }) => [provider]),
  'claim.decided': (_ctx, db, payload) =>
    findClaimAddresses(db, payload['claimId'] ?? '').then((both) => [both.patient, both.provider]),
  'feed.created': (_ctx, db, payload) => one(findFeedAddress(db, payload['feedId'] ?? '')),
  'outside.failing': (_ctx, db, payload) =>
    one(findOutsideAddress(db, payload['calendarId'] ?? '')),
  'reminder.due': (_ctx, db, payload) => one(findReminderAddress(db, payload['batch'] ?? '')),
}

const addresseesByTopic = new Map<string, FindAddresses>(Object.entries(addresseesOf))

/**
 * The addresses an outbox row would be delivered to now; empty when its topic sends no email or nobody is
 * left.
 */
async function findAddressees(
  ctx: AddresseeContext & Pick<Context, 'database'>,
  job: { topic: string; payload: Payload },
): Promise<string[]> {
  const find = addresseesByTopic.get(job.topic) ?? noAddressees
  const found = await find(ctx, ctx.database.db, job.payload)
  return found.flatMap((address) => (address && !isErasedAddress(address) ? [address] : []))
}
