import * as z from 'zod/mini'
import { HistoryInput, type HistoryPage, HistorySortBy } from '#contract/payments-history.ts'
import { StaffHistoryInput } from '#contract/payments-staff.ts'
import { Region } from '#contract/region.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type Caller, noBody, type RestCall, restCall } from './call.ts'
import { Amount, formatSlashedDate, majorText, numeric } from './fields.ts'

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
  state: z.enum(['confirmed', 'cancelled']),
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
