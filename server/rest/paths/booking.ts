import * as z from 'zod/mini'
import { CheckCodeInput } from '#contract/auth-codes.ts'
import { CaptchaValue } from '#contract/base/captcha.ts'
import { ProviderId, VisitTypeId } from '#contract/base/ids.ts'
import { Region } from '#contract/base/region.ts'
import { UsState } from '#contract/base/us-states.ts'
import { Purpose, VisitType } from '#contract/booking.ts'
import { VisitMode } from '#contract/search.ts'
import {
  type Caller,
  noBody,
  noQuery,
  OK,
  okFields,
  okMessage,
  parseId,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'
import {
  aboutTwice,
  namesTime,
  slotOf,
  type TimeFields,
  timeFields,
  timeRequired,
} from '#server/rest/time-fields.ts'

const room = 'Booking'

const checkSlot = restCall({
  method: 'GET',
  path: '/user/check-slot/{doctorId}/',
  room,
  title: 'Check whether a time is free',
  about: `Advisory only: every payment starts with a hold on the time, and the hold decides. Also true for a time you hold. ${aboutTwice} At most sixty a minute from one network.`,
  procedures: ['booking.checkSlot'],
  refusals: [
    'date_invalid',
    'slot_impossible',
    'provider_not_found',
    'visit_type_not_offered',
    'rate_limited',
  ],
  example: {
    params: { doctorId: '$PROVIDER' },
    query: { providerRegion: 'uk', date: '$DATE', time: '$TIME' },
    answer: { status: true, available: true, data: { available: true } },
  },
  query: z
    .strictObject({
      providerRegion: z.optional(Region),
      /** As in the checkout body. */
      visit_type: z.optional(VisitTypeId),
      ...timeFields,
    })
    .check(timeRequired),
  body: noBody,
  answer: z.object({
    status: z.literal(true),
    available: z.boolean(),
    data: z.object({ available: z.boolean() }),
  }),
  run: async ({ caller, params, query }) => {
    const { providerRegion: region, visit_type: typeId, ...time } = query
    const providerId = parseId(ProviderId, params['doctorId'])
    const data = await caller.booking.checkSlot({ providerId, region, typeId, ...slotOf(time) })
    return { ...OK, ...data, data }
  },
})

/** The names that the documentation gives the time in a checkout. */
type CheckoutTime = { [Name in 'bookedDate' | 'timeSlot' | 'starts_at']?: string | undefined }

function timeOf({ bookedDate: date, timeSlot: time, starts_at }: CheckoutTime): TimeFields {
  return { date, time, starts_at }
}

/** The documented body of a card checkout; a wallet order takes the same. */
const Checkout = z
  .strictObject({
    providerId: ProviderId,
    providerRegion: z.optional(Region),
    bookedDate: timeFields.date,
    timeSlot: timeFields.time,
    starts_at: timeFields.starts_at,
    type_of_visit: z._default(VisitType, 'first_visit'),
    /** Reason for the visit, from "List what visits to a doctor can be about"; the first type when left out. */
    visit_type: z.optional(VisitTypeId),
    purpose_for_visit: Purpose,
    /** In person when left out, if the provider offers that. */
    mode: z.optional(VisitMode),
    /** USA: two-letter code of the state the patient will be in during a video visit. */
    patient_state: z.optional(UsState),
    /** Miles; only stored and shown again. */
    doctorDistance: z.optional(z.union([z.string().check(z.maxLength(20)), z.number()])),
    /** Confirms that this visit may overlap another of the patient's visits. */
    overlapOk: z.optional(z.boolean()),
    /** A solved challenge of the `work` that `captcha_required` names. */
    captchaValue: z.optional(CaptchaValue),
  })
  .check(
    z.refine<CheckoutTime>((body) => namesTime(timeOf(body)), {
      error: 'date_invalid',
      path: ['bookedDate'],
    }),
  )
type Checkout = z.infer<typeof Checkout>

/** Rounded to one decimal, as holds store it; undefined for an invalid distance. */
function distanceOf(text: Checkout['doctorDistance']): string | undefined {
  const miles = Number.parseFloat(String(text))
  return miles >= 0 && miles < 10_000 ? miles.toFixed(1) : undefined
}

/** The hold found may be an older one with another visit mode, so the mode is set again. */
async function describeMeeting(caller: Caller, holdId: string, input: Checkout): Promise<void> {
  const { mode, patient_state: patientState } = input
  if (mode === undefined && patientState === undefined) return
  await caller.booking.describe({ holdId, mode, patientState })
}

/** Holds the time, or finds the caller's existing hold, and returns what the checkout needs. */
async function takeHold(caller: Caller, input: Checkout) {
  const hold = await caller.booking.hold({
    providerId: input.providerId,
    region: input.providerRegion,
    typeId: input.visit_type,
    ...slotOf(timeOf(input)),
    distance: distanceOf(input.doctorDistance),
    overlapOk: input.overlapOk,
    mode: input.mode,
    captchaValue: input.captchaValue,
  })
  await describeMeeting(caller, hold.id, input)
  return {
    holdId: hold.id,
    typeOfVisit: input.type_of_visit,
    purposeForVisit: input.purpose_for_visit,
    shown: hold.fees[input.type_of_visit],
  }
}

const refusals = [
  'slot_taken',
  'visits_overlap',
  'slot_not_offered',
  'slot_passed',
  'slot_impossible',
  'date_invalid',
  'code_required',
  'follow_up_refused',
  'mode_not_offered',
  'visit_type_not_offered',
  'state_missing',
  'state_not_licensed',
  'too_many_holds',
  'too_many_unpaid_holds',
  'captcha_required',
  'captcha_invalid',
  'too_many_coming',
  'provider_not_bookable',
  'patients_only',
  'payment_gateway_down',
] as const

const about = `Holds the time for fifteen minutes, or finds your own hold on it. ${aboutTwice} A code has to be verified first. The fee is always the one the provider has set. A patient with another visit at that time is refused with \`visits_overlap\`; ask them, then retry with \`overlapOk: true\`. \`mode\` is in_person or video; in the USA a video visit needs \`patient_state\`, where the patient will be.`

const body = {
  providerId: '$PROVIDER',
  providerRegion: 'uk',
  bookedDate: '$DATE',
  timeSlot: '$TIME',
  type_of_visit: 'first_visit',
  purpose_for_visit: 'A cough that will not go away',
  doctorDistance: '0.7',
}

const PAY = 'Pay within the checkout to book the visit.'

const cardCheckout = restCall({
  method: 'POST',
  path: '/user/stripe-checkout/{userId}/',
  room,
  title: 'Start a card payment',
  about: `${about} The client secret opens the embedded checkout of Stripe; the part before \`_secret_\` is the \`session_id\` for checking the status.`,
  procedures: ['payments.startCard', 'booking.hold', 'booking.describe'],
  refusals,
  words: ['message'],
  own: { param: 'userId', is: 'user' },
  isComposite: true,
  example: {
    as: 'patient',
    params: { userId: '$USER_ID' },
    body,
    keep: { SECRET: 'clientSecret' },
    answer: { status: true, message: PAY, clientSecret: 'cs_test_…_secret_…' },
  },
  query: noQuery,
  body: { json: Checkout },
  answer: z.object({ status: z.literal(true), message: z.string(), clientSecret: z.string() }),
  run: async ({ caller, body: input }) => {
    const { clientSecret } = await caller.payments.startCard(await takeHold(caller, input))
    return { ...okMessage(PAY), clientSecret }
  },
})

const APPROVE = 'Approve the order in the wallet, then send it to verify-payment.'

const walletOrder = restCall({
  method: 'POST',
  path: '/user/paypal-order/{userId}/',
  room,
  title: 'Start a wallet payment',
  about: `${about} The amount goes to the wallet in a single purchase unit.`,
  source: 'added',
  procedures: ['payments.startWallet', 'booking.hold', 'booking.describe'],
  refusals,
  words: ['message'],
  own: { param: 'userId', is: 'user' },
  isComposite: true,
  example: {
    as: 'patient',
    params: { userId: '$USER_ID' },
    body,
    keep: { ORDER: 'orderID' },
    answer: { status: true, message: APPROVE, orderID: '5O190127TN364715T' },
  },
  query: noQuery,
  body: { json: Checkout },
  answer: z.object({ status: z.literal(true), message: z.string(), orderID: z.string() }),
  run: async ({ caller, body: input }) => {
    const { orderId } = await caller.payments.startWallet(await takeHold(caller, input))
    return { ...okMessage(APPROVE), orderID: orderId }
  },
})

/** Checking a time and starting a checkout. */
export const bookingCalls: readonly RestCall[] = [checkSlot, cardCheckout, walletOrder]

/** The documented calls name no booking: their code works for whichever booking is paid next. */
const ANY_BOOKING = { purpose: 'booking' as const, object: '' }

const SENT = 'We’ve emailed you a code.'

const sendCode = restCall({
  method: 'POST',
  path: '/user/user-otp-verification/{userId}/',
  room,
  title: 'Request a one-time code by email',
  about:
    'Six digits, valid for ten minutes. You can request another one after a minute. The address in the response is masked.',
  procedures: ['auth.sendCode'],
  who: 'patients, their own only',
  refusals: ['rate_limited'],
  own: { param: 'userId', is: 'user' },
  example: {
    as: 'patient',
    params: { userId: '$USER_ID' },
    answer: { status: true, message: SENT, email: 'paxxxxxxxxxxxxxxxxxx' },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({ ...okFields, email: z.string() }),
  run: async ({ caller }) => {
    const { email } = await caller.auth.sendCode(ANY_BOOKING)
    return { ...okMessage(SENT), email }
  },
})

const checkCode = restCall({
  method: 'GET',
  path: '/user/user-otp-verification/{user_id}/',
  room,
  title: 'Check the one-time code',
  about:
    'A verified code is valid for half an hour and for one booking. A code is void after five wrong entries. Deprecated, because a code in a URL may be logged: use the procedure `auth.checkCode`.',
  procedures: ['auth.checkCode'],
  who: 'patients, their own only',
  refusals: ['code_invalid', 'code_locked'],
  own: { param: 'user_id', is: 'user' },
  // It counts attempts, and a correct code is used up.
  isWrite: true,
  headers: { deprecation: '@1772409600' },
  example: {
    as: 'patient',
    params: { user_id: '$USER_ID' },
    before: ['sleep 2', 'CODE=$(code patient@demo.example)'],
    query: { otp: '$CODE' },
    answer: { status: true },
  },
  query: z.strictObject({ otp: CheckCodeInput.shape.otp }),
  body: noBody,
  answer: z.object({ status: z.boolean() }),
  run: ({ caller, query }) => caller.auth.checkCode({ ...ANY_BOOKING, otp: query.otp }),
})

/** One-time codes, required for payment. */
export const codeCalls: readonly RestCall[] = [sendCode, checkCode]
