import * as z from 'zod/mini'
import { type FreeTimes, FreeTimesInput } from '#contract/availability.ts'
import { AppointmentId, ProviderId, VisitTypeId } from '#contract/base/ids.ts'
import { IsoDate, IsoInstant } from '#contract/base/time.ts'
import { MoveAgreedInput, MoveInput } from '#contract/visits.ts'
import {
  type Caller,
  Day,
  noBody,
  noQuery,
  numeric,
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

const Time = z.object({ date: z.string(), start_time: z.string(), starts_at: IsoInstant })

const FreeTimesQuery = z.strictObject({
  from: z.optional(Day),
  days: z.optional(numeric(FreeTimesInput.shape.days.def.innerType)),
})

const Times = z.object({
  status: z.literal(true),
  time_zone: z.string(),
  times: z.array(Time),
  next_day: z.nullable(IsoDate),
})

function timesOf({ timeZone, days, nextDay }: FreeTimes): z.input<typeof Times> {
  return {
    ...OK,
    time_zone: timeZone,
    times: days
      .flatMap(({ slots }) => slots)
      .map(({ startsAt }) => {
        const { date, time } = wallOf(startsAt, timeZone)
        return { date, start_time: time, starts_at: startsAt }
      }),
    next_day: nextDay,
  }
}

type BookedVisit = { providerId: ProviderId; typeId: VisitTypeId | null }

/** Free times for a booked visit, which keeps its type; one booked before there were types has none. */
function timesFor(
  caller: Caller,
  { providerId, typeId }: BookedVisit,
  days: z.output<typeof FreeTimesQuery>,
): Promise<FreeTimes> {
  const type = typeId === null ? {} : { typeId }
  return caller.availability.freeTimes({ providerId, ...type, ...days })
}

const doctorTimes = restCall({
  method: 'GET',
  path: '/api/doctors/{id}/times/',
  room: 'Search',
  source: 'added',
  title: 'List a doctor’s free times',
  about:
    'Times at which a visit can begin, in the local time of the main practice, for `days` days from `from`, or from today if it is left out. They are for visits of the first type, or of `visit_type`. `next_day` is the first later day with a free time.',
  procedures: ['availability.freeTimes'],
  refusals: ['provider_not_found', 'visit_type_not_offered', 'date_invalid'],
  example: {
    params: { id: '$PROVIDER' },
    query: { days: '7' },
    answer: {
      status: true,
      time_zone: 'Europe/London',
      times: [{ date: '03/03/2026', start_time: '10:30', starts_at: '2026-03-03T10:30:00.000Z' }],
      next_day: '2026-03-18',
    },
  },
  query: z.strictObject({ ...FreeTimesQuery.shape, visit_type: z.optional(VisitTypeId) }),
  body: noBody,
  answer: Times,
  run: async ({ caller, params, query: { visit_type: typeId, ...days } }) => {
    const providerId = parseId(ProviderId, params['id'])
    const type = typeId === undefined ? {} : { typeId }
    return timesOf(await caller.availability.freeTimes({ providerId, ...type, ...days }))
  },
})

const times = restCall({
  method: 'GET',
  path: '/user/visits/{id}/times/',
  room,
  source: 'added',
  title: 'List the times a visit can be moved to',
  about:
    'Free times of the provider of one of your visits, for a visit of its type, in the local time of the main practice, for `days` days from `from`, or from today if it is left out. `next_day` is the first later day with a free time.',
  procedures: ['booking.visit', 'availability.freeTimes'],
  refusals: ['not_found', 'patients_only', 'provider_not_found', 'date_invalid'],
  example: {
    as: 'patient',
    params: { id: '$VISIT' },
    keep: { NEW_DATE: 'date', NEW_TIME: 'start_time' },
    answer: {
      status: true,
      time_zone: 'Europe/London',
      times: [{ date: '03/03/2026', start_time: '10:30', starts_at: '2026-03-03T10:30:00.000Z' }],
      next_day: '2026-03-18',
    },
  },
  query: FreeTimesQuery,
  body: noBody,
  answer: Times,
  run: async ({ caller, params, query }) => {
    const id = parseId(AppointmentId, params['id'])
    const { provider, typeId } = await caller.booking.visit({ id })
    return timesOf(await timesFor(caller, { providerId: provider.id, typeId }, query))
  },
})

const Answer = z.object({
  ...okFields,
  date: z.string(),
  start_time: z.string(),
  starts_at: IsoInstant,
  sequence: z.int(),
  moves_left: z.int(),
})

const move = restCall({
  method: 'POST',
  path: '/user/visits/{id}/move/',
  room,
  source: 'added',
  title: 'Move a visit',
  about: `Moves an upcoming visit to another free time of its provider, three times at most. Nothing is paid or refunded. A move to a time the provider proposed does not count. Send \`date\` and \`time\` as listed, in the local time of the main practice; the response has those of the visit’s own place. ${aboutTwice} \`sequence\` is that of the terms: if the visit has changed since, it is not moved and the error is \`changed_meanwhile\`.`,
  procedures: ['visits.move'],
  refusals: [
    'not_found',
    'visit_cancelled',
    'visit_begun',
    'moves_used_up',
    'changed_meanwhile',
    'slot_taken',
    'slot_not_offered',
    'slot_passed',
    'slot_impossible',
    'provider_not_bookable',
    'visits_overlap',
    'rate_limited',
    'patients_only',
  ],
  words: ['message'],
  example: {
    as: 'patient',
    params: { id: '$VISIT' },
    body: { sequence: 0, date: '$NEW_DATE', time: '$NEW_TIME', overlap_ok: true },
    answer: {
      status: true,
      message: 'Your visit is moved.',
      date: '03/03/2026',
      start_time: '10:30',
      starts_at: '2026-03-03T10:30:00.000Z',
      sequence: 1,
      moves_left: 2,
    },
  },
  query: noQuery,
  body: {
    json: z
      .strictObject({
        sequence: MoveInput.shape.sequence,
        ...timeFields,
        overlap_ok: z._default(z.boolean(), false),
      })
      .check(timeRequired),
  },
  answer: Answer,
  run: async ({ caller, params, body }) => {
    const { sequence, overlap_ok: overlapOk, ...time } = body
    const id = parseId(AppointmentId, params['id'])
    const slot = slotOf(time)
    const { visit, movesLeft } = await caller.visits.move({ id, sequence, slot, overlapOk })
    const wall = wallOf(visit.startsAt, visit.timeZone)
    return {
      ...okMessage('Your visit is moved.'),
      date: wall.date,
      start_time: wall.time,
      starts_at: visit.startsAt,
      sequence: sequence + 1,
      moves_left: movesLeft,
    }
  },
})

const providerTimes = restCall({
  method: 'GET',
  path: '/provider/visits/{id}/times/',
  room,
  source: 'added',
  title: 'List the times a patient’s visit can be moved to',
  about:
    'For the provider of the visit: your own free times for a visit of its type, in the local time of your main practice. `from`, `days` and the response are as in the patient’s list.',
  procedures: ['visits.providerTerms', 'availability.freeTimes'],
  refusals: ['not_found', 'visit_cancelled', 'visit_begun', 'provider_not_found', 'date_invalid'],
  example: {
    as: 'provider',
    params: { id: '$VISIT' },
    isForReading: true,
    answer: {
      status: true,
      time_zone: 'Europe/London',
      times: [{ date: '03/03/2026', start_time: '10:30', starts_at: '2026-03-03T10:30:00.000Z' }],
      next_day: '2026-03-18',
    },
  },
  query: FreeTimesQuery,
  body: noBody,
  answer: Times,
  run: async ({ caller, params, query }) => {
    const id = parseId(AppointmentId, params['id'])
    return timesOf(await timesFor(caller, await caller.visits.providerTerms({ id }), query))
  },
})

const providerMove = restCall({
  method: 'POST',
  path: '/provider/visits/{id}/move/',
  room,
  source: 'added',
  title: 'Move a patient’s visit',
  about: `For the provider of the visit, after agreeing the new time with the patient. The patient is emailed the new time and the note, and can cancel free of charge until the visit begins. Send \`date\` and \`time\` as listed, in the local time of your main practice. ${aboutTwice} \`sequence\` is that of the terms.`,
  procedures: ['visits.moveAgreed'],
  refusals: [
    'not_found',
    'visit_cancelled',
    'visit_begun',
    'changed_meanwhile',
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
    body: { sequence: 0, date: '03/03/2026', time: '10:30', note: 'As we said on the phone.' },
    answer: {
      status: true,
      message: 'The visit was moved.',
      date: '03/03/2026',
      start_time: '10:30',
      starts_at: '2026-03-03T10:30:00.000Z',
      sequence: 1,
    },
  },
  query: noQuery,
  body: {
    json: z
      .strictObject({
        sequence: MoveInput.shape.sequence,
        ...timeFields,
        note: MoveAgreedInput.shape.note,
      })
      .check(timeRequired),
  },
  answer: z.omit(Answer, { moves_left: true }),
  run: async ({ caller, params, body }) => {
    const { sequence, note, ...time } = body
    const id = parseId(AppointmentId, params['id'])
    const moved = await caller.visits.moveAgreed({ id, sequence, slot: slotOf(time), note })
    const wall = wallOf(moved.startsAt, moved.timeZone)
    return {
      ...okMessage('The visit was moved.'),
      date: wall.date,
      start_time: wall.time,
      starts_at: moved.startsAt,
      sequence: moved.sequence,
    }
  },
})

/** Available times, and moving a visit to one of them, for patients and providers. */
export const moveCalls: readonly RestCall[] = [
  doctorTimes,
  times,
  move,
  providerTimes,
  providerMove,
]
