import * as z from 'zod/mini'
import { AppointmentId } from '#contract/base/ids.ts'
import { ContestInput, Mark, Marking, PatientOutcome } from '#contract/outcomes.ts'
import {
  Amount,
  minorOf,
  noQuery,
  OK,
  okFields,
  okMessage,
  parseId,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'

const room = 'Visits'

const mark = restCall({
  method: 'POST',
  path: '/provider/visits/{id}/outcome/',
  room,
  source: 'added',
  title: 'Record the outcome of a visit',
  about:
    'For the provider of the visit. `mark` is arrived (from an hour before), completed, no_show (from ten minutes after the start), not_held, or none to clear it; until 48 hours after the end. not_held refunds all that is left: send that amount as `refund`, or nothing happens. The patient is emailed about a no_show and can contest it for seven days. `can` lists what you can record now.',
  procedures: ['outcomes.mark'],
  refusals: [
    'not_found',
    'outcome_not_booked',
    'outcome_too_early',
    'outcome_closed',
    'outcome_final',
    'outcome_refund_changed',
  ],
  example: {
    as: 'provider',
    params: { id: '$VISIT' },
    isForReading: true,
    body: { mark: 'arrived' },
    answer: {
      status: true,
      outcome: null,
      arrived_at: '2026-03-02T14:25:00.000Z',
      can: ['none', 'completed', 'not_held'],
    },
  },
  query: noQuery,
  body: { json: z.strictObject({ mark: Mark, refund: z.optional(Amount) }) },
  answer: z.object({
    status: z.literal(true),
    outcome: Marking.shape.outcome,
    arrived_at: Marking.shape.arrivedAt,
    can: Marking.shape.can,
  }),
  run: async ({ caller, params, body }) => {
    const id = parseId(AppointmentId, params['id'])
    const refund = body.refund === undefined ? {} : { refund: minorOf(body.refund) }
    const { outcome, arrivedAt, can } = await caller.outcomes.mark({
      id,
      mark: body.mark,
      ...refund,
    })
    return { ...OK, outcome, arrived_at: arrivedAt, can }
  },
})

const CONTESTED = 'Thank you for telling us. We’ll email you our decision.'

const contest = restCall({
  method: 'POST',
  path: '/user/visits/{id}/contest/',
  room,
  source: 'added',
  title: 'Contest that you missed a visit',
  about:
    'For the patient of a visit that was marked as missed, once, within seven days. `says` is was_there or not_held, `words` what happened, up to 1,000 characters. Staff read both and decide; the provider is told what you say, but never sees your words.',
  procedures: ['outcomes.contest'],
  refusals: ['not_found', 'contest_impossible', 'contest_made', 'patients_only'],
  words: ['message'],
  example: {
    as: 'patient',
    params: { id: '$VISIT' },
    isForReading: true,
    body: { says: 'was_there', words: 'I came ten minutes early and was seen.' },
    answer: {
      status: true,
      message: CONTESTED,
      outcome: 'no_show',
      claim: 'open',
    },
  },
  query: noQuery,
  body: {
    json: z.strictObject({
      says: ContestInput.shape.says,
      words: ContestInput.shape.words,
    }),
  },
  answer: z.object({
    ...okFields,
    outcome: PatientOutcome.shape.outcome,
    claim: PatientOutcome.shape.claim,
  }),
  run: async ({ caller, params, body }) => {
    const id = parseId(AppointmentId, params['id'])
    const { outcome, claim } = await caller.outcomes.contest({ id, ...body })
    return { ...okMessage(CONTESTED), outcome, claim }
  },
})

/** Visit outcomes, and contesting them as a patient. */
export const outcomeCalls: readonly RestCall[] = [mark, contest]
