import * as z from 'zod/mini'
import { AppointmentId, PaymentId, Reference, readReference } from './ids.ts'
import { Money, Moved } from './money.ts'
import { Page } from './paging.ts'
import {
  HistoryMethod,
  HistoryMonth,
  HistorySort,
  HistorySortBy,
  monthNeedsYear,
} from './payments-history.ts'
import { VisitMode } from './search.ts'
import { IsoInstant } from './time.ts'

// Apart from the rest of the room: only staff's pages carry it.

/** `refunded`: money went back, all of it or a part, or is on its way. */
export const StaffHistoryState = z.enum(['all', 'confirmed', 'cancelled', 'refunded'])
export type StaffHistoryState = z.infer<typeof StaffHistoryState>
const StaffHistoryRegion = z.enum(['all', 'uk', 'usa'])
export type StaffHistoryRegion = z.infer<typeof StaffHistoryRegion>

const NAME_MAX = 80

/** A reference as it was heard or typed, in the form it is kept in; anything else finds nothing. */
const TypedReference = z.string().check(
  z.trim(),
  z.maxLength(40, { error: 'Shorten this.' }),
  z.overwrite((text: string) => readReference(text) ?? text),
)

const filters = {
  sort: z._default(HistorySort, 'desc'),
  sort_by: z._default(HistorySortBy, 'date'),
  payment_method: z._default(HistoryMethod, 'all'),
  /** Month of the visit at its place; needs a year. */
  month: z._default(HistoryMonth, 'all'),
  year: z.optional(z.int()),
  state: z._default(StaffHistoryState, 'all'),
  region: z._default(StaffHistoryRegion, 'all'),
  /** The one appointment people read this out for. */
  reference: z.optional(TypedReference),
  /** Checkout session, payment intent, order or capture, as the gateway calls it. */
  gateway: z.optional(z.string().check(z.trim(), z.maxLength(255, { error: 'Shorten this.' }))),
  /** The whole address of a patient or provider; for those who may see names. */
  email: z.optional(
    z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254, { error: 'Shorten this.' })),
  ),
  /** Beginnings of a patient's or provider's names, each word one; for those who may see names. */
  name: z.optional(
    z.string().check(z.trim(), z.minLength(2), z.maxLength(NAME_MAX, { error: 'Shorten this.' })),
  ),
}

type Search = { reference?: string; gateway?: string; email?: string; name?: string }

/**
 * What somebody typed into the one field for it: a reference, an address, the id a gateway gave
 * (`pi_3Q…`, `5O190127TN364715T`), or else a name. Nothing for less than two emails.
 */
export function readSearch(typed: string): Search {
  const text = typed.trim()
  if (text.length < 2) return {}
  const reference = readReference(text)
  if (reference !== null) return { reference }
  if (text.includes('@')) return { email: text }
  if (/^[a-z]{2,5}_\w+$/i.test(text) || /^(?=.*\d)[0-9A-Z]{10,}$/i.test(text))
    return { gateway: text }
  return { name: text }
}

/** Input of `payments.staffHistory`: a page of everybody's booked appointments. */
export const StaffHistoryInput = z
  .strictObject({ page: z._default(Page, 1), ...filters })
  .check(monthNeedsYear)
export type StaffHistoryInput = z.infer<typeof StaffHistoryInput>

/** Input of `payments.printHistory`, and body of `EXPORT_PATH`: the same without a page. */
export const ExportInput = z.strictObject(filters).check(monthNeedsYear)
export type ExportInput = z.infer<typeof ExportInput>

export const Gateway = z.enum(['stripe', 'paypal'])
export type Gateway = z.infer<typeof Gateway>

const PaymentState = z.enum([
  'creating',
  'open',
  'capturing',
  'paid',
  'expired',
  'abandoned',
  'failed',
  'refund_due',
  'refunded',
  'review',
])
export type PaymentState = z.infer<typeof PaymentState>

const RefundState = z.enum(['due', 'pending', 'done', 'failed'])
export type RefundState = z.infer<typeof RefundState>

