import type { MessageId } from '#contract/ids.ts'

/** What can be owed: the payload of each topic, ids only, so that the facts are re-read when sent. */
export type OutboxPayloads = {
  'message.received': { messageId: MessageId }
  /** A mail to the owner of an account; `secret`, `to` and `next` are encrypted, or empty. */
  'account.letter': {
    letter: string
    userId: string
    secret: string
    to: string
    next: string
  }
  /** Somebody's account is erased: rooms that keep more of them than its row forget it. */
  'account.erased': { userId: string }
  /** A picture was replaced or its owner is gone: its file goes, unless something still shows it. */
  'picture.dropped': { path: string }
  /** A document belongs to nothing any more: its file goes. */
  'document.dropped': { file: string }
  /** The nightly check took a provider's standing: they and staff are told. */
  'verification.lost': { checkId: string }
  /** Staff decided about a provider: they are told. */
  'verification.decided': { checkId: string }
  /** Staff asked a provider for something: they get the letter. */
  'verification.asked': { requestId: string }
  /** Staff entered a published address to which a provider can have a code sent: they are told. */
  'proof.offered': { proofId: string }
  /** A code goes to that address; `secret` is encrypted. */
  'proof.code': { proofId: string; secret: string }
  /** Staff refused what a provider sent as a proof: they are told. */
  'proof.refused': { proofId: string }
  /** Staff decided about a company: its provider is told. */
  'company.decided': { claimId: string }
  /** Money went back: the patient is told. */
  'payment.refunded': { refundId: string }
  /** A wallet's money that was promised was not taken after all: the patient is told. */
  'payment.not_taken': { paymentId: string }
  /** A payment needs a person. */
  'payment.alert': { paymentId: string; what: 'mismatch' | 'refund_failed' }
  /** The gateways' books and ours differ: staff are told what was found until then. */
  'payment.differences': { toldAt: string }
  /** What the search shows of a provider may be out of date. */
  'provider.changed': { providerId: string }
  /** A bank account was changed: its owner is told. `account` is how it is shown, encrypted. */
  'bank.changed': { what: string; userId: string; account: string }
  /** A token for scripts was made: its owner is told. */
  'token.created': { tokenId: string }
  /** A visit is paid for: its patient and its provider are told. */
  'booking.confirmed': { bookingId: string }
  /**
   * A coming visit is called off: both are told. `leaver` is its provider as they were, encrypted, where
   * the reason is that they erased their account.
   */
  'booking.cancelled': { bookingId: string; leaver?: string }
  /** A visit was moved: both are told, unless it has changed again by then. `sequence` is the one after it. */
  'booking.moved': { bookingId: string; sequence: string }
  /** A provider proposes times for a visit: its patient is told, unless it has changed by then. */
  'booking.proposed': { bookingId: string; sequence: string; at: string }
  /** A patient turns proposed times down: the provider is told, unless the visit has changed by then. */
  'booking.kept': { bookingId: string; sequence: string }
  /** A visit was put in at the desk for somebody who gave an address: they are told. */
  'desk.booked': { deskId: string }
  /** It was moved: they are told, unless it has changed again by then. `sequence` is the one after it. */
  'desk.moved': { deskId: string; sequence: string }
  /** It is called off: they are told. `told` is all the email says, encrypted, where nothing else is kept; `why` is the reason given, encrypted too. */
  'desk.cancelled': { deskId: string; told?: string; why?: string }
  /** A patient was marked as absent: they are told. */
  'outcome.no_show': { bookingId: string }
  /** A patient contests that: the provider is told. */
  'claim.made': { claimId: string }
  /** It is decided: both are told. */
  'claim.decided': { claimId: string }
  /** A calendar link was made: its owner is told. */
  'feed.created': { feedId: string }
  /** A calendar kept elsewhere has failed for a day: its owner is told. */
  'outside.failing': { calendarId: string }
  /** Visits of one day are near: their patient is reminded of them. */
  'reminder.due': { batch: string }
}
export type OutboxTopic = keyof OutboxPayloads

/** Writes down a side effect in the transaction of its act; undone together with it. */
export type Outbox = {
  /** `afterMs` is how long it can wait; left out it is due at once. */
  add<Topic extends OutboxTopic>(
    topic: Topic,
    payload: OutboxPayloads[Topic],
    afterMs?: number,
  ): Promise<void>
}

/** How a commit in this process tells the delivery loop that there is something to do. */
export type OutboxSignal = {
  wake(): void
  /** Replaces the listener; the loop is the only one there is. */
  onWake(listener: () => void): void
}

/** A signal nobody listens to yet. */
export function makeOutboxSignal(): OutboxSignal {
  let wakeUp: (() => void) | undefined
  return {
    wake: () => wakeUp?.(),
    onWake: (listener) => {
      wakeUp = listener
    },
  }
}

/** A worker that has not reported back by then is taken for dead, in milliseconds. */
export const LEASE_MS = 60_000

/** Some fifteen hours of trying, longer than most outages of a mail server. */
export const MAX_ATTEMPTS = 24

const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 3_600_000

/**
 * Milliseconds until the next try after `attempts` failed ones: doubling to an hour, spread by
 * `chance` (0 to 1) so that a recovered server is not met by everybody at once.
 */
export function backoffMs(attempts: number, chance: number): number {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, attempts - 1))
  return Math.round(wait * (0.75 + chance / 2))
}
