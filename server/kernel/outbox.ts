import type { NamedTopic } from './email-rules.ts'
import type { AccountLetter, OutboxPayloads, OutboxTopic } from './outbox-topics.ts'

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
