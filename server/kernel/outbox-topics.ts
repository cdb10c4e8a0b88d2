import * as z from 'zod/mini'

/** Emails to the owner of an account, by event. */
const accountLetters = [
  'verify',
  'verify_provider',
  'already_registered',
  'reset',
  'password_changed',
  'confirm_address',
  'address_change_asked',
  'email_changed',
  'booking_code',
  'erase_code',
  'second_factor_on',
  'second_factor_off',
  'recovery_used',
  'erased',
  'staff_added',
  'password_chosen',
  'role_changed',
  'staff_removed',
] as const
export type AccountLetter = (typeof accountLetters)[number]

/** Marks an account letter that is never sent: it only takes as long as one that is. */
export const NO_RECIPIENT = 'nobody'

const Id = z.string()
/** The sequence of a visit right after the change: whoever finds another one says nothing of this change. */
const Sequence = z.int()

/** The payload of each topic: ids only, so that the facts are re-read when the job runs. */
const outboxTopics = {
  'message.received': z.object({ messageId: Id }),
  /** An email to the owner of an account; `secret`, `to` and `next` are encrypted, or empty. */
  'account.letter': z.object({
    letter: z.enum([...accountLetters, NO_RECIPIENT]),
    userId: z.string(),
    secret: z.string(),
    to: z.string(),
    next: z.string(),
  }),
  /** An account is erased: rooms that keep more personal data than the account row delete it. */
  'account.erased': z.object({ userId: Id }),
  /** A picture was replaced or its owner is gone: its file is deleted unless still in use. */
  'picture.dropped': z.object({ path: z.string() }),
  /** A document is no longer used: its file is deleted. */
  'document.dropped': z.object({ file: z.string() }),
  /** The nightly check withdrew a provider's registration status: they and staff are told. */
  'verification.lost': z.object({ checkId: Id }),
  /** Staff decided about a provider: they are told. */
  'verification.decided': z.object({ checkId: Id }),
  /** Staff asked a provider for information: the provider is emailed. */
  'verification.asked': z.object({ requestId: Id }),
  /** Staff entered a published address to which a provider can have a code sent: they are told. */
  'proof.offered': z.object({ proofId: Id }),
  /** A code is sent to that address; `secret` is encrypted. */
  'proof.code': z.object({ proofId: Id, secret: z.string() }),
  /** Staff refused the proof a provider sent: the provider is told. */
  'proof.refused': z.object({ proofId: Id }),
  /** Staff decided on a company claim: its provider is told, unless they have decided otherwise since. */
  'company.decided': z.object({ claimId: Id, decision: z.string() }),
  /** A payment was refunded: the patient is told. */
  'payment.refunded': z.object({ refundId: Id }),
  /** An approved PayPal payment was not captured after all: the patient is told. */
  'payment.not_taken': z.object({ paymentId: Id }),
  /** A payment needs manual attention. */
  'payment.alert': z.object({ paymentId: Id, what: z.enum(['mismatch', 'refund_failed']) }),
  /** The gateways' records and ours differ: staff are told of the differences marked with `toldAt`. */
  'payment.differences': z.object({ toldAt: z.int() }),
  /** A provider's search entry may be out of date. */
  'provider.changed': z.object({ providerId: Id }),
  /** A bank account was changed: its owner is told. `account` is its display form, encrypted. */
  'bank.changed': z.object({
    what: z.enum(['added', 'edited', 'deleted', 'primary']),
    userId: Id,
    account: z.string(),
  }),
  /** An access token was created: its owner is told. */
  'token.created': z.object({ tokenId: Id }),
  /** A visit is paid for: its patient and its provider are told. */
  'booking.confirmed': z.object({ bookingId: Id }),
  /**
   * An upcoming visit is cancelled: patient and provider are told. `leaver` holds the provider's details,
   * encrypted, when the cause is that they erased their account.
   */
  'booking.cancelled': z.object({ bookingId: Id, leaver: z.optional(z.string()) }),
  /** A visit was moved: patient and provider are told, unless it has changed again. */
  'booking.moved': z.object({ bookingId: Id, sequence: Sequence }),
  /** A provider proposes times for a visit: its patient is told, unless it has since changed. */
  'booking.proposed': z.object({ bookingId: Id, sequence: Sequence, at: z.string() }),
  /** A patient declined the proposed times: the provider is told, unless the visit has since changed. */
  'booking.kept': z.object({ bookingId: Id, sequence: Sequence }),
  /** A desk visit was entered for a person with an email address: they are told. */
  'desk.booked': z.object({ deskId: Id }),
  /** A desk visit was moved: the person is told, unless it has changed again. */
  'desk.moved': z.object({ deskId: Id, sequence: Sequence }),
  /**
   * A desk visit is cancelled: the person is told. `told` holds everything the email needs, encrypted, when
   * nothing else is kept; `why` is the reason given, also encrypted.
   */
  'desk.cancelled': z.object({
    deskId: Id,
    told: z.optional(z.string()),
    why: z.optional(z.string()),
  }),
  /** A patient was marked as a no-show: they are told. */
  'outcome.no_show': z.object({ bookingId: Id }),
  /** A patient contests a no-show: the provider is told. */
  'claim.made': z.object({ claimId: Id }),
  /** A contested no-show is decided: patient and provider are told. */
  'claim.decided': z.object({ claimId: Id }),
  /** A calendar link was made: its owner is told. */
  'feed.created': z.object({ feedId: Id }),
  /** An external calendar has failed for a day: its owner is told. */
  'outside.failing': z.object({ calendarId: Id }),
  /** Visits of one day are coming up: their patient is reminded. */
  'reminder.due': z.object({ batch: z.string() }),
}

export type OutboxTopic = keyof typeof outboxTopics
export type OutboxPayloads = { [T in OutboxTopic]: z.infer<(typeof outboxTopics)[T]> }
/** What a job is given: its payload, and the id of its delivery. */
export type OutboxJob<T extends OutboxTopic> = OutboxPayloads[T] & { deliveryId: string }

/** All topics of this version. */
export const OUTBOX_TOPICS = Object.keys(outboxTopics).filter(isOutboxTopic)

/** Whether this version knows the topic of a stored row. */
export function isOutboxTopic(topic: string): topic is OutboxTopic {
  return Object.hasOwn(outboxTopics, topic)
}

const schemas: { [T in OutboxTopic]: z.ZodMiniType<OutboxPayloads[T]> } = outboxTopics

/** The payload of a stored row. Throws where it is damaged. */
export function readOutboxPayload<T extends OutboxTopic>(
  topic: T,
  payload: string,
): OutboxPayloads[T] {
  return schemas[topic].parse(JSON.parse(payload))
}

/** Topics that send no email. */
export const LOCAL_TOPICS = [
  'account.erased',
  'picture.dropped',
  'document.dropped',
  'provider.changed',
] as const satisfies readonly OutboxTopic[]
export type LocalTopic = (typeof LOCAL_TOPICS)[number]
