import type { Generated } from 'kysely'
import type { Region } from '#contract/base/region.ts'
import type { ClaimState } from '#contract/life-cycles/claim.ts'
import type { BookingState, VisitOutcome } from '#contract/life-cycles/visit.ts'
import type { Flag, Instant, MinorUnits, WallClock } from '#db/columns.ts'

/** One appointment from the moment its time is held. Never deleted. */
export interface BookingRow {
  /** Compact key for internal use. Never leaves the server. */
  no: Generated<number>
  id: string
  /** Spoken reference: `AP-7K3M-2Q`. Unique. */
  reference: string
  /** `accounts.no` of the patient; null while a visitor holds it, and after they have released it. */
  patient_no: number | null
  /**
   * Keyed hash of the cookie of the visitor who holds it; null once an account has taken it over, or it was
   * released. A visitor holds one time at most.
   */
  visitor: string | null
  provider_no: number
  place_no: number
  region: Region
  start_at: Instant
  end_at: Instant
  /** Time zone of the place at the time of booking. */
  time_zone: string
  /** `start_at` in the local time of the place: histories sort and filter by it. */
  wall_at: WallClock
  state: BookingState
  /** End of the hold; afterwards the sweep closes it, once it can no longer be paid. */
  hold_until: Instant
  /** After this no payment may be started or captured: the provider's notice period. */
  pay_by: Instant
  /** Whether the hold was already extended; it can be extended once. */
  renewed: Flag
  visit_type: 'first_visit' | 'follow_up'
  /** Why the follow-up fee was granted; null for a first visit. */
  follow_up_basis: 'history' | 'self_declared' | null
  /** How the visit takes place. */
  mode: 'in_person' | 'video'
  /** `visit_types.no`; null for bookings made before visit types existed. */
  type_no: number | null
  /** Name of the visit type when the time was held; null if the provider had only one. */
  type_name: string | null
  /** Two-letter US state the patient will be in during a video visit; null elsewhere. */
  patient_state: string | null
  /**
   * Room of a video visit on our own server: created when the first person joins, then kept; disclosed only
   * on joining.
   */
  video_room: string | null
  payment_method: 'stripe' | 'paypal'
  purpose: string
  /** When a verified one-time code was used up for it; null before the first press on a payment button. */
  code_at: Instant | null
  /** Both prices at the time of the hold: later changes do not affect them. */
  first_minor: MinorUnits
  follow_minor: MinorUnits
  currency: 'GBP' | 'USD'
  free_cancel_hours: number
  late_cancel_percent: number
  no_show_percent: number
  /** End of free cancellation; fixed when the visit is confirmed, null before. */
  free_until: Instant | null
  /** Distance in miles as shown by the search, such as `3.4`. */
  distance: string | null
  /** `payments.no`: set exactly while confirmed or cancelled. */
  paid_by: number | null
  /**
   * Keyed hash of the network, for holds by somebody who has never paid for a visit; null once paid or
   * released, and for everybody else.
   */
  held_from: string | null
  /** SEQUENCE of the calendar file: counts the changes people were notified of. */
  sequence: number
  /** When people were last notified: booked, moved or cancelled; DTSTAMP of the calendar file. */
  changed_at: Instant | null
  created_at: Instant
  confirmed_at: Instant | null
  closed_at: Instant | null
  /** The outcome, and since when it is known; set only while confirmed. */
  outcome: VisitOutcome | null
  outcome_at: Instant | null
  /** When the patient was marked as arrived. */
  arrived_at: Instant | null
}

/**
 * A visit the provider entered for somebody who phoned or came to the desk: no account, no payment. Each
 * field that identifies the patient is sealed separately, and empty when not given or erased.
 */
export interface DeskVisitRow {
  no: Generated<number>
  id: string
  /** Spoken reference: `AP-7K3M-2Q`. */
  reference: string
  provider_no: number
  place_no: number
  kind: 'phone' | 'walk_in'
  state: 'confirmed' | 'cancelled'
  start_at: Instant
  end_at: Instant
  /** Time zone of the place when it was entered or last moved. */
  time_zone: string
  /** `start_at` in the local time of the place. */
  wall_at: WallClock
  name: string
  phone: string
  /** Optional; emails about the visit go to it. */
  email: string
  note: string
  /** SEQUENCE of the calendar file: counts moves and the cancellation. */
  sequence: number
  /** Start before the last move. */
  moved_from: Instant | null
  /** Time zone of that start; null of moves before it was recorded. */
  moved_from_zone: string | null
  created_at: Instant
  /** When it was entered, moved or cancelled; DTSTAMP of the calendar file. */
  changed_at: Instant
  closed_at: Instant | null
  /** The outcome, and since when it is known. */
  outcome: 'completed' | 'no_show' | null
  outcome_at: Instant | null
  arrived_at: Instant | null
}

