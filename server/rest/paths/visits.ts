import * as z from 'zod/mini'
import { AppointmentId } from '#contract/base/ids.ts'
import { Currency } from '#contract/base/money.ts'
import { IsoInstant } from '#contract/base/time.ts'
import { type Visit, VisitsInput } from '#contract/booking.ts'
import { VisitMode } from '#contract/search.ts'
import { CancelInput, CancelManyInput, type VisitTerms } from '#contract/visits.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  Amount,
  majorText,
  minorOf,
  noBody,
  noQuery,
  OK,
  okFields,
  okMessage,
  parseId,
  type RestCall,
  restCall,
  wallOf,
} from '#server/rest/call.ts'
import { moveCalls } from './moves.ts'
import { proposalCalls } from './proposals.ts'
import { timeOffVisitCalls } from './time-off-visits.ts'

const room = 'Visits'

const Row = z.object({
  id: AppointmentId,
  /** Reference that people can read out, `AP-7K3M-2Q`. */
  reference: z.string(),
  state: z.enum(['confirmed', 'cancelled']),
  mode: VisitMode,
  doctor_name: z.string(),
  /** Day/month/year; date and start time are in the time zone of the visit. */
  date: z.string(),
  start_time: z.string(),
  hospital_name: z.string(),
  amount: Amount,
  currency: Currency,
})

function rowOf(visit: Visit): z.input<typeof Row> {
  const { date, time } = wallOf(visit.startsAt, visit.timeZone)
  return {
    id: visit.id,
    reference: visit.reference,
    state: visit.state,
    mode: visit.mode,
    doctor_name: visit.provider.name,
    date,
    start_time: time,
    hospital_name: visit.place.name,
    amount: majorText(visit.fee),
    currency: visit.fee.currency,
  }
}

const list = restCall({
  method: 'GET',
  path: '/user/visits/',
  room,
  source: 'added',
  title: 'List your visits',
  about:
    'A patient’s own, five at a time. `when` is coming or past: coming ones soonest first, past ones latest first. `next` is the `after` of the next page, null on the last.',
  procedures: ['booking.visits'],
  refusals: ['page_invalid', 'patients_only'],
  example: {
    as: 'patient',
    query: { when: 'coming' },
    answer: {
      status: true,
      visits: [
        {
          id: 'apt_…',
          reference: 'AP-7K3M-2Q',
          state: 'confirmed',
          mode: 'in_person',
          doctor_name: 'Dr Amara Okafor',
          date: '02/03/2026',
          start_time: '14:30',
          hospital_name: 'Borough Practice',
          amount: '60.00',
          currency: 'GBP',
        },
      ],
      next: null,
      total: 1,
    },
  },
  query: z.strictObject({
    when: z._default(VisitsInput.shape.when, 'coming'),
    after: VisitsInput.shape.after,
  }),
  body: noBody,
  answer: z.object({
    status: z.literal(true),
    visits: z.array(Row),
    next: z.nullable(z.string()),
    total: z.int(),
  }),
  run: async ({ caller, query }) => {
    const { visits, ...rest } = await caller.booking.visits(query)
    return { ...OK, visits: visits.map(rowOf), ...rest }
  },
})

const refusals = ['not_found', 'visit_cancelled', 'visit_begun', 'patients_only'] as const

const Terms = z.object({
  status: z.literal(true),
  sequence: z.int(),
  currency: Currency,
  paid: Amount,
  left: Amount,
  refund: Amount,
  kept: Amount,
  free_until: IsoInstant,
  is_free: z.boolean(),
  /** How many more times the patient may move the visit. */
  moves_left: z.int(),
})

function termsOf(found: VisitTerms): z.input<typeof Terms> {
  return {
    ...OK,
    sequence: found.sequence,
    currency: found.refund.currency,
    paid: majorText(found.paid),
    left: majorText(found.left),
    refund: majorText(found.refund),
    kept: majorText(found.kept),
    free_until: found.freeUntil,
    is_free: found.isFree,
    moves_left: found.movesLeft,
  }
}

const terms = restCall({
  method: 'GET',
  path: '/user/visits/{id}/terms/',
  room,
  source: 'added',
  title: 'Check the refund for cancelling a visit',
  about:
    'What is refunded and what is kept if the visit is cancelled now. Before `free_until` all that is left is refunded. Send `sequence`, `refund` and `currency` to cancel, `sequence` alone to move.',
  procedures: ['visits.terms'],
  refusals,
  example: {
    as: 'patient',
    params: { id: '$VISIT' },
    keep: { REFUND: 'refund' },
    answer: {
      status: true,
      sequence: 0,
      currency: 'GBP',
      paid: '60.00',
      left: '60.00',
      refund: '60.00',
      kept: '0.00',
      free_until: '2026-03-01T14:30:00.000Z',
      is_free: true,
      moves_left: 3,
    },
  },
  query: noQuery,
  body: noBody,
  answer: Terms,
  run: async ({ caller, params }) =>
    termsOf(await caller.visits.terms({ id: parseId(AppointmentId, params['id']) })),
})

/** The values the terms showed, sent back by the client. */
const shown = {
  sequence: CancelInput.shape.sequence,
  refund: Amount,
  currency: z.optional(Currency),
}

const Answer = z.object({ ...okFields, refund: Amount, currency: Currency })

