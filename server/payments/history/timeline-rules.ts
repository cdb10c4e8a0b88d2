import { toIso } from '#contract/base/time.ts'
import type { TimelineEntry } from '#contract/payments.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import { REASON_PROPOSED } from '#server/booking/rules.ts'
import { receivedAmount } from '#server/payments/rules.ts'
import type { Payment } from '#server/payments/store.ts'
import type { listChangesOf, listEmailsAbout, listEventsOf, StaffVisit } from './staff-store.ts'

/** Everything stored about one visit and its money. */
export type Facts = {
  visit: StaffVisit
  payments: readonly Payment[]
  refunds: readonly RefundRow[]
  events: Awaited<ReturnType<typeof listEventsOf>>
  emails: Awaited<ReturnType<typeof listEmailsAbout>>
  changes: Awaited<ReturnType<typeof listChangesOf>>
  /** Staff email addresses by account id. */
  staff: ReadonlyMap<string, string>
}

type TimelineEvent = Partial<Omit<TimelineEntry, 'at' | 'what'>> &
  Pick<TimelineEntry, 'what'> & { at: number | null }

const emptyEntry = {
  who: null,
  from: null,
  to: null,
  fromZone: null,
  toZone: null,
  amount: null,
  note: null,
  reference: null,
}

function ofVisit({ visit }: Facts): TimelineEvent[] {
  const { state, created_at, confirmed_at, closed_at } = visit
  const isReleased = state === 'released'
  return [
    { at: created_at, what: 'held', to: 'held' },
    { at: confirmed_at, what: 'booked', from: 'held', to: 'confirmed' },
    isReleased
      ? { at: closed_at, what: 'released', from: 'held', to: 'released' }
      : { at: closed_at, what: 'cancelled', from: 'confirmed', to: 'cancelled' },
  ]
}

type Change = Facts['changes'][number]

/**
 * Who moved the visit; when the patient chose a time that the provider proposed, the proposal is reported.
 */
function moverOf({ by_kind: by, reason }: Change): string {
  return by === 'patient' && reason === REASON_PROPOSED ? REASON_PROPOSED : by
}

/** `from` and `to` are instants. Only notes by staff are shown; a provider's note was for the patient. */
function ofChange(change: Change, staff: Facts['staff']): TimelineEvent {
  const { at, what, by_kind: by } = change
  if (what === 'proposed') return { at, what: 'times_proposed', note: by }
  if (what === 'kept') return { at, what: 'time_kept', note: by }
  return {
    at,
    what: 'visit_moved',
    from: change.from_at === null ? null : toIso(change.from_at),
    to: change.to_at === null ? null : toIso(change.to_at),
    fromZone: change.from_zone,
    toZone: change.to_zone,
    who: staff.get(change.by_id ?? '') ?? null,
    note: by === 'staff' ? change.note : moverOf(change),
  }
}

const moneyOf = ({ amount_minor: minor, currency }: Payment) => ({ minor, currency })

/** A row keeps only its last update; once staff have decided, the decision is shown in its place. */
function ofPayment(payment: Payment, staff: Facts['staff']): TimelineEvent[] {
  const { state, created_at, updated_at, decision, decided_at, taken_minor } = payment
  const started: TimelineEvent = {
    at: created_at,
    what: 'started',
    to: 'creating',
    amount: moneyOf(payment),
    reference: payment.gw_session,
  }
  const differs = taken_minor !== null
  const decided: TimelineEvent = {
    at: decided_at,
    what: 'decided',
    from: 'review',
    to: decision,
    amount: receivedAmount(payment),
    note: payment.decision_note,
    who: staff.get(payment.decided_by ?? '') ?? null,
  }
  if (state === 'creating') return [started]
  const moved: TimelineEvent = {
    at: updated_at,
    what: 'moved',
    from: 'open',
    to: state,
    note: payment.reason,
    amount: differs ? receivedAmount(payment) : null,
    reference: payment.gw_payment,
  }
  return decision === null ? [started, moved] : [started, decided]
}

function ofRefund(refund: RefundRow, { payments, staff }: Facts): TimelineEvent[] {
  const { state } = refund
  const payment = payments.find(({ no }) => no === refund.payment_no)
  const amount = {
    minor: refund.amount_minor,
    currency: refund.currency ?? payment?.currency ?? '',
  }
  const who = staff.get(refund.actor_id ?? '') ?? null
  const isOver = state === 'done' || state === 'failed'
  return [
    {
      at: refund.created_at,
      what: 'refund_asked',
      from: null,
      to: 'due',
      amount,
      who,
      // Why: staff's own words, or the kind of refund where none were needed.
      note: refund.note ?? refund.reason,
    },
    {
      at: isOver ? refund.updated_at : null,
      what: 'refund_ended',
      from: 'due',
      to: refund.dealt_at === null ? state : 'failed',
      amount,
      reference: refund.gw_refund,
    },
    {
      at: refund.dealt_at,
      what: 'refund_dealt',
      from: 'failed',
      to: state,
      amount,
      who: staff.get(refund.dealt_by ?? '') ?? null,
      note: refund.dealt_note,
    },
  ]
}

/** Order of entries with the same time. */
const ORDER: readonly TimelineEntry['what'][] = [
  'held',
  'started',
  'event',
  'moved',
  'decided',
  'booked',
  'times_proposed',
  'time_kept',
  'visit_moved',
  'refund_asked',
  'released',
  'cancelled',
  'refund_ended',
  'refund_dealt',
  'email',
]

/** What happened, earliest first. */
export function timelineOf(facts: Facts): TimelineEntry[] {
  const happened: TimelineEvent[] = [
    ...ofVisit(facts),
    ...facts.changes.map((change) => ofChange(change, facts.staff)),
    ...facts.payments.flatMap((payment) => ofPayment(payment, facts.staff)),
    ...facts.refunds.flatMap((refund) => ofRefund(refund, facts)),
    ...facts.events.map(
      (event): TimelineEvent => ({
        at: event.received_at,
        what: 'event',
        note: event.type,
        reference: event.id,
      }),
    ),
    ...facts.emails.map(
      (email): TimelineEvent => ({ at: email.created_at, what: 'email', note: email.subject }),
    ),
  ]
  return happened
    .flatMap(({ at, ...entry }) => (at === null ? [] : [{ at, entry }]))
    .toSorted(
      (one, other) =>
        one.at - other.at || ORDER.indexOf(one.entry.what) - ORDER.indexOf(other.entry.what),
    )
    .map(({ at, entry }) => ({ ...emptyEntry, ...entry, at: toIso(at) }))
}

/** The timeline for viewers who may not see names: without notes by people and without staff. */
export function withoutPeople(timeline: readonly TimelineEntry[]): TimelineEntry[] {
  return timeline.map((entry) =>
    entry.what === 'event' || entry.what === 'moved' ? entry : { ...entry, who: null, note: null },
  )
}
