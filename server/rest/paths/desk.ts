import * as z from 'zod/mini'
import { DeskVisitId } from '#contract/base/ids.ts'
import { IsoInstant } from '#contract/base/time.ts'
import {
  AddDeskInput,
  CancelDeskInput,
  type DeskBooking,
  DeskKind,
  DeskListInput,
  DeskMark,
  EditDeskInput,
  MoveDeskInput,
} from '#contract/booking-desk.ts'
import { Marking } from '#contract/outcomes.ts'
import {
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

const about =
  'For providers: visits of people who phoned or walked in. They have no account and pay nothing here.'

/** The fields every response has about a visit; none names the patient. */
const booked = {
  id: DeskVisitId,
  reference: z.string(),
  sequence: z.int(),
  state: z.enum(['confirmed', 'cancelled']),
  date: z.string(),
  start_time: z.string(),
  starts_at: IsoInstant,
}

const Booked = z.object({ ...okFields, ...booked })

function fieldsOf(visit: DeskBooking) {
  const { date, time } = wallOf(visit.startsAt, visit.timeZone)
  const { id, reference, sequence, state, startsAt } = visit
  return { id, reference, sequence, state, date, start_time: time, starts_at: startsAt }
}

const sample = {
  id: 'dsk_…',
  reference: 'AP-7K3M-2Q',
  sequence: 0,
  state: 'confirmed',
  date: '02/03/2026',
  start_time: '07:10',
  starts_at: '2026-03-02T07:10:00.000Z',
} as const

const ADDED = 'The visit is in your calendar.'

const timeRefusals = [
  'date_passed',
  'date_too_far',
  'slot_impossible',
  'desk_time_taken',
  'not_found',
] as const

const add = restCall({
  method: 'POST',
  path: '/provider/desk-visits/',
  room,
  source: 'added',
  title: 'Add a visit by phone or at the desk',
  about: `${about} \`kind\` is phone or walk_in. Any time from today on is accepted, offered or not, unless another visit or hold overlaps it. The time is local to the place. ${aboutTwice} Without \`place_id\` it is local to your main place, and the place is that of the time you offer then, if any. \`minutes\` defaults to the usual length. Nobody is emailed unless you send an \`email\`.`,
  procedures: ['booking.addDesk'],
  refusals: [...timeRefusals, 'rate_limited'],
  words: ['message'],
  example: {
    as: 'provider',
    body: {
      kind: 'phone',
      date: '$DATE',
      time: '07:10',
      minutes: 20,
      name: 'Ida Rowe',
      phone: '020 7946 0123',
      note: 'Asked for a morning time.',
    },
    keep: { DESK_VISIT: 'id' },
    answer: { status: true, message: ADDED, ...sample },
  },
  query: noQuery,
  body: {
    json: z
      .strictObject({
        kind: DeskKind,
        ...timeFields,
        minutes: AddDeskInput.shape.minutes,
        place_id: AddDeskInput.shape.placeId,
        name: AddDeskInput.shape.name,
        phone: AddDeskInput.shape.phone,
        note: AddDeskInput.shape.note,
        email: AddDeskInput.shape.email,
      })
      .check(timeRequired),
  },
  answer: Booked,
  run: async ({ caller, body }) => {
    const { date, time, starts_at, place_id: placeId, ...rest } = body
    const slot = slotOf({ date, time, starts_at })
    const visit = await caller.booking.addDesk({ ...rest, slot, placeId })
    return { ...okMessage(ADDED), ...fieldsOf(visit) }
  },
})

const list = restCall({
  method: 'GET',
  path: '/provider/desk-visits/',
  room,
  source: 'added',
  title: 'List visits added by phone or at the desk',
  about: `${about} Latest first, ten a page. \`search\` finds part of a name or a phone number, or a whole reference.`,
  procedures: ['booking.deskList'],
  example: {
    as: 'provider',
    query: { search: 'Rowe' },
    answer: {
      status: true,
      visits: [
        { ...sample, kind: 'phone', name: 'Ida Rowe', place: 'Borough Practice', outcome: null },
      ],
      current_page: 1,
      total_pages: 1,
      total: 1,
    },
  },
  query: z.strictObject({
    page: z._default(numeric(DeskListInput.shape.page.def.innerType), 1),
    search: DeskListInput.shape.search,
  }),
  body: noBody,
  answer: z.object({
    status: z.literal(true),
    visits: z.array(
      z.object({
        ...booked,
        kind: DeskKind,
        name: z.nullable(z.string()),
        place: z.string(),
        outcome: Marking.shape.outcome,
      }),
    ),
    current_page: z.int(),
    total_pages: z.int(),
    total: z.int(),
  }),
  run: async ({ caller, query }) => {
    const { visits, ...pages } = await caller.booking.deskList(query)
    return {
      ...OK,
      visits: visits.map(({ kind, name, placeName: place, outcome, ...visit }) => ({
        ...fieldsOf(visit),
        kind,
        name,
        place,
        outcome,
      })),
      ...pages,
    }
  },
})

const read = restCall({
  method: 'GET',
  path: '/provider/desk-visits/{id}/',
  room,
  source: 'added',
  title: 'Read a visit added by phone or at the desk',
  about: `${about} Each access is audited. The note is shown only in the app.`,
  procedures: ['booking.desk'],
  refusals: ['not_found'],
  example: {
    as: 'provider',
    params: { id: '$DESK_VISIT' },
    answer: {
      status: true,
      ...sample,
      kind: 'phone',
      name: 'Ida Rowe',
      phone: '020 7946 0123',
      email: null,
      has_note: true,
    },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({
    status: z.literal(true),
    ...booked,
    kind: DeskKind,
    name: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    email: z.nullable(z.string()),
    has_note: z.boolean(),
  }),
  run: async ({ caller, params }) => {
    const visit = await caller.booking.desk({ id: parseId(DeskVisitId, params['id']) })
    const { kind, patient, hasNote } = visit
    return {
      ...OK,
      ...fieldsOf(visit),
      kind,
      name: patient?.name ?? null,
      phone: patient?.phone ?? null,
      email: patient?.email ?? null,
      has_note: hasNote,
    }
  },
})

const EDITED = 'The visit is changed.'

const edit = restCall({
  method: 'PATCH',
  path: '/provider/desk-visits/{id}/',
  room,
  source: 'added',
  title: 'Correct a visit added by phone or at the desk',
  about: `${about} Changes the name, the phone number or the note until the day of the visit is over. Omitted fields stay unchanged.`,
  procedures: ['booking.editDesk'],
  refusals: ['not_found', 'visit_cancelled', 'desk_over'],
  words: ['message'],
  example: {
    as: 'provider',
    params: { id: '$DESK_VISIT' },
    body: { name: 'Ida Rowe-Hall', note: '' },
    answer: { status: true, message: EDITED, ...sample },
  },
  query: noQuery,
  body: {
    json: z.strictObject({
      name: EditDeskInput.shape.name,
      phone: EditDeskInput.shape.phone,
      note: EditDeskInput.shape.note,
    }),
  },
  answer: Booked,
  run: async ({ caller, params, body }) => {
    const id = parseId(DeskVisitId, params['id'])
    return { ...okMessage(EDITED), ...fieldsOf(await caller.booking.editDesk({ id, ...body })) }
  },
})

const MOVED = 'The visit was moved.'

const move = restCall({
  method: 'POST',
  path: '/provider/desk-visits/{id}/move/',
  room,
  source: 'added',
  title: 'Move a visit added by phone or at the desk',
  about: `${about} \`place_id\` and \`minutes\` can be left out: then the visit keeps its length, and its place unless you offer the time elsewhere. ${aboutTwice} \`sequence\` is that of the last response: if the visit has changed since, it is not moved.`,
  procedures: ['booking.moveDesk'],
  refusals: [...timeRefusals, 'visit_cancelled', 'desk_over', 'desk_marked', 'changed_meanwhile'],
  words: ['message'],
  example: {
    as: 'provider',
    params: { id: '$DESK_VISIT' },
    body: { sequence: 0, date: '$DATE', time: '07:40' },
    answer: { status: true, message: MOVED, ...sample, sequence: 1, start_time: '07:40' },
  },
  query: noQuery,
  body: {
    json: z
      .strictObject({
        sequence: MoveDeskInput.shape.sequence,
        ...timeFields,
        minutes: MoveDeskInput.shape.minutes,
        place_id: MoveDeskInput.shape.placeId,
      })
      .check(timeRequired),
  },
  answer: Booked,
  run: async ({ caller, params, body }) => {
    const { date, time, starts_at, place_id: placeId, ...rest } = body
    const id = parseId(DeskVisitId, params['id'])
    const slot = slotOf({ date, time, starts_at })
    const visit = await caller.booking.moveDesk({ id, ...rest, slot, placeId })
    return { ...okMessage(MOVED), ...fieldsOf(visit) }
  },
})

const mark = restCall({
  method: 'POST',
  path: '/provider/desk-visits/{id}/outcome/',
  room,
  source: 'added',
  title: 'Record the outcome of a visit added by phone or at the desk',
  about: `${about} \`mark\` is arrived (from an hour before), completed, no_show (from ten minutes after the start), or none to clear it; until 48 hours after the end. Nobody is emailed, and no money moves.`,
  procedures: ['booking.markDesk'],
  refusals: ['not_found', 'outcome_not_booked', 'outcome_too_early', 'outcome_closed'],
  example: {
    as: 'provider',
    params: { id: '$DESK_VISIT' },
    isForReading: true,
    body: { mark: 'arrived' },
    answer: {
      status: true,
      outcome: null,
      arrived_at: '2026-03-02T07:05:00.000Z',
      can: ['none', 'completed'],
    },
  },
  query: noQuery,
  body: { json: z.strictObject({ mark: DeskMark }) },
  answer: z.object({
    status: z.literal(true),
    outcome: Marking.shape.outcome,
    arrived_at: Marking.shape.arrivedAt,
    can: Marking.shape.can,
  }),
  run: async ({ caller, params, body }) => {
    const id = parseId(DeskVisitId, params['id'])
    const { outcome, arrivedAt, can } = await caller.booking.markDesk({ id, mark: body.mark })
    return { ...OK, outcome, arrived_at: arrivedAt, can }
  },
})

const CANCELLED = 'The visit was cancelled.'

const cancel = restCall({
  method: 'POST',
  path: '/provider/desk-visits/{id}/cancel/',
  room,
  source: 'added',
  title: 'Cancel a visit added by phone or at the desk',
  about: `${about} Its time is free again; the patient is emailed if they gave an address. \`sequence\` is that of the last response.`,
  procedures: ['booking.cancelDesk'],
  refusals: ['not_found', 'visit_cancelled', 'desk_over', 'desk_marked', 'changed_meanwhile'],
  words: ['message'],
  example: {
    as: 'provider',
    params: { id: '$DESK_VISIT' },
    // The earlier examples have moved the visit once.
    body: { sequence: 1 },
    answer: {
      status: true,
      message: CANCELLED,
      ...sample,
      sequence: 2,
      state: 'cancelled',
      start_time: '07:40',
    },
  },
  query: noQuery,
  body: { json: z.strictObject({ sequence: CancelDeskInput.shape.sequence }) },
  answer: Booked,
  run: async ({ caller, params, body }) => {
    const id = parseId(DeskVisitId, params['id'])
    return {
      ...okMessage(CANCELLED),
      ...fieldsOf(await caller.booking.cancelDesk({ id, ...body })),
    }
  },
})

/** Desk visits, for people who phoned or walked in. */
export const deskCalls: readonly RestCall[] = [add, list, read, edit, move, mark, cancel]
