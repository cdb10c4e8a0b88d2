import * as z from 'zod/mini'
import { Region } from '#contract/region.ts'
import { noBody, noQuery, type RestCall, restCall } from './call.ts'
import { minorOf } from './fields.ts'

const room = 'Payments'

/** Whatever a client believes about the visit: compared where it can be, and never used. */
const Believed = z.optional(
  z.union([z.looseObject({}), z.string().check(z.maxLength(4_000)), z.null()]),
)

const Verification = z.strictObject({
  orderID: z.string({ error: 'Send the order.' }).check(z.regex(/^[\w-]{1,255}$/)),
  bookingDetails: Believed,
  doctorDetails: Believed,
  user_id: z.optional(z.union([z.string(), z.null()])),
  paymentMethod: z.optional(z.union([z.string(), z.null()])),
  purposeForVisit: z.optional(z.union([z.string(), z.null()])),
  formattedEndTime: z.optional(z.union([z.string(), z.null()])),
  hospitalLocation: Believed,
  /** In pounds or dollars: 60, 60.00 or "60.00". */
  selectedAmount: z.optional(z.union([z.number(), z.string(), z.null(), z.nan()])),
  isOldPatient: z.optional(z.union([z.boolean(), z.null()])),
})

const verify = restCall({
  method: 'POST',
  path: '/user/verify-payment/',
  room,
  title: 'Take the money of an approved wallet order',
  about:
    'Our own books say what the order is for. Each field that is sent is compared with them, and an amount, a patient or a visit that differs is answered with `success: false`: then nothing is taken. Sending it again gives the first answer again.',
  procedures: ['payments.capture'],
  refusals: ['not_found', 'hold_expired'],
  words: ['message'],
  example: {
    as: 'patient',
    query: { providerRegion: 'uk' },
    body: { orderID: '$ORDER', paymentMethod: 'paypal', selectedAmount: '60.00' },
    answer: { status: true, success: true },
  },
  query: z.strictObject({ providerRegion: z.optional(Region) }),
  body: { json: Verification },
  answer: z.object({
    status: z.boolean(),
    success: z.boolean(),
    message: z.optional(z.string()),
  }),
  run: async ({ caller, body }) => {
    const { orderID: orderId, selectedAmount } = body
    const { success } = await caller.payments.capture({
      orderId,
      ...(selectedAmount === undefined || selectedAmount === null
        ? {}
        : { selectedAmount: asked(selectedAmount) }),
    })
    return success
      ? { status: true, success }
      : { status: false, success, message: 'Payment verification failed.' }
  },
})

/** What no price of ours can be, when the text is no amount at all. */
function asked(amount: number | string): number {
  const minor = minorOf(amount)
  return Number.isNaN(minor) ? -1 : minor
}

const status = restCall({
  method: 'GET',
  path: '/user/check-payment-status/{orderId}/',
  room,
  title: 'Ask how a payment stands',
  about:
    'Every five seconds, twelve times, is what the checkout does. It is decided on the server: what comes in later is confirmed, or paid back, and mailed.',
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
  title: 'Ask how a card checkout ended',
  about:
    '`complete` when it is paid and booked, `open` while it can be paid. The address is for the payer only; for everybody else it is null.',
  procedures: ['payments.returned'],
  refusals: ['not_found'],
  example: {
    as: 'patient',
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

/** How payments end. */
export const paymentCalls: readonly RestCall[] = [verify, status, sessionStatus]
