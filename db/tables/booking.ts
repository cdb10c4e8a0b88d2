import type { Generated } from 'kysely'
import type { Region } from '#contract/region.ts'
import type { Flag, Instant, MinorUnits, WallClock } from '#db/columns.ts'

/** One appointment from the moment its time is held. Never deleted. */
export interface BookingRow {
  /** Compact key inside the database. Never leaves the server. */
  no: Generated<number>
  id: string
  /** What people read out: `AP-7K3M-2Q`. Unique; old rows got theirs from a migration. */
  reference: string
  /** `accounts.no` of the patient; null while a visitor holds it, and once they have let it go. */
  patient_no: number | null
  /**
   * Keyed hash of the cookie of the visitor who holds it; null once an account has taken it over, or it
   * was given back. A visitor holds one time at most.
   */
  visitor: string | null
  provider_no: number
  place_no: number
  region: Region
  start_at: Instant
  end_at: Instant
  /** Zone of the place when it was booked. */
  time_zone: string
  /** `start_at` on the wall of the place: what histories sort and filter by. */
  wall_at: WallClock
  state: 'held' | 'confirmed' | 'released' | 'cancelled'
  /** Until when the time is kept; afterwards the sweep closes it, once its payment is impossible. */
  hold_until: Instant
  /** After this nobody may begin to pay, and no payment may be captured: the provider's notice. */
  pay_by: Instant
  /** It was kept for longer once. */
  renewed: Flag
  visit_type: 'first_visit' | 'follow_up'
  /** Why the follow-up fee was granted; null for a first visit. */
  follow_up_basis: 'history' | 'self_declared' | null
  /** How it takes place. */
  mode: 'in_person' | 'video'
  /** `visit_types.no`; null where it was booked before there were types. */
  type_no: number | null
  /** Name of the type as it was when the time was held; null where its provider had only one. */
  type_name: string | null
  /** Two letters of the US state the patient will be in for a visit by video; null elsewhere. */
  patient_state: string | null
  /** Of a visit by video on a server of our own: made when the first one joins, kept, told nobody else. */
  video_room: string | null
  payment_method: 'stripe' | 'paypal'
  purpose: string
  /** When a verified one-time code was used up for it; null before the first press on a payment button. */
  code_at: Instant | null
  /** Both prices as they were when the time was held: a later change does not touch them. */
  first_minor: MinorUnits
  follow_minor: MinorUnits
  currency: 'GBP' | 'USD'
  free_cancel_hours: number
  late_cancel_percent: number
  no_show_percent: number
  /** Until when cancelling is free; fixed when the visit is confirmed, null before. */
  free_until: Instant | null
  /** Miles as the search showed them, such as `3.4`. */
  distance: string | null
  /** `payments.no`: set exactly while confirmed or cancelled. */
  paid_by: number | null
  /**
   * Keyed hash of the network a time is held from by somebody who has never paid for one; null once
   * paid or given back, and for everybody else.
   */
  held_from: string | null
  /** SEQUENCE of the calendar file: counts changes people were told of. */
  sequence: number
  /** When people were last told of it: booked, moved or cancelled; DTSTAMP of the calendar file. */
  changed_at: Instant | null
  created_at: Instant
  confirmed_at: Instant | null
  closed_at: Instant | null
  /** What became of it, and since when that is known; only ever while confirmed. */
  outcome: 'completed' | 'no_show' | 'not_held' | null
  outcome_at: Instant | null
  /** When its patient was marked as there. */
  arrived_at: Instant | null
}

/**
 * A visit its provider put in for somebody who phoned or came to the desk: no account, no payment. What
 * names the patient is sealed, each field by itself, and empty where nothing was said or it was blanked.
 */
export interface DeskVisitRow {
  no: Generated<number>
  id: string
  /** What people read out: `AP-7K3M-2Q`. */
  reference: string
  provider_no: number
  place_no: number
  kind: 'phone' | 'walk_in'
  state: 'confirmed' | 'cancelled'
  start_at: Instant
  end_at: Instant
  /** Zone of the place when it was put in or last moved. */
  time_zone: string
  /** `start_at` on the wall of the place. */
  wall_at: WallClock
  name: string
  phone: string
  /** Whoever has one is mailed about the visit. */
  email: string
  note: string
  /** SEQUENCE of the calendar file: counts moves and cancelling. */
  sequence: number
  /** Start before the last move. */
  moved_from: Instant | null
  created_at: Instant
  /** When it was put in, moved or cancelled; DTSTAMP of the calendar file. */
  changed_at: Instant
  closed_at: Instant | null
  /** What became of it, and since when that is known. */
  outcome: 'completed' | 'no_show' | null
  outcome_at: Instant | null
  arrived_at: Instant | null
}

/**
 * The time a booking occupies while held or confirmed, or a desk visit while confirmed: one of the two
 * numbers is set. The database itself refuses two that overlap for one provider: a trigger on SQLite, an
 * exclusion constraint on Postgres.
 */
export interface SlotClaimRow {
  booking_no: number | null
  desk_no: number | null
  provider_no: number
  start_at: Instant
  /** Not included. */
  end_at: Instant
}

/**
 * How many bookings were confirmed, by the month of the visit on the wall of its place, cancelled ones
 * included. Kept by triggers on `bookings`; never written otherwise.
 */
export interface BookingMonthRow {
  /** `providers.no`; 0 for everybody together. */
  scope_no: number
  /** Twelve times the year, and 0 for January. */
  month: number
  method: 'stripe' | 'paypal'
  /** Everybody's count is the sum of sixteen a region, those of the USA from 16 on, so that bookings do not wait for one row. */
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
    /** Its patient keeps the time: what was proposed is turned down. */
    | 'kept'
    /** Somebody else took the time of one that was cancelled late: its fee goes back. */
    | 'refilled'
    /** Staff corrected what became of it. */
    | 'corrected'
  by_kind: 'patient' | 'provider' | 'staff' | 'system'
  /** Public id of their account; null for the system. */
  by_id: string | null
  /** SEQUENCE of the visit after it. */
  sequence: number
  /** Start before and after; `to_at` is null where nothing takes its place. */
  from_at: Instant | null
  to_at: Instant | null
  /** One of a short list, as far as there is one. */
  reason: string | null
  /** What whoever changed it wrote; gone once one of the two is erased. */
  note: string | null
  /** What went back and what was kept of the money, in the currency of the visit. */
  refund_minor: MinorUnits | null
  kept_minor: MinorUnits | null
}

/** A time the provider asks the patient of a coming visit to take; nobody has it. Three at most. */
export interface VisitProposalRow {
  booking_no: number
  position: number
  start_at: Instant
  place_no: number
  /** When it was proposed: the same for all times of one visit. */
  at: Instant
}

/** Somebody joined a visit by video: evidence, which the database refuses to alter or delete. */
export interface VisitJoinRow {
  no: Generated<number>
  booking_no: number
  at: Instant
  by_kind: 'patient' | 'provider'
  /** Public id of their account. */
  by_id: string
  /** Where they were sent; never the whole address. */
  host: string
}

export interface BookingTables {
  booking_months: BookingMonthRow
  bookings: BookingRow
  desk_visits: DeskVisitRow
  slot_claims: SlotClaimRow
  visit_changes: VisitChangeRow
  visit_joins: VisitJoinRow
  visit_proposals: VisitProposalRow
}
