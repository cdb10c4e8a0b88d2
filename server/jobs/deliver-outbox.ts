import { parseJson } from '#db/columns.ts'
import { deliverCreated } from '#server/access-tokens/access-tokens.ts'
import { deliverEmail } from '#server/auth/emails.ts'
import { deliverNotice } from '#server/bank-accounts/bank-accounts.ts'
import {
  deliverDeskBooked,
  deliverDeskCancelled,
  deliverDeskMoved,
} from '#server/booking/desk/deliver-desk.ts'
import {
  deliverCancellation,
  deliverConfirmation,
} from '#server/booking/visits/deliver-confirmation.ts'
import {
  deliverMove,
  deliverProposal,
  deliverProposalDeclined,
} from '#server/booking/visits/deliver-move.ts'
import { erasePatient } from '#server/booking/visits/erase-patient.ts'
import { deliverFeedCreated, eraseFeeds } from '#server/calendars/feeds.ts'
import type { Services } from '#server/context.ts'
import { backoffMs, LOCAL_TOPICS, MAX_ATTEMPTS, type OutboxTopic } from '#server/kernel/outbox.ts'
import { deliverMessage } from '#server/messages/contact.ts'
import { eraseOutcomeClaims } from '#server/outcomes/claims.ts'
import {
  deliverClaimDecided,
  deliverClaimMade,
  deliverNoShow,
} from '#server/outcomes/deliver-outcome.ts'
import { deliverFailing } from '#server/outside-calendars/failing-email.ts'
import {
  deliverAlertEmails,
  deliverDifferences,
  deliverNotCharged,
  deliverRefundEmails,
} from '#server/payments/deliver-emails.ts'
import { erasePayer } from '#server/payments/refunds/refund.ts'
import { dropPicture } from '#server/profiles/own-profile.ts'
import { deliverReminder, eraseReminderSettings } from '#server/reminders/reminders.ts'
import { reindexChanged } from '#server/search/reindex.ts'
import {
  deliverCompany,
  deliverDecision,
  deliverOffered,
  deliverProofCode,
  deliverProofRefused,
  deliverRequest,
  deliverStatusLost,
} from '#server/verification/deliver-emails.ts'
import { eraseClaims } from '#server/verification/erase-claims.ts'
import { deleteKeysOf } from './keys-store.ts'
import { claim, type Delivery, listDue, markDone, markFailed, markForRetry } from './store.ts'

type OutboxJob = { id: string; payload: Record<string, string> }
type Deliver = (services: Services, job: OutboxJob) => Promise<void>

