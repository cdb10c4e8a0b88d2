import * as z from 'zod/mini'

/** Crockford base32, lower case: no i, l, o, u, so an id survives being read aloud. */
export const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 26 characters of five bits: 130 random bits (ASVS 11.5.1 asks for 128). */
export const ID_LENGTH = 26

function idOf<const Prefix extends string>(prefix: Prefix) {
  return z.string().check(z.regex(new RegExp(`^${prefix}_[${ID_ALPHABET}]{${ID_LENGTH}}$`)))
}

export const ProviderId = idOf('prv')
export type ProviderId = z.infer<typeof ProviderId>

export const MessageId = idOf('msg')
export type MessageId = z.infer<typeof MessageId>

/** An outbox job: an email, or other work that follows an action. */
export const OutboxId = idOf('out')

/** The `user_id` of the specification: an account of a patient, a provider or staff. */
export const UserId = idOf('usr')
export type UserId = z.infer<typeof UserId>

export const SessionId = idOf('ses')
export type SessionId = z.infer<typeof SessionId>

/** An access token somebody made for their own scripts. */
export const AccessTokenId = idOf('pat')

/** A link through which a calendar reads somebody's visits. */
export const CalendarFeedId = idOf('cal')

/** A provider's external calendar. */
export const OutsideCalendarId = idOf('ocl')

/** A file of appointments that a provider imported. */
export const ImportId = idOf('imp')
export type ImportId = z.infer<typeof ImportId>

/** A patient's objection to being marked as absent. */
export const OutcomeClaimId = idOf('clm')

/** A held, booked or cancelled appointment. */
export const AppointmentId = idOf('apt')
export type AppointmentId = z.infer<typeof AppointmentId>

/** A visit that a provider added for somebody who phoned or came to the desk. */
export const DeskVisitId = idOf('dsk')
export type DeskVisitId = z.infer<typeof DeskVisitId>

/** A visit in a provider's calendar, booked online or added at the desk. */
export const VisitId = z.union([AppointmentId, DeskVisitId])
export type VisitId = z.infer<typeof VisitId>

/** Whether an id is that of a desk visit. */
export function isDeskId(id: string): id is DeskVisitId {
  return id.startsWith('dsk_')
}

/** The short form of an appointment's id that people read out, such as `AP-7K3M-2Q`. */
export const Reference = z.string()
export type Reference = z.infer<typeof Reference>

/** The reference that the last six characters of an appointment's id make: 30 random bits. */
export function referenceOf(id: string): Reference {
  const code = id.slice(-6).toUpperCase()
  return `AP-${code.slice(0, 4)}-${code.slice(4)}`
}

/**
 * A reference as heard or typed: in any case, with or without its dashes, and with O, I and L for the digits
 * they look like. Null when it is not a reference.
 */
export function readReference(text: string): Reference | null {
  const typed = text.toLowerCase().replaceAll(/[^0-9a-z]/g, '')
  const code = (typed.length === 8 && typed.startsWith('ap') ? typed.slice(2) : typed)
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
  const isCode = code.length === 6 && Array.from(code).every((one) => ID_ALPHABET.includes(one))
  return isCode ? referenceOf(code) : null
}

/** One comparison of a claim with a professional register. */
export const CheckId = idOf('chk')
export type CheckId = z.infer<typeof CheckId>

/** The company a provider says they work as. */
export const CompanyClaimId = idOf('cmp')

/** A document uploaded for such a claim. */
export const DocumentId = idOf('doc')

/** Evidence that a provider is the person the register names. */
export const ProofId = idOf('prf')
export type ProofId = z.infer<typeof ProofId>

/** A picture of the site's gallery. */
export const ImageId = idOf('img')
export type ImageId = z.infer<typeof ImageId>

/** A provider's bank account. */
export const BankAccountId = idOf('bnk')
export type BankAccountId = z.infer<typeof BankAccountId>

/** One attempt to pay for an appointment. */
export const PaymentId = idOf('pay')
export type PaymentId = z.infer<typeof PaymentId>

/** A kind of visit that a provider offers. */
export const VisitTypeId = idOf('vtp')
export type VisitTypeId = z.infer<typeof VisitTypeId>

export const PlaceId = idOf('plc')
export type PlaceId = z.infer<typeof PlaceId>

/** Part of a day on which a provider takes no bookings. */
export const BlockId = idOf('blk')

/** Extra hours on one day. */
export const ExtraDateId = idOf('xdt')
export type ExtraDateId = z.infer<typeof ExtraDateId>

/** Days on which a provider is away. */
export const AbsenceId = idOf('abs')
export type AbsenceId = z.infer<typeof AbsenceId>