/** Why money goes back. */
export type RefundReason =
  /** Money without a visit. */
  | 'slot_lost'
  | 'cancelled'
  | 'staff'
  | 'review'
  | 'overpaid'
  /** Its provider, or staff, said that the visit did not take place. */
  | 'not_held'
  /** The patient did not come, and the provider keeps a part only. */
  | 'no_show'
  /** Somebody else took the time of a visit that was cancelled late: the fee goes back as well. */
  | 'refilled'
  /** Somebody refunded it at the gateway itself; our books follow. */
  | 'gateway'

const VisitStage = z.enum(['held', 'confirmed', 'released', 'cancelled'])
export type VisitStage = z.infer<typeof VisitStage>

/** One thing that happened to a visit or its payments, in the order of the clock. */
export const TimelineEntry = z.object({
  at: IsoInstant,
  what: z.enum([
    'held',
    'started',
    'moved',
    'event',
    'booked',
    'released',
    'cancelled',
    'visit_moved',
    'times_proposed',
    'time_kept',
    'decided',
    'refund_asked',
    'refund_ended',
    'refund_dealt',
    'email',
  ]),
  /** Address of the staff member who did it; null for everybody else. */
  who: z.nullable(z.string()),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  amount: z.nullable(Moved),
  /** A reason in words, the name of an event, the heading of an email. */
  note: z.nullable(z.string()),
  /** What the gateway calls it. */
  reference: z.nullable(z.string()),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

export const PaymentDetail = z.object({
  id: PaymentId,
  gateway: Gateway,
  state: PaymentState,
  amount: Money,
  /** What came in, where it differs from what was asked for. */
  taken: z.nullable(Moved),
  refunded: Moved,
  /** Minor units that may still go back, of what came in. */
  refundable: z.int(),
  session: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  startedAt: IsoInstant,
})
export type PaymentDetail = z.infer<typeof PaymentDetail>

/** Everything staff see of one visit and its money; never what the visit is about. */
export const StaffPayment = z.object({
  id: AppointmentId,
  reference: Reference,
  user_name: z.nullable(z.string()),
  doctor_name: z.nullable(z.string()),
  doctor_region: z.string(),
  state: VisitStage,
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
  typeOfVisit: z.enum(['first_visit', 'follow_up']),
  /** Name of the type; null where its provider had only one. */
  typeName: z.nullable(z.string()),
  mode: VisitMode,
  /** USA: where the patient said they would be for a visit by video. */
  patientState: z.nullable(z.string()),
  /** Booked, and not begun yet: its time can be released. */
  isComing: z.boolean(),
  /** The newest last. */
  payments: z.array(PaymentDetail),
  timeline: z.array(TimelineEntry),
})
export type StaffPayment = z.infer<typeof StaffPayment>

export const StaffPaymentInput = z.strictObject({ id: AppointmentId })
export type StaffPaymentInput = z.infer<typeof StaffPaymentInput>

const REASON = 'Give the reason: it is kept with the payment.'

/** Why staff did something: some lines of plain text, kept and shown to staff only. */
export const StaffReason = z.string({ error: REASON }).check(
  z.trim(),
  z.minLength(1, { error: REASON, abort: true }),
  z.maxLength(500, { error: 'Use 500 characters or fewer.' }),
  z.overwrite((text: string) => text.replaceAll(/\r\n?/g, '\n')),
  z.regex(/^(?:[^\p{Cc}\p{Cf}\p{Co}\p{DI}]|\n)*$/u, {
    error: 'Use plain letters, digits and signs.',
  }),
)

/** Minor units above which all that staff give back of one payment is a superuser's, with a fresh proof. */
export const REFUND_LIMIT: Readonly<Record<string, number>> = { GBP: 30_000, USD: 35_000 }

/** Input of `payments.refund`. */
export const RefundInput = z.strictObject({
  paymentId: PaymentId,
  /** Minor units of what came in. */
  minor: z.int({ error: 'Enter an amount.' }).check(z.minimum(1, { error: 'Enter an amount.' })),
  reason: StaffReason,
  /** Names this refund, so that sending it twice gives back once. */
  key: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
  /** Cancels the coming visit as well; only with all that is left. */
  releaseTime: z._default(z.boolean(), false),
})
export type RefundInput = z.infer<typeof RefundInput>