const handlers: Record<OutboxTopic, Deliver> = {
  'message.received': (services, { id, payload }) =>
    deliverMessage(services, { messageId: payload['messageId'] ?? '', deliveryId: id }),
  'account.letter': (services, { id, payload }) =>
    deliverEmail(services, {
      kind: payload['letter'] ?? '',
      userId: payload['userId'] ?? '',
      secret: payload['secret'] ?? '',
      to: payload['to'] ?? '',
      next: payload['next'] ?? '',
      deliveryId: id,
    }),
  'account.erased': async (services, { payload }) => {
    const userId = payload['userId'] ?? ''
    await deleteKeysOf(services.database.db, userId)
    await erasePatient(services, userId)
    await erasePayer(services, userId)
    await eraseClaims(services, userId)
    await eraseReminderSettings(services, userId)
    await eraseFeeds(services, userId)
    await eraseOutcomeClaims(services, userId)
  },
  'bank.changed': (services, { id, payload }) =>
    deliverNotice(services, {
      what: payload['what'] ?? '',
      userId: payload['userId'] ?? '',
      account: payload['account'] ?? '',
      deliveryId: id,
    }),
  'token.created': (services, { id, payload }) =>
    deliverCreated(services, { tokenId: payload['tokenId'] ?? '', deliveryId: id }),
  'booking.confirmed': (services, { id, payload }) =>
    deliverConfirmation(services, { bookingId: payload['bookingId'] ?? '', deliveryId: id }),
  'booking.cancelled': (services, { id, payload }) =>
    deliverCancellation(services, {
      bookingId: payload['bookingId'] ?? '',
      sealedProvider: payload['leaver'] ?? null,
      deliveryId: id,
    }),
  'booking.moved': (services, { id, payload }) =>
    deliverMove(services, {
      bookingId: payload['bookingId'] ?? '',
      sequence: Number(payload['sequence']),
      deliveryId: id,
    }),
  'booking.proposed': (services, { id, payload }) =>
    deliverProposal(services, {
      bookingId: payload['bookingId'] ?? '',
      sequence: Number(payload['sequence']),
      at: payload['at'] ?? '',
      deliveryId: id,
    }),
  'booking.kept': (services, { id, payload }) =>
    deliverProposalDeclined(services, {
      bookingId: payload['bookingId'] ?? '',
      sequence: Number(payload['sequence']),
      deliveryId: id,
    }),
  'desk.booked': (services, { id, payload }) =>
    deliverDeskBooked(services, { deskId: payload['deskId'] ?? '', deliveryId: id }),
  'desk.moved': (services, { id, payload }) =>
    deliverDeskMoved(services, {
      deskId: payload['deskId'] ?? '',
      sequence: Number(payload['sequence']),
      deliveryId: id,
    }),
  'desk.cancelled': (services, { id, payload }) =>
    deliverDeskCancelled(services, {
      deskId: payload['deskId'] ?? '',
      sealedEvent: payload['told'] ?? null,
      why: payload['why'] ?? null,
      deliveryId: id,
    }),
  'outcome.no_show': (services, { id, payload }) =>
    deliverNoShow(services, { bookingId: payload['bookingId'] ?? '', deliveryId: id }),
  'claim.made': (services, { id, payload }) =>
    deliverClaimMade(services, { claimId: payload['claimId'] ?? '', deliveryId: id }),
  'claim.decided': (services, { id, payload }) =>
    deliverClaimDecided(services, { claimId: payload['claimId'] ?? '', deliveryId: id }),
  'feed.created': (services, { id, payload }) =>
    deliverFeedCreated(services, { feedId: payload['feedId'] ?? '', deliveryId: id }),
  'outside.failing': (services, { id, payload }) =>
    deliverFailing(services, { calendarId: payload['calendarId'] ?? '', deliveryId: id }),
  'reminder.due': (services, { id, payload }) =>
    deliverReminder(services, { batch: payload['batch'] ?? '', deliveryId: id }),
  'payment.refunded': (services, { id, payload }) =>
    deliverRefundEmails(services, { refundId: payload['refundId'] ?? '', deliveryId: id }),
  'payment.not_taken': (services, { id, payload }) =>
    deliverNotCharged(services, { paymentId: payload['paymentId'] ?? '', deliveryId: id }),
  'payment.alert': (services, { id, payload }) =>
    deliverAlertEmails(services, {
      paymentId: payload['paymentId'] ?? '',
      what: payload['what'] === 'refund_failed' ? 'refund_failed' : 'mismatch',
      deliveryId: id,
    }),
  'document.dropped': (services, { payload }) => services.documents.remove(payload['file'] ?? ''),
  'verification.lost': (services, { id, payload }) =>
    deliverStatusLost(services, { checkId: payload['checkId'] ?? '', deliveryId: id }),
  'verification.decided': (services, { id, payload }) =>
    deliverDecision(services, { checkId: payload['checkId'] ?? '', deliveryId: id }),
  'verification.asked': (services, { id, payload }) =>
    deliverRequest(services, { requestId: payload['requestId'] ?? '', deliveryId: id }),
  'proof.offered': (services, { id, payload }) =>
    deliverOffered(services, { proofId: payload['proofId'] ?? '', deliveryId: id }),
  'proof.code': (services, { id, payload }) =>
    deliverProofCode(services, {
      proofId: payload['proofId'] ?? '',
      secret: payload['secret'] ?? '',
      deliveryId: id,
    }),
  'proof.refused': (services, { id, payload }) =>
    deliverProofRefused(services, { proofId: payload['proofId'] ?? '', deliveryId: id }),
  'company.decided': (services, { id, payload }) =>
    deliverCompany(services, {
      claimId: payload['claimId'] ?? '',
      decision: payload['decision'] ?? null,
      deliveryId: id,
    }),
  'payment.differences': (services, { id, payload }) =>
    deliverDifferences(services, { toldAt: Number(payload['toldAt']), deliveryId: id }),
  'picture.dropped': (services, { payload }) => dropPicture(services, payload['path'] ?? ''),
  'provider.changed': (services, { payload }) =>
    reindexChanged(services, payload['providerId'] ?? ''),
}

