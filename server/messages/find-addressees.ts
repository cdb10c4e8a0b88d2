import type { Db } from '#db/engine.ts'
import type { Context } from '#server/context.ts'
import type { OutboxTopic } from '#server/kernel/outbox.ts'
import {
  type AboutProvider,
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
  listVisitAddresses,
} from './addressee-store.ts'

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

const byTopic: Record<OutboxTopic, FindAddresses> = {
  'message.received': message,
  'account.letter': accountEmail,
  'account.erased': noAddressees,
  'picture.dropped': noAddressees,
  'document.dropped': noAddressees,
  'provider.changed': noAddressees,
  'verification.lost': about('verification_checks', 'checkId'),
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
  'booking.cancelled': (_ctx, db, payload) => listVisitAddresses(db, payload['bookingId'] ?? ''),
  'booking.confirmed': (_ctx, db, payload) => listVisitAddresses(db, payload['bookingId'] ?? ''),
  'booking.moved': (_ctx, db, payload) => listVisitAddresses(db, payload['bookingId'] ?? ''),
  'booking.proposed': (_ctx, db, payload) =>
    listVisitAddresses(db, payload['bookingId'] ?? '').then((all) => all.slice(0, 1)),
  'booking.kept': (_ctx, db, payload) =>
    listVisitAddresses(db, payload['bookingId'] ?? '').then((all) => all.slice(-1)),
  'desk.booked': deskPatient,
  'desk.cancelled': deskPatient,
  'desk.moved': deskPatient,
  'outcome.no_show': (_ctx, db, payload) =>
    listVisitAddresses(db, payload['bookingId'] ?? '').then((all) => all.slice(0, 1)),
  'claim.made': (_ctx, db, payload) =>
    findClaimAddresses(db, payload['claimId'] ?? '').then(({ provider }) => [provider]),
  'claim.decided': (_ctx, db, payload) =>
    findClaimAddresses(db, payload['claimId'] ?? '').then((both) => [both.patient, both.provider]),
  'feed.created': (_ctx, db, payload) => one(findFeedAddress(db, payload['feedId'] ?? '')),
  'outside.failing': (_ctx, db, payload) =>
    one(findOutsideAddress(db, payload['calendarId'] ?? '')),
  'reminder.due': (_ctx, db, payload) => one(findReminderAddress(db, payload['batch'] ?? '')),
}

const finders = new Map<string, FindAddresses>(Object.entries(byTopic))

/**
 * The addresses an outbox row would be delivered to now; empty when its topic sends no email or nobody is
 * left.
 */
export async function findAddressees(
  ctx: AddresseeContext & Pick<Context, 'database'>,
  job: { topic: string; payload: Payload },
): Promise<string[]> {
  const find = finders.get(job.topic) ?? noAddressees
  const found = await find(ctx, ctx.database.db, job.payload)
  return found.flatMap((address) => (address ? [address] : []))
}
