import * as z from 'zod/mini'
import type { ExpectedVisit } from '#contract/booking.ts'
import { Region } from '#contract/region.ts'
import { AppError } from '#server/kernel/errors.ts'
import { noBody, noQuery, type RestCall, restCall } from './call.ts'
import { Clock, Day, minorOf } from './fields.ts'

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
    'Our own records say what the order is for. Each field you send is compared with them: if an amount, a patient or a visit differs, the answer is `success: false` and nothing is charged. Sending it again returns the first answer again.',
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
    'The checkout asks every five seconds, twelve times. The server decides: a payment that arrives later is confirmed or refunded, and the patient is emailed.',
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
