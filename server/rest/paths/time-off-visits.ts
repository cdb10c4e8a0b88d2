import * as z from 'zod/mini'
import { AbsenceId, AppointmentId, DeskVisitId, isDeskId, VisitId } from '#contract/base/ids.ts'
import { Currency } from '#contract/base/money.ts'
import { IsoInstant } from '#contract/base/time.ts'
import { CancelDeskInput, DeskKind } from '#contract/booking-desk.ts'
import {
  CancelInput,
  CancelManyInput,
  CancelResult,
  MAX_CANCELLED,
  type VisitInTimeOff,
} from '#contract/visits.ts'
import {
  Amount,
  majorText,
  minorOf,
  noBody,
  noQuery,
  OK,
  type RestCall,
  restCall,
  wallOf,
} from '#server/rest/call.ts'

const room = 'Visits'

const common = {
  absence_id: AbsenceId,
  patient_name: z.string(),
  /** Day/month/year; date and start time are in the time zone of the visit. */
  date: z.string(),
  start_time: z.string(),
  starts_at: IsoInstant,
  sequence: z.int(),
}

const Row = z.object({
  id: AppointmentId,
  ...common,
  paid: Amount,
  refund: Amount,
  currency: Currency,
})

const DeskRow = z.object({
  id: DeskVisitId,
  ...common,
  kind: DeskKind,
  phone: z.nullable(z.string()),
  has_email: z.boolean(),
})

function commonOf(visit: VisitInTimeOff) {
  const { date, time } = wallOf(visit.startsAt, visit.timeZone)
  return {
    absence_id: visit.absenceId,
    patient_name: visit.patient,
    date,
    start_time: time,
    starts_at: visit.startsAt,
    sequence: visit.sequence,
  }
}

function rowsOf(visits: readonly VisitInTimeOff[]): z.input<typeof Row>[] {
  return visits.flatMap((visit) => {
    const { id, paid, refund } = visit
    if (isDeskId(id) || paid === null || refund === null) return []
    const { currency } = refund
    return { id, ...commonOf(visit), paid: majorText(paid), refund: majorText(refund), currency }
  })
}

function deskRowsOf(visits: readonly VisitInTimeOff[]): z.input<typeof DeskRow>[] {
  return visits.flatMap((visit) => {
    const { id, desk } = visit
    if (!isDeskId(id) || desk === null) return []
    const { kind, phone, hasEmail } = desk
    return { id, ...commonOf(visit), kind, phone, has_email: hasEmail }
  })
}

const inTimeOff = restCall({
  method: 'GET',
  path: '/provider/visits/in-time-off/',
  room,
  source: 'added',
  title: 'List visits in your time off',
  about:
    'For providers: your upcoming visits during an absence, soonest first, including those you chose to keep. `refund` is what cancelling would refund. To cancel several at once, send their `id`, `sequence`, `refund` and `currency`; for `desk_visits`, for which nothing was paid, `id` and `sequence`.',
  procedures: ['visits.inTimeOff'],
  refusals: [],
  example: {
    as: 'provider',
    answer: {
      status: true,
      visits: [
        {
          id: 'apt_…',
          absence_id: 'abs_…',
          patient_name: 'Maya Ellis',
          date: '02/03/2026',
          start_time: '14:30',
          starts_at: '2026-03-02T14:30:00.000Z',
          sequence: 0,
          paid: '60.00',
          refund: '60.00',
          currency: 'GBP',
        },
      ],
      desk_visits: [],
    },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({
    status: z.literal(true),
    visits: z.array(Row),
    desk_visits: z.array(DeskRow),
  }),
  run: async ({ caller }) => {
    const visits = await caller.visits.inTimeOff({})
    return { ...OK, visits: rowsOf(visits), desk_visits: deskRowsOf(visits) }
  },
})

const CancelledVisit = z.object({
  id: VisitId,
  cancelled: z.boolean(),
  /** Why it was not cancelled; null when it was. */
  code: CancelResult.shape.refusal,
  refund: z.nullable(Amount),
  currency: z.nullable(Currency),
})

const cancelMany = restCall({
  method: 'POST',
  path: '/provider/visits/cancel/',
  room,
  source: 'added',
  title: 'Cancel several patients’ visits',
  about: `For providers: cancels up to ${MAX_CANCELLED} of your upcoming visits, as on a sick day. Each is cancelled separately: all that is left of its fee is refunded, and its patient is emailed the reason and the note. \`desk_visits\` are phone and walk-in visits, for which nothing was paid; their patients are emailed if they gave an address. A refusal of one does not affect the others. \`visits\` in the response has the result of each, in the given order, desk visits last: \`code\` is not_found, visit_cancelled, visit_begun, desk_over, desk_marked, changed_meanwhile or terms_changed where it was not cancelled. In a repeat, those already cancelled are refused as visit_cancelled. \`reason\` is unwell, emergency, schedule, closed, unsuitable or other.`,
  procedures: ['visits.cancelMany'],
  refusals: [],
  example: {
    as: 'provider',
    isForReading: true,
    body: {
      visits: [{ id: '$VISIT', sequence: 0, refund: '$REFUND', currency: 'GBP' }],
      reason: 'unwell',
      note: 'We are sorry.',
    },
    answer: {
      status: true,
      visits: [{ id: 'apt_…', cancelled: true, code: null, refund: '60.00', currency: 'GBP' }],
    },
  },
  query: noQuery,
  body: {
    json: z.strictObject({
      visits: z
        .array(
          z.strictObject({
            id: AppointmentId,
            sequence: CancelInput.shape.sequence,
            refund: Amount,
            currency: z.optional(Currency),
          }),
        )
        .check(z.maxLength(MAX_CANCELLED)),
      desk_visits: z.optional(
        z.array(z.strictObject(CancelDeskInput.shape)).check(z.maxLength(MAX_CANCELLED)),
      ),
      reason: CancelManyInput.shape.reason,
      note: CancelManyInput.shape.note,
    }),
  },
  answer: z.object({ status: z.literal(true), visits: z.array(CancelledVisit) }),
  run: async ({ caller, body }) => {
    const { reason, note, desk_visits: desk } = body
    const visits = body.visits.map(({ id, sequence, refund, currency }) => ({
      id,
      sequence,
      refund: { minor: minorOf(refund), currency },
    }))
    const { fates } = await caller.visits.cancelMany({ visits, desk, reason, note })
    return {
      ...OK,
      visits: fates.map(({ id, refusal, refund }) => ({
        id,
        cancelled: refusal === null,
        code: refusal,
        refund: refund === null ? null : majorText(refund),
        currency: refund?.currency ?? null,
      })),
    }
  },
})

/** A provider's visits in their time off, and cancelling many at once. */
export const timeOffVisitCalls: readonly RestCall[] = [inTimeOff, cancelMany]
