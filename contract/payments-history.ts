import * as z from 'zod/mini'
import { AppointmentId, PaymentId, Reference } from './base/ids.ts'
import { GatewayAmount, Money } from './base/money.ts'
import { Page } from './base/paging.ts'
import { Region } from './base/region.ts'
import { IsoDate, IsoInstant } from './base/time.ts'
import { PaymentMethod, TypeName, VisitFacts, VisitType } from './booking.ts'
import { BOOKED } from './life-cycles/visit.ts'
import { VisitMode } from './search.ts'

/** Rows on a page of a history (specification, section 9). */
export const HISTORY_PAGE_SIZE = 5
export const YEAR_MIN = 1_000
export const YEAR_MAX = 9_999

export const HISTORY_MONTHS = [
  '01',
  '02',
  '03',
  '04',
  '05',
  '06',
  '07',
  '08',
  '09',
  '10',
  '11',
  '12',
] as const

/** 'Latest to Oldest' and 'Oldest to Latest'. */
export const HistorySort = z.enum(['desc', 'asc'], { error: 'sort_unknown' })
export type HistorySort = z.infer<typeof HistorySort>
/** What a history may be put in order by; anything else is `sort_unknown`. */
export const HistorySortBy = z.enum(
  ['date', 'amount', 'user_name', 'doctor_name', 'payment_method'],
  { error: 'sort_unknown' },
)
export type HistorySortBy = z.infer<typeof HistorySortBy>
export const HistoryMethod = z.enum(['all', 'stripe', 'paypal'])
export type HistoryMethod = z.infer<typeof HistoryMethod>
export const HistoryMonth = z.enum(['all', ...HISTORY_MONTHS])
export type HistoryMonth = z.infer<typeof HistoryMonth>

/** Filters of a history; the page's URL has the same ones. */
export type HistoryFilters = {
  sort: HistorySort
  payment_method: HistoryMethod
  month: HistoryMonth
  /** Any whole number: years nobody has lived in have no rows. */
  year?: number | undefined
}

/**
 * What is wrong with the month and year chosen, in the documented words. A month without a year is not
 * applied; a year out of bounds is applied, and finds nothing.
 */
export function yearProblem({
  month,
  year,
}: Pick<HistoryFilters, 'month' | 'year'>): { sentence: string; isApplied: boolean } | null {
  if (year === undefined) {
    return month === 'all' ? null : { sentence: 'Please enter a year', isApplied: false }
  }
  if (year >= YEAR_MIN && year <= YEAR_MAX) return null
  return { sentence: 'Please enter a valid year', isApplied: true }
}

/** Refuses a month without a year. */
export const monthNeedsYear = z.superRefine<Pick<HistoryFilters, 'month' | 'year'>>(
  (filters, context) => {
    if (yearProblem(filters)?.isApplied !== false) return
    context.addIssue({ code: 'custom', path: ['year'], message: 'year_missing' })
  },
)

const filters = {
  sort: z._default(HistorySort, 'desc'),
  payment_method: z._default(HistoryMethod, 'all'),
  /** Month of the visit at its place; needs a year. */
  month: z._default(HistoryMonth, 'all'),
  year: z.optional(z.int()),
  /** Defaults to the day of the visit. */
  sort_by: z.optional(HistorySortBy),
}

/** Input of a history: a page of the rows that match the filters. */
export const HistoryInput = z
  .strictObject({ page: z._default(Page, 1), ...filters })
  .check(monthNeedsYear)
export type HistoryInput = z.infer<typeof HistoryInput>

/** Input for all rows of the caller's own history that match the filters: a file, or a print view. */
export const AllHistoryInput = z.strictObject(filters).check(monthNeedsYear)
export type AllHistoryInput = z.infer<typeof AllHistoryInput>

/** One booked appointment, under the documented names. What is null is shown as N/A. */
export const HistoryRow = z.object({
  id: AppointmentId,
  reference: Reference,
  /** Null once the patient has erased the account. */
  user_name: z.nullable(z.string()),
  doctor_name: z.nullable(z.string()),
  /** Date and local time at the place. */
  date: z.nullable(IsoDate),
  start_time: z.nullable(z.string()),
  mode: VisitMode,
  /** Practice location, in the history of a provider with more than one; else null. */
  place: z.nullable(z.string()),
  amount: z.nullable(Money),
  payment_method: z.nullable(z.enum(['stripe', 'paypal'])),
  /** `uk`, `usa`, or what older records say. */
  doctor_region: z.string(),
  state: z.enum(BOOKED),
  /** How much of the amount was refunded, or is being refunded. */
  refunded: z.nullable(Money),
})
export type HistoryRow = z.infer<typeof HistoryRow>

export const HistoryPage = z.object({
  appointments: z.array(HistoryRow),
  current_page: z.int(),
  /** Pages that can be requested; 0 when there is nothing. */
  total_pages: z.int(),
  /** How many appointments match the filters. */
  total: z.int(),
})
export type HistoryPage = z.infer<typeof HistoryPage>

/** Most rows written into one file. */
export const EXPORT_MAX = 100_000
/** Most rows in a print view. */
export const PRINT_MAX = 1_000

/**
 * POST the filters here (`ExportInput` for staff, `AllHistoryInput` for a provider's own) to download the
 * history as CSV (RFC 4180), streamed.
 */
export const EXPORT_PATH = '/download/payment-history'
export const OWN_EXPORT_PATH = '/download/own-payment-history'

/**
 * Everything that matches the filters, for printing; when there are too many rows, the last ones in the
 * requested order are left out.
 */
export const HistorySheet = z.object({ appointments: z.array(HistoryRow), isCut: z.boolean() })
export type HistorySheet = z.infer<typeof HistorySheet>

/** What a provider earns from the visits of one month: paid, less refunds. */
export const Earnings = z.object({
  /** The month at the main place, given as its first day. */
  month: IsoDate,
  /** Visits that are over, and those still to come. */
  earned: Money,
  visits: z.int(),
  coming: Money,
  comingVisits: z.int(),
})
export type Earnings = z.infer<typeof Earnings>

export const ReceiptInput = z.strictObject({ paymentId: PaymentId })
export type ReceiptInput = z.infer<typeof ReceiptInput>

/** One payment received, for the payer: what it was for, how it was paid, and its refunds. */
export const Receipt = z.object({
  paymentId: PaymentId,
  reference: Reference,
  /** Null once the patient has erased the account. */
  patientName: z.nullable(z.string()),
  provider: z.object({ name: z.string(), specialty: z.string() }),
  place: VisitFacts.shape.place,
  region: Region,
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
  typeOfVisit: VisitType,
  typeName: TypeName,
  mode: VisitMode,
  /** State of the visit; `none` when this money booked nothing. */
  visit: z.enum(['booked', 'cancelled', 'none']),
  method: PaymentMethod,
  /** Amount received. */
  paid: GatewayAmount,
  paidAt: IsoInstant,
  /** Refunds completed or under way, earliest first. */
  refunds: z.array(z.object({ amount: GatewayAmount, at: IsoInstant, isDone: z.boolean() })),
  /** What is left of it after the refunds. */
  left: GatewayAmount,
})
export type Receipt = z.infer<typeof Receipt>
