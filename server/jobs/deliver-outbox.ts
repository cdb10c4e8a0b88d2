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
import { backoffMs, MAX_ATTEMPTS } from '#server/kernel/outbox.ts'
import {
  isOutboxTopic,
  LOCAL_TOPICS,
  OUTBOX_TOPICS,
  type OutboxJob,
  type OutboxTopic,
  readOutboxPayload,
} from '#server/kernel/outbox-topics.ts'
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

type Handlers = {
  [T in OutboxTopic]: (services: Services, job: OutboxJob<T>) => Promise<void>
}

const handlers: Handlers = {
  'message.received': deliverMessage,
  'account.letter': deliverEmail,
  'account.erased': async (services, { userId }) => {
    await deleteKeysOf(services.database.db, userId)
    await erasePatient(services, userId)
    await erasePayer(services, userId)
    await eraseClaims(services, userId)
    await eraseReminderSettings(services, userId)
    await eraseFeeds(services, userId)
    await eraseOutcomeClaims(services, userId)
  },
  'picture.dropped': (services, { path }) => dropPicture(services, path),
  'document.dropped': (services, { file }) => services.documents.remove(file),
  'verification.lost': deliverStatusLost,
  'verification.decided': deliverDecision,
  'verification.asked': deliverRequest,
  'proof.offered': deliverOffered,
  'proof.code': deliverProofCode,
  'proof.refused': deliverProofRefused,
  'company.decided': deliverCompany,
  'payment.refunded': deliverRefundEmails,
  'payment.not_taken': deliverNotCharged,
  'payment.alert': deliverAlertEmails,
  'payment.differences': deliverDifferences,
  'provider.changed': (services, { providerId }) => reindexChanged(services, providerId),
  'bank.changed': deliverNotice,
  'token.created': deliverCreated,
  'booking.confirmed': deliverConfirmation,
  'booking.cancelled': deliverCancellation,
  'booking.moved': deliverMove,
  'booking.proposed': deliverProposal,
  'booking.kept': deliverProposalDeclined,
  'desk.booked': deliverDeskBooked,
  'desk.moved': deliverDeskMoved,
  'desk.cancelled': deliverDeskCancelled,
  'outcome.no_show': deliverNoShow,
  'claim.made': deliverClaimMade,
  'claim.decided': deliverClaimDecided,
  'feed.created': deliverFeedCreated,
  'outside.failing': deliverFailing,
  'reminder.due': deliverReminder,
}

const BATCH = 20

/**
 * All other topics of this version. Unknown topics are left alone: during a deployment they come from a newer
 * version, which delivers them itself.
 */
const OTHER_TOPICS = OUTBOX_TOPICS.filter((topic) => !LOCAL_TOPICS.some((own) => own === topic))

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

function handle<T extends OutboxTopic>(services: Services, topic: T, job: OutboxJob<T>) {
  return handlers[topic](services, job)
}

async function deliver(services: Services, delivery: Delivery): Promise<void> {
  try {
    const { id, topic, payload } = delivery
    if (!isOutboxTopic(topic)) throw new Error(`No handler for the topic "${topic}".`)
    await handle(services, topic, { ...readOutboxPayload(topic, payload), deliveryId: id })
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
