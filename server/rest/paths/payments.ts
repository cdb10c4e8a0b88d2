import * as z from 'zod/mini'
import { Region } from '#contract/base/region.ts'
import type { ExpectedVisit } from '#contract/booking.ts'
import { BOOKED } from '#contract/life-cycles/visit.ts'
import { StaffHistoryInput } from '#contract/payments.ts'
import { HistoryInput, type HistoryPage, HistorySortBy } from '#contract/payments-history.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  Amount,
  type Caller,
  Clock,
  Day,
  formatSlashedDate,
  majorText,
  minorOf,
  noBody,
  noQuery,
  numeric,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'

const room = 'Payments'

const Text = z.optional(z.nullable(z.string().check(z.maxLength(4_000))))

const Verification = z.strictObject({
  orderID: z.string({ error: 'Send the order.' }).check(z.regex(/^[\w-]{1,255}$/)),
  bookingDetails: z.optional(z.nullable(z.looseObject({ date: Text, time: Text }))),
  doctorDetails: z.optional(z.nullable(z.looseObject({ _id: Text }))),
  user_id: Text,
  paymentMethod: Text,
  purposeForVisit: Text,
  formattedEndTime: Text,
  /** Formatted for display, so there is nothing to compare it with. */
  hospitalLocation: z.optional(z.unknown()),
  /** In pounds or dollars: 60, 60.00 or "60.00". */
  selectedAmount: z.optional(z.nullable(z.union([z.number(), z.string()]))),
  isOldPatient: z.optional(z.nullable(z.boolean())),
})
type Verification = z.infer<typeof Verification>

/** An impossible price, which stands for an unreadable amount. */
const NO_PRICE = -1

function amountOf({ selectedAmount: amount }: Verification): { selectedAmount?: number } {
  if (amount === undefined || amount === null) return {}
  const minor = minorOf(amount)
  return { selectedAmount: Number.isNaN(minor) ? NO_PRICE : minor }
}

/** The visit as the client describes it; unreadable fields are undefined. */
function believedVisit(body: Verification, region: Region | undefined): ExpectedVisit {
  return {
    providerId: body.doctorDetails?._id ?? undefined,
    region,
    date: Day.safeParse(body.bookingDetails?.date).data,
    time: Clock.safeParse(body.bookingDetails?.time).data,
    endTime: Clock.safeParse(body.formattedEndTime).data,
    isFollowUp: body.isOldPatient ?? undefined,
    purpose: body.purposeForVisit ?? undefined,
  }
}

const verify = restCall({
  method: 'POST',
  path: '/user/verify-payment/',
  room,
  title: 'Capture an approved wallet order',
  about:
    'Our own records determine the order. Each field you send is compared with them: if an amount, a patient or a visit differs, the response is `success: false` and nothing is charged. A repeat returns the first response.',
  procedures: ['payments.capture'],
  refusals: ['not_found', 'hold_expired'],
  words: ['message'],
  example: {
    as: 'patient',
    before: [
      '# What the buyer does in the wallet; in the demo its place is taken by the sandbox.',
      `curl -s "$BASE/sandbox/paypal/approve" -H 'Content-Type: application/json' \\\n  -d '{"token":"'"$ORDER"'","outcome":"pay"}'`,
    ],
    query: { providerRegion: 'uk' },
    body: { orderID: '$ORDER', paymentMethod: 'paypal', selectedAmount: '$AMOUNT' },
    answer: { status: true, success: true },
  },
  query: z.strictObject({ providerRegion: z.optional(Region) }),
  body: { json: Verification },
  answer: z.object({
    status: z.boolean(),
    success: z.boolean(),
    message: z.optional(z.string()),
  }),
  run: async ({ ctx, caller, query, body }) => {
    // Another user's order is `not_found`, whatever user id the client sends.
    if ((body.user_id ?? ctx.session?.userId) !== ctx.session?.userId) {
      throw new AppError('not_found')
    }
    const { success } = await caller.payments.capture({
      orderId: body.orderID,
      ...amountOf(body),
      believed: believedVisit(body, query.providerRegion),
    })
    return success
      ? { status: true, success }
      : { status: false, success, message: 'Payment verification failed.' }
  },
})