/**
 * The time occupied by a booking while held or confirmed, or by a desk visit while confirmed: exactly one of
 * the two numbers is set. The database itself refuses overlapping claims of one provider: a trigger on
 * SQLite, an exclusion constraint on Postgres.
 */
export interface SlotClaimRow {
  booking_no: number | null
  desk_no: number | null
  provider_no: number
  start_at: Instant
  /** Exclusive. */
  end_at: Instant
}

/**
 * Number of bookings confirmed, by local month of the visit, including cancelled ones. Written only by
 * triggers on `bookings`.
 */
export interface BookingMonthRow {
  /** `providers.no`; 0 for the total of all providers. */
  scope_no: number
  /** Year × 12 + month, with 0 for January. */
  month: number
  method: 'stripe' | 'paypal'
  /**
   * The total is split into sixteen rows per region, those of the USA from 16 on, so that bookings do not
   * contend for one row.
   */
  shard: number
  n: number
}

/**
 * One change of a booked visit: timeline, and evidence in a dispute. The database refuses to alter or
 * delete it; only the note can be blanked.
 */
export interface VisitChangeRow {
  no: Generated<number>
  booking_no: number
  at: Instant
  what:
    | 'cancelled'
    | 'moved'
    | 'proposed'
    /** The patient declined the proposed times and keeps the visit as it is. */
    | 'kept'
    /** The time of a late cancellation was booked by somebody else: the fee is refunded. */
    | 'refilled'
    /** Staff corrected the outcome. */
    | 'corrected'
  by_kind: 'patient' | 'provider' | 'staff' | 'system'
  /** Public id of their account; null for the system. */
  by_id: string | null
  /** SEQUENCE of the visit after the change. */
  sequence: number
  /** Start before and after; `to_at` is null when there is no new start. */
  from_at: Instant | null
  to_at: Instant | null
  /** Time zones of a move's two starts; null of other changes, and of moves before they were recorded. */
  from_zone: string | null
  to_zone: string | null
  /** One of a fixed list, if there is one. */
  reason: string | null
  /** Note by the author of the change; deleted once either side has erased their account. */
  note: string | null
  /** Amounts refunded and kept, in the currency of the visit. */
  refund_minor: MinorUnits | null
  kept_minor: MinorUnits | null
}

/** A time the provider proposes to the patient of an upcoming visit, without holding it; at most three. */
export interface VisitProposalRow {
  booking_no: number
  position: number
  start_at: Instant
  place_no: number
  /** When it was proposed: the same for all times of one visit. */
  at: Instant
}

/** A person joined a video visit: evidence, which the database refuses to alter or delete. */
export interface VisitJoinRow {
  no: Generated<number>
  booking_no: number
  at: Instant
  by_kind: 'patient' | 'provider'
  /** Public id of the person's account. */
  by_id: string
  /** Host they were redirected to; the full URL is never stored. */
  host: string
}

/** A patient's objection to being marked as absent. At most one per visit. */
export interface OutcomeClaimRow {
  id: string
  booking_no: number
  says: 'was_there' | 'not_held'
  /** Sealed: it may contain health data. Empty once the account is erased. */
  words: string
  /** `settled`: the provider has corrected the mark meanwhile. */
  state: ClaimState
  created_at: Instant
  /** The provider's reply, sealed. Empty once the patient's account is erased. */
  answer: string | null
  answered_at: Instant | null
  decided_at: Instant | null
  /** Account of the staff member, or of the provider who settled it. */
  decided_by: string | null
  /** Why, in the words of staff. */
  note: string | null
}

/** Reminder settings of one account. Without a row the defaults apply. */
export interface ReminderSettingsRow {
  account_no: number
  week: Flag
  day: Flag
  /** Whole hours in the clinic's local time; reminders are due between them. */
  from_hour: number
  to_hour: number
  /** Leaves the provider's name out of email subjects and calendars. */
  discreet: Flag
  updated_at: Instant
}

/** A reminder that was created; created only once for the same visit, kind and start. */
export interface ReminderRow {
  booking_no: number
  kind: 'week' | 'day'
  /** The start it reminds of: after a move the visit has another key. */
  start_at: Instant
  due_at: Instant
  /** Shared by the visits of one day that go into one email. */
  batch: string
  created_at: Instant
}

export interface BookingTables {
  booking_months: BookingMonthRow
  bookings: BookingRow
  desk_visits: DeskVisitRow
  outcome_claims: OutcomeClaimRow
  reminder_settings: ReminderSettingsRow
  reminders: ReminderRow
  slot_claims: SlotClaimRow
  visit_changes: VisitChangeRow
  visit_joins: VisitJoinRow
  visit_proposals: VisitProposalRow
}