const byTopic = new Map<string, Deliver>(Object.entries(handlers))

const TOPICS = [...byTopic.keys()]

const BATCH = 20

/**
 * All other topics of this version. Unknown topics are left alone: during a deployment they come from a newer
 * version, which delivers them itself.
 */
const OTHER_TOPICS = TOPICS.filter((topic) => !LOCAL_TOPICS.some((own) => own === topic))

/** The error for the operator who reads the row, without addresses or contents. */
function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  if (!(cause instanceof Error)) return 'unknown'
  const name = 'code' in cause ? cause.code : undefined
  // A refused password comes with a reply as well, but concerns every email rather than this one.
  const code = 'responseCode' in cause && name !== 'EAUTH' ? cause.responseCode : name
  const isPlain = typeof code === 'string' || typeof code === 'number'
  return isPlain ? `${cause.name} ${code}` : cause.name
}

async function recordFailure(services: Services, delivery: Delivery, error: unknown) {
  const { database, log, now } = services
  const facts = { outboxId: delivery.id, topic: delivery.topic, attempts: delivery.attempts }
  if (delivery.attempts >= MAX_ATTEMPTS) {
    log.error({ err: error, ...facts }, 'a delivery was given up')
    await markFailed(database.db, delivery, { error: reason(error), at: now() })
    return
  }
  const wait = backoffMs(delivery.attempts, services.chance())
  log.warn({ err: error, ...facts, retryInMs: wait }, 'a delivery failed and will be tried again')
  await markForRetry(database.db, delivery, { error: reason(error), dueAt: now() + wait })
}

async function deliver(services: Services, delivery: Delivery): Promise<void> {
  try {
    const handler = byTopic.get(delivery.topic)
    if (handler === undefined) throw new Error(`No handler for the topic "${delivery.topic}".`)
    await handler(services, { id: delivery.id, payload: parseJson(delivery.payload) })
  } catch (error) {
    await recordFailure(services, delivery, error)
    return
  }
  await markDone(services.database.db, delivery, services.now())
}

async function deliverLane(
  services: Services,
  topics?: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const { db } = services.database
  for (;;) {
    const due = await listDue(db, { now: services.now(), limit: BATCH, topics })
    if (due.length === 0) return
    for (const row of due) {
      if (signal?.aborted) return
      const delivery = await claim(db, row, services.now())
      if (delivery !== null) await deliver(services, delivery)
    }
  }
}

/**
 * Delivers everything that is due, one by one, until nothing is left or `signal` is aborted. Several
 * processes may do this at once: each row is claimed with a lease first.
 */
export function deliverOutbox(services: Services, signal?: AbortSignal): Promise<void> {
  return deliverLane(services, undefined, signal)
}

/** Like `deliverOutbox`, but only topics that need the mail server. */
export function deliverMails(services: Services, signal?: AbortSignal): Promise<void> {
  return deliverLane(services, OTHER_TOPICS, signal)
}

/** Like `deliverOutbox`, but only local work, which must not wait for a slow or unavailable mail server. */
export function deliverLocal(services: Services, signal?: AbortSignal): Promise<void> {
  return deliverLane(services, LOCAL_TOPICS, signal)
}