const status = restCall({
  method: 'GET',
  path: '/user/check-payment-status/{orderId}/',
  room,
  title: 'Check the status of a payment',
  about:
    'The checkout polls every five seconds, twelve times. The server decides: a payment that arrives later is confirmed or refunded, and the patient is emailed.',
  procedures: ['payments.status'],
  refusals: ['not_found'],
  example: {
    as: 'patient',
    params: { orderId: '$ORDER' },
    answer: { status: 'COMPLETED', reason: null, appointment_id: 'apt_…' },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({
    status: z.enum(['PENDING', 'COMPLETED', 'FAILED']),
    reason: z.nullable(z.string()),
    appointment_id: z.nullable(z.string()),
  }),
  run: async ({ caller, params }) => {
    const { orderId = '' } = params
    const { visitId, ...rest } = await caller.payments.status({ orderId })
    return { ...rest, appointment_id: visitId }
  },
})

const sessionStatus = restCall({
  method: 'GET',
  path: '/user/stripe-checkout-session-status',
  room,
  title: 'Check how a card checkout ended',
  about:
    '`complete` when it is paid and booked, `open` while it can be paid. The address is for the payer only; for everybody else it is null.',
  procedures: ['payments.returned'],
  refusals: ['not_found'],
  example: {
    as: 'patient',
    before: ['SESSION=${SECRET%%_secret_*}'],
    query: { session_id: '$SESSION' },
    answer: { status: 'complete', customer_email: 'patient@demo.example' },
  },
  query: z.strictObject({ session_id: z.string().check(z.regex(/^[\w-]{1,255}$/)) }),
  body: noBody,
  answer: z.object({
    status: z.enum(['complete', 'open', 'processing', 'failed']),
    customer_email: z.nullable(z.string()),
  }),
  run: ({ caller, query }) => caller.payments.returned(query),
})

/** Confirming payments and reading their status. */
export const paymentCalls: readonly RestCall[] = [verify, status, sessionStatus]

const filters = HistoryInput.shape

/** Filters of a history as the documented screens send them. */
const historyQuery = {
  page: z.optional(numeric(filters.page.def.innerType)),
  sort: z.optional(filters.sort),
  payment_method: z.optional(filters.payment_method),
  month: z.optional(filters.month),
  year: z.optional(numeric(z.int({ error: 'Please enter a valid year' }))),
  sort_by: z.optional(HistorySortBy),
}

const Row = z.object({
  id: z.string(),
  /** Reference that people can read out, `AP-7K3M-2Q`. */
  reference: z.string(),
  user_name: z.nullable(z.string()),
  doctor_name: z.nullable(z.string()),
  /** Day/month/year, in the time zone of the visit. */
  date: z.nullable(z.string()),
  start_time: z.nullable(z.string()),
  amount: z.nullable(Amount),
  payment_method: z.nullable(z.string()),
  doctor_region: z.string(),
  state: z.enum(BOOKED),
})

const History = z.object({
  status: z.literal(true),
  appointments: z.array(Row),
  current_page: z.int(),
  total_pages: z.int(),
  total: z.int(),
})

/** A page of a history under the documented names. */
function historyOf(page: HistoryPage): z.input<typeof History> {
  return {
    status: true,
    ...page,
    appointments: page.appointments.map((row) => ({
      ...row,
      date: row.date === null ? null : formatSlashedDate(row.date),
      amount: row.amount === null ? null : majorText(row.amount),
    })),
  }
}

/**
 * The provider's own region. An access token may cover payments only; then the region comes from the rows.
 */
async function regionOf({ token }: Context, caller: Caller, { appointments }: HistoryPage) {
  return token === null
    ? (await caller.profiles.own({})).region
    : (appointments[0]?.doctor_region ?? null)
}

const example = {
  id: 'apt_…',
  reference: 'AP-7K3M-2Q',
  user_name: 'Maya Ellis',
  doctor_name: 'Dr Amara Okafor',
  date: '02/03/2026',
  start_time: '14:30',
  amount: '60.00',
  payment_method: 'stripe',
  doctor_region: 'uk',
  state: 'confirmed',
}

const providerHistory = restCall({
  method: 'GET',
  path: '/provider/provider-booked-appointment-history/{providerId}/',
  room: 'Payments',
  title: 'Read your booked history',
  about:
    'A provider’s own, five a page. `month` needs a `year`. `sort_by` is date, amount, user_name, doctor_name or payment_method. A page past the end is an empty list.',
  procedures: ['payments.providerHistory', 'profiles.own'],
  refusals: ['page_invalid', 'year_missing', 'sort_unknown'],
  own: { param: 'providerId', is: 'provider' },
  example: {
    as: 'provider',
    params: { providerId: '$PROVIDER' },
    query: { ProviderRegion: 'uk', page: '1', sort: 'desc', payment_method: 'all' },
    answer: {
      status: true,
      appointments: [example],
      current_page: 1,
      total_pages: 3,
      total: 12,
    },
  },
  query: z.strictObject({ ...historyQuery, ProviderRegion: z.optional(Region) }),
  body: noBody,
  answer: History,
  run: async ({ ctx, caller, query }) => {
    const { ProviderRegion: region, ...input } = query
    const page = await caller.payments.providerHistory(input)
    const own = region === undefined ? null : await regionOf(ctx, caller, page)
    if ((own ?? region) !== region) throw new AppError('not_found')
    return historyOf(page)
  },
})

const staffHistory = restCall({
  method: 'GET',
  path: '/payments-history/',
  room: 'Payments',
  title: 'Read everybody’s payments',
  about:
    'For staff, five a page. Names are null for editors and authors. `sort_by` is date, amount, user_name, doctor_name or payment_method; `reference` finds one appointment.',
  procedures: ['payments.staffHistory'],
  refusals: ['page_invalid', 'year_missing', 'sort_unknown'],
  words: ['message', 'detail'],
  example: {
    as: 'staff',
    query: { page: '1', sort: 'desc', payment_method: 'all', sort_by: 'date' },
    answer: { status: true, appointments: [example], current_page: 1, total_pages: 3, total: 12 },
  },
  query: z.strictObject({ ...historyQuery, reference: StaffHistoryInput.shape.reference }),
  body: noBody,
  answer: History,
  run: async ({ caller, query }) => historyOf(await caller.payments.staffHistory(query)),
})

/** Booking histories. */
export const historyCalls: readonly RestCall[] = [providerHistory, staffHistory]
