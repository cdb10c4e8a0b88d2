import * as z from 'zod/mini'
import { AppointmentId, type ProviderId } from '#contract/base/ids.ts'
import { IsoInstant } from '#contract/base/time.ts'
import { ProposeInput } from '#contract/visits.ts'
import { isRefusal } from '#server/failures.ts'
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
  wallOf,
} from '#server/rest/call.ts'
import { aboutTwice, slotOf, timeFields, timeRequired } from '#server/rest/time-fields.ts'

const room = 'Visits'

/** Zone of the main practice, in which moves read date and time; null for a provider who is not listed. */
async function mainZone(caller: Caller, providerId: ProviderId): Promise<string | null> {
  try {
    return (await caller.availability.freeTimes({ providerId, days: 1 })).timeZone
  } catch (error) {
    if (isRefusal(error, 'provider_not_found')) return null
    throw error
  }
}

const proposal = restCall({
  method: 'GET',
  path: '/user/visits/{id}/proposal/',
  room,
  source: 'added',
  title: 'List the times a provider proposes for a visit',
  about:
    'Times that the provider of one of your upcoming visits asks you to choose from, as far as they are still free; none are held. `date` and `start_time` are in the local time of the main practice. To choose one, move the visit to it: that does not count as one of your moves, and cancelling is then free until the visit begins. `proposed_at` is null where nothing is proposed.',
  procedures: ['booking.visit', 'availability.freeTimes'],
  refusals: ['not_found', 'patients_only'],
  example: {
    as: 'patient',
    params: { id: '$VISIT' },
    answer: { status: true, proposed_at: null, note: null, times: [] },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({
    status: z.literal(true),
    proposed_at: z.nullable(IsoInstant),
    note: z.nullable(z.string()),
    times: z.array(
      z.object({
        date: z.string(),
        start_time: z.string(),
        starts_at: IsoInstant,
        place: z.string(),
      }),
    ),
  }),
  run: async ({ caller, params }) => {
    const id = parseId(AppointmentId, params['id'])
    const { proposed, provider } = await caller.booking.visit({ id })
    const zone = proposed === null ? null : await mainZone(caller, provider.id)
    return {
      ...OK,
      proposed_at: proposed?.at ?? null,
      note: proposed?.note ?? null,
      times: (proposed?.times ?? []).map(({ startsAt, timeZone, place }) => {
        const { date, time } = wallOf(startsAt, zone ?? timeZone)
        return { date, start_time: time, starts_at: startsAt, place }
      }),
    }
  },
})

const keep = restCall({
  method: 'DELETE',
  path: '/user/visits/{id}/proposal/',
  room,
  source: 'added',
  title: 'Keep the time of a visit',
  about:
    'Declines the times its provider proposed at `proposed_at`; your visit stays as it is. Other times proposed meanwhile stay.',
  procedures: ['visits.keepTime'],
  refusals: ['not_found', 'visit_cancelled', 'visit_begun', 'patients_only'],
  words: ['message'],
  example: {
    as: 'patient',
    params: { id: '$VISIT' },
    query: { proposed_at: '2026-03-02T09:00:00.000Z' },
    answer: { status: true, message: 'Your visit stays at its time.' },
  },
  query: z.strictObject({ proposed_at: IsoInstant }),
  body: noBody,
  answer: z.object(okFields),
  run: async ({ caller, params, query }) => {
    const id = parseId(AppointmentId, params['id'])
    await caller.visits.keepTime({ id, at: query.proposed_at })
    return okMessage('Your visit stays at its time.')
  },
})

const propose = restCall({
  method: 'POST',
  path: '/provider/visits/{id}/propose/',
  room,
  source: 'added',
  title: 'Propose other times for a patient’s visit',
  about: `For the provider of the visit: proposes up to three of your free times to the patient, at most three times per visit. Nothing is held, and earlier proposals are replaced. \`date\` and \`time\` are in the local time of your main practice. ${aboutTwice} \`sequence\` is that of the terms.`,
  procedures: ['visits.propose'],
  refusals: [
    'not_found',
    'visit_cancelled',
    'visit_begun',
    'changed_meanwhile',
    'proposals_used_up',
    'slot_taken',
    'slot_not_offered',
    'slot_passed',
    'slot_impossible',
    'provider_not_bookable',
  ],
  words: ['message'],
  example: {
    as: 'provider',
    params: { id: '$VISIT' },
    isForReading: true,
    body: {
      sequence: 0,
      times: [
        { date: '03/03/2026', time: '10:30' },
        { date: '04/03/2026', time: '09:00' },
      ],
      note: 'We close early that day.',
    },
    answer: { status: true, message: 'The times were sent to the patient.' },
  },
  query: noQuery,
  body: {
    json: z.strictObject({
      sequence: ProposeInput.shape.sequence,
      times: z.array(z.strictObject(timeFields).check(timeRequired)),
      note: ProposeInput.shape.note,
    }),
  },
  answer: z.object(okFields),
  run: async ({ caller, params, body }) => {
    const { sequence, times, note } = body
    const id = parseId(AppointmentId, params['id'])
    await caller.visits.propose({ id, sequence, slots: times.map(slotOf), note })
    return okMessage('The times were sent to the patient.')
  },
})

/** Proposed times for a visit: propose, read and decline. */
export const proposalCalls: readonly RestCall[] = [proposal, keep, propose]
