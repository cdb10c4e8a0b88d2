import type { MessageId } from '#contract/base/ids.ts'
import type { AccountLetter, NamedTopic } from './email-rules.ts'

/** The payload of each topic: ids only, so that the facts are re-read when the job runs. */
export type OutboxPayloads = {
  'message.received': { messageId: MessageId }
  /** An email to the owner of an account; `secret`, `to` and `next` are encrypted, or empty. */
  'account.letter': {
    letter: AccountLetter | typeof NO_RECIPIENT
    userId: string
    secret: string
    to: string
    next: string
  }
  /** An account is erased: rooms that keep more personal data than the account row delete it. */
  'account.erased': { userId: string }
  /** A picture was replaced or its owner is gone: its file is deleted unless still in use. */
  'picture.dropped': { path: string }
  /** A document is no longer used: its file is deleted. */
  'document.dropped': { file: string }
  /** The nightly check withdrew a provider's registration status: they and staff are told. */
  'verification.lost': { checkId: string }
  /** Staff decided about a provider: they are told. */
  'verification.decided': { checkId: string }
  /** Staff asked a provider for information: the provider is emailed. */
  'verification.asked': { requestId: string }
  /** Staff entered a published address to which a provider can have a code sent: they are told. */
  'proof.offered': { proofId: string }
  /** A code is sent to that address; `secret` is encrypted. */
  'proof.code': { proofId: string; secret: string }
  /** Staff refused the proof a provider sent: the provider is told. */
  'proof.refused': { proofId: string }
  /** Staff decided on a company claim: its provider is told, unless they have decided otherwise since. */
  'company.decided': { claimId: string; decision?: string }
  /** A payment was refunded: the patient is told. */
  'payment.refunded': { refundId: string }
  /** An approved PayPal payment was not captured after all: the patient is told. */
  'payment.not_taken': { paymentId: string }
  /** A payment needs manual attention. */
  'payment.alert': { paymentId: string; what: 'mismatch' | 'refund_failed' }
  /** The gateways' records and ours differ: staff are told of the differences marked with `toldAt`. */
  'payment.differences': { toldAt: string }
  /** A provider's search entry may be out of date. */
  'provider.changed': { providerId: string }
  /** A bank account was changed: its owner is told. `account` is its display form, encrypted. */
  'bank.changed': { what: string; userId: string; account: string }
  /** An access token was created: its owner is told. */
  'token.created': { tokenId: string }
  /** A visit is paid for: its patient and its provider are told. */
  'booking.confirmed': { bookingId: string }
  /**
   * An upcoming visit is cancelled: patient and provider are told. `leaver` holds the provider's details,
   * encrypted, when the cause is that they erased their account.
   */
  'booking.cancelled': { bookingId: string; leaver?: string }
  /**
   * A visit was moved: patient and provider are told, unless it has changed again. `sequence` is the value
   * after the move.
   */
  'booking.moved': { bookingId: string; sequence: string }
  /** A provider proposes times for a visit: its patient is told, unless it has since changed. */
  'booking.proposed': { bookingId: string; sequence: string; at: string }
  /** A patient declined the proposed times: the provider is told, unless the visit has since changed. */
  'booking.kept': { bookingId: string; sequence: string }
  /** A desk visit was entered for a person with an email address: they are told. */
  'desk.booked': { deskId: string }
  /**
   * A desk visit was moved: the person is told, unless it has changed again. `sequence` is the value after
   * the move.
   */
  'desk.moved': { deskId: string; sequence: string }
  /**
   * A desk visit is cancelled: the person is told. `told` holds everything the email needs, encrypted, when
   * nothing else is kept; `why` is the reason given, also encrypted.
   */
  'desk.cancelled': { deskId: string; told?: string; why?: string }
  /** A patient was marked as a no-show: they are told. */
  'outcome.no_show': { bookingId: string }
  /** A patient contests a no-show: the provider is told. */
  'claim.made': { claimId: string }
  /** A contested no-show is decided: patient and provider are told. */
  'claim.decided': { claimId: string }
  /** A calendar link was made: its owner is told. */
  'feed.created': { feedId: string }
  /** An external calendar has failed for a day: its owner is told. */
  'outside.failing': { calendarId: string }
  /** Visits of one day are coming up: their patient is reminded. */
  'reminder.due': { batch: string }
}
export type OutboxTopic = keyof OutboxPayloads

/** Marks an account letter that is never sent: it only takes as long as one that is. */
export const NO_RECIPIENT = 'nobody'

/** Topics that send no email. */
export const LOCAL_TOPICS = [
  'account.erased',
  'picture.dropped',
  'document.dropped',
  'provider.changed',
] as const satisfies readonly OutboxTopic[]
export type LocalTopic = (typeof LOCAL_TOPICS)[number]

/**
 * What became of an email that somebody caused (`email-rules.ts`): `queued`, or not sent because its provider is
 * unverified, a budget is exhausted, or its recipient has stopped such emails.
 */
export type EmailFate = 'queued' | 'unverified' | 'too_many' | 'stopped'

/** Whom an email goes to, as its budget counts it. */
export type Recipient = {
  /** An address or the id of an account; null where the recipient causes the email, who has a budget as such. */
  to: string | null
  /** For a letter that is never sent: the one it stands in for. */
  insteadOf?: AccountLetter
}

/** Enqueues a side effect in the same transaction as the change, so they roll back together. */
export type Outbox = {
  /**
   * Emails are admitted by their row in `email-rules.ts`: beyond a budget this throws `too_many_emails`, at the
   * latest at the end of the transaction, or returns why the email is not sent. The number delays a job by so
   * many milliseconds; when left out it is due at once.
   */
  add<Topic extends OutboxTopic>(
    topic: Topic,
    payload: OutboxPayloads[Topic],
    ...more: Topic extends NamedTopic ? [recipient: Recipient] : [afterMs?: number]
  ): Promise<EmailFate>
}

/** How a commit in this process wakes the delivery loop. */
export type OutboxSignal = {
  wake(): void
  /** Replaces the listener; the delivery loop is the only one. */
  onWake(listener: () => void): void
}

/** A signal without a listener. */
export function makeOutboxSignal(): OutboxSignal {
  let wakeUp: (() => void) | undefined
  return {
    wake: () => wakeUp?.(),
    onWake: (listener) => {
      wakeUp = listener
    },
  }
}

/** Milliseconds after which a worker that has not finished is presumed dead. */
export const LEASE_MS = 60_000

/** About fifteen hours of retries, longer than most outages of a mail server. */
export const MAX_ATTEMPTS = 24

const INITIAL_WAIT_MS = 5_000
const MAX_WAIT_MS = 3_600_000

/**
 * Milliseconds until the next retry after `attempts` failures: doubles up to an hour, with jitter from
 * `chance` (0 to 1) so that a recovered server is not flooded.
 */
export function backoffMs(attempts: number, chance: number): number {
  const wait = Math.min(MAX_WAIT_MS, INITIAL_WAIT_MS * 2 ** Math.max(0, attempts - 1))
  return Math.round(wait * (0.75 + chance / 2))
}