const cancel = restCall({
  method: 'POST',
  path: '/user/visits/{id}/cancel/',
  room,
  source: 'added',
  title: 'Cancel a visit',
  about:
    'Cancels an upcoming visit and refunds what its terms say. `sequence`, `refund` and `currency` (that of the visit if left out) are those of the terms: if they have changed since, nothing is cancelled and the error is `changed_meanwhile` or `terms_changed`.',
  procedures: ['visits.cancel'],
  refusals: [...refusals, 'changed_meanwhile', 'terms_changed'],
  words: ['message'],
  example: {
    as: 'patient',
    params: { id: '$VISIT' },
    // The earlier examples have moved the visit once.
    body: { sequence: 1, refund: '$REFUND', currency: 'GBP' },
    answer: { status: true, message: 'Your visit is cancelled.', refund: '60.00', currency: 'GBP' },
  },
  query: noQuery,
  body: { json: z.strictObject(shown) },
  answer: Answer,
  run: async ({ caller, params, body }) => {
    const { sequence, currency } = body
    const id = parseId(AppointmentId, params['id'])
    const shownRefund = { minor: minorOf(body.refund), currency }
    const { refund } = await caller.visits.cancel({ id, sequence, refund: shownRefund })
    return {
      ...okMessage('Your visit is cancelled.'),
      refund: majorText(refund),
      currency: refund.currency,
    }
  },
})

const providerTerms = restCall({
  method: 'GET',
  path: '/provider/visits/{id}/terms/',
  room,
  source: 'added',
  title: 'Check the refund for cancelling a patient’s visit',
  about:
    'For the provider of the visit: when a provider cancels, all that is left is refunded. Send `sequence`, `refund` and `currency` to cancel.',
  procedures: ['visits.providerTerms'],
  refusals: ['not_found', 'visit_cancelled', 'visit_begun'],
  example: {
    as: 'provider',
    params: { id: '$VISIT' },
    isForReading: true,
    answer: {
      status: true,
      sequence: 0,
      currency: 'GBP',
      paid: '60.00',
      left: '60.00',
      refund: '60.00',
      kept: '0.00',
      free_until: '2026-03-01T14:30:00.000Z',
      is_free: true,
      moves_left: 3,
    },
  },
  query: noQuery,
  body: noBody,
  answer: Terms,
  run: async ({ caller, params }) =>
    termsOf(await caller.visits.providerTerms({ id: parseId(AppointmentId, params['id']) })),
})

const providerCancel = restCall({
  method: 'POST',
  path: '/provider/visits/{id}/cancel/',
  room,
  source: 'added',
  title: 'Cancel a patient’s visit',
  about:
    'For the provider of the visit. All that is left of the fee is refunded, and the patient is emailed the reason, the note and your next free times. `reason` is unwell, emergency, schedule, closed, unsuitable or other.',
  procedures: ['visits.cancelMany'],
  refusals: ['not_found', 'visit_cancelled', 'visit_begun', 'changed_meanwhile', 'terms_changed'],
  words: ['message'],
  // To the procedure a refusal of one visit is a result, which would be stored under the key.
  isComposite: true,
  example: {
    as: 'provider',
    params: { id: '$VISIT' },
    isForReading: true,
    body: {
      sequence: 0,
      refund: '$REFUND',
      currency: 'GBP',
      reason: 'closed',
      note: 'The water is off.',
    },
    answer: { status: true, message: 'The visit was cancelled.', refund: '60.00', currency: 'GBP' },
  },
  query: noQuery,
  body: {
    json: z.strictObject({
      ...shown,
      reason: CancelManyInput.shape.reason,
      note: CancelManyInput.shape.note,
    }),
  },
  answer: Answer,
  run: async ({ caller, params, body }) => {
    const { sequence, currency, reason, note } = body
    const id = parseId(AppointmentId, params['id'])
    const shownRefund = { minor: minorOf(body.refund), currency }
    const visits = [{ id, sequence, refund: shownRefund }]
    const { fates } = await caller.visits.cancelMany({ visits, reason, note })
    const [outcome] = fates
    if (outcome === undefined || outcome.refund === null) {
      throw new AppError(outcome?.refusal ?? 'not_found', { what: 'visit' })
    }
    const { refund } = outcome
    return {
      ...okMessage('The visit was cancelled.'),
      refund: majorText(refund),
      currency: refund.currency,
    }
  },
})

/** The join call of a video visit, the same for both sides. */
function joinCall(who: 'patient' | 'provider'): RestCall {
  return restCall({
    method: 'POST',
    path: who === 'patient' ? '/user/visits/{id}/join/' : '/provider/visits/{id}/join/',
    room,
    source: 'added',
    title: who === 'patient' ? 'Join a video visit' : 'Join a patient’s video visit',
    about:
      'The address of the video room, from 15 minutes before the visit begins to 30 after its end. Each join is recorded. Before that, the error is `video_too_early`, whose `opensAt` says when it opens.',
    procedures: ['visits.join'],
    refusals: [
      'not_found',
      'not_by_video',
      'visit_cancelled',
      'video_too_early',
      'video_over',
      'video_way_missing',
    ],
    words: ['message'],
    example: {
      as: who,
      params: { id: '$VISIT' },
      isForReading: true,
      answer: {
        status: true,
        message: 'Open the address to join.',
        url: 'https://video.example/room_…',
        host: 'video.example',
      },
    },
    query: noQuery,
    body: noBody,
    answer: z.object({ ...okFields, url: z.string(), host: z.string() }),
    run: async ({ caller, params }) => ({
      ...okMessage('Open the address to join.'),
      ...(await caller.visits.join({ id: parseId(AppointmentId, params['id']) })),
    }),
  })
}

/** A patient's visits, and cancelling, moving or joining one from either side. */
export const visitCalls: readonly RestCall[] = [
  list,
  ...moveCalls,
  ...proposalCalls,
  terms,
  cancel,
  joinCall('patient'),
  providerTerms,
  providerCancel,
  ...timeOffVisitCalls,
  joinCall('provider'),
]
