import { sql } from 'kysely'
import type { Db } from '#db/engine.ts'

export function getAccountOf(db: Db, no: number) {
  return db.selectFrom('accounts').selectAll().where('no', '=', no).executeTakeFirstOrThrow()
}

export function getProviderOf(db: Db, no: number) {
  return db.selectFrom('providers').selectAll().where('no', '=', no).executeTakeFirstOrThrow()
}

export function listPlacesOf(db: Db, providerNo: number) {
  return db
    .selectFrom('places')
    .select(['name', 'address', 'locality', 'postcode', 'time_zone', 'phone'])
    .where('provider_no', '=', providerNo)
    .orderBy('position')
    .execute()
}

export function listSessionsOf(db: Db, accountNo: number) {
  return db
    .selectFrom('sessions')
    .select(['device', 'network', 'created_at', 'last_used_at', 'ended_at', 'end_reason'])
    .where('account_no', '=', accountNo)
    .orderBy('created_at', 'desc')
    .execute()
}

export function listConsentsOf(db: Db, accountNo: number) {
  return db
    .selectFrom('consents')
    .select(['id', 'preferences', 'statistics', 'created_at', 'updated_at'])
    .where('account_no', '=', accountNo)
    .orderBy('created_at')
    .execute()
}

/** Reminder settings of an account; none until the person has chosen. */
export function listReminderSettingsOf(db: Db, accountNo: number) {
  return db
    .selectFrom('reminder_settings')
    .select(['week', 'day', 'from_hour', 'to_hour', 'discreet', 'updated_at'])
    .where('account_no', '=', accountNo)
    .execute()
}

/** Calendar feeds of an account, without their tokens. */
export function listFeedsOf(db: Db, accountNo: number) {
  return db
    .selectFrom('calendar_feeds')
    .select(['id', 'name', 'shows_names', 'created_at', 'last_read_at'])
    .where('account_no', '=', accountNo)
    .orderBy('created_at')
    .execute()
}

/** A patient's objections to being marked as absent, encrypted. */
export function listContestedOf(db: Db, accountNo: number) {
  return db
    .selectFrom('outcome_claims as c')
    .innerJoin('bookings as b', 'b.no', 'c.booking_no')
    .select(['b.id as visit_id', 'c.says', 'c.words', 'c.state', 'c.created_at', 'c.decided_at'])
    .where('b.patient_no', '=', accountNo)
    .orderBy('c.created_at')
    .execute()
}

/**
 * Messages sent through the contact form from a person's address, also from a former one; without those of another
 * account that had the address before.
 */
export function listMessagesFrom(db: Db, { email, userId }: Pick<Recipient, 'email' | 'userId'>) {
  return db
    .selectFrom('contact_messages')
    .select(['id', 'first_name', 'last_name', 'email', 'message', 'created_at'])
    .where((where) =>
      where.or([
        where('user_id', '=', userId),
        where.and([where('email', '=', email), where('user_id', 'is', null)]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

type Recipient = { accountNo: number; email: string; userId: string }

/**
 * Emails sent to a person, also at a former address, without the bodies: they are in the person's mailbox. Left
 * out are emails about another account, which may have used the address before, and those to the providers of
 * the person's visits.
 */
export function listMailsTo(db: Db, { accountNo, email, userId }: Recipient) {
  const providers = db
    .selectFrom('bookings as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .select('p.email')
    .where('b.patient_no', '=', accountNo)
  return db
    .selectFrom('mails')
    .select(['subject', 'created_at'])
    .where((where) =>
      where.or([
        where.and([where('user_id', '=', userId), where('to_address', 'not in', providers)]),
        where.and([
          where('to_address', '=', email),
          where.or([where('user_id', '=', userId), where('user_id', 'is', null)]),
        ]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('subject')
    .execute()
}

/** Visits a patient held or booked, with whom and where. */
export function listBookingsOf(db: Db, accountNo: number) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .select([
      'b.id',
      'b.state',
      'p.id as provider_id',
      'p.first_name as provider_first_name',
      'p.last_name as provider_last_name',
      'l.name as place',
      'l.postcode',
      'b.start_at',
      'b.end_at',
      'b.time_zone',
      'b.visit_type',
      'b.type_name',
      'b.mode',
      'b.patient_state',
      'b.follow_up_basis',
      'b.purpose',
      'b.distance',
      'b.payment_method',
      'b.first_minor',
      'b.follow_minor',
      'b.currency',
      'b.hold_until',
      'b.code_at',
      'b.created_at',
      'b.confirmed_at',
      'b.closed_at',
      'b.free_until',
      'b.outcome',
      'b.outcome_at',
      'b.arrived_at',
    ])
    .where('b.patient_no', '=', accountNo)
    .orderBy('b.start_at')
    .execute()
}

/**
 * Changes of a patient's visits, or of a provider's, with author, reason and the text sent to the other side.
 * Internal notes of staff are left out.
 */
export function listChangesOf(db: Db, whose: { patientNo: number } | { providerNo: number }) {
  const query = db
    .selectFrom('visit_changes as c')
    .innerJoin('bookings as b', 'b.no', 'c.booking_no')
    .select([
      'b.id as visit_id',
      'c.at',
      'c.what',
      'c.by_kind as by',
      'c.from_at',
      'c.to_at',
      'c.reason',
      sql<string | null>`case when c.by_kind = 'staff' then null else c.note end`.as('note'),
      'c.refund_minor',
      'c.kept_minor',
      'b.currency',
    ])
  const own =
    'providerNo' in whose
      ? query.where('b.provider_no', '=', whose.providerNo).where('c.by_kind', '=', 'provider')
      : query.where('b.patient_no', '=', whose.patientNo)
  return own.orderBy('c.no').execute()
}

/** Payments a patient made or attempted, with their refunds. */
export function listPaymentsOf(db: Db, accountNo: number) {
  return db
    .selectFrom('payments as y')
    .innerJoin('bookings as b', 'b.no', 'y.booking_no')
    .leftJoin('refunds as r', 'r.payment_no', 'y.no')
    .select([
      'y.id',
      'b.id as visit_id',
      'y.gateway',
      'y.state',
      'y.amount_minor',
      'y.currency',
      'y.reason',
      'r.amount_minor as refunded_minor',
      'r.state as refund_state',
      'y.created_at',
      'y.updated_at',
    ])
    .where('y.patient_no', '=', accountNo)
    .orderBy('y.created_at')
    .execute()
}

/** Results of comparing a provider with the register. */
export function listChecksOf(db: Db, providerNo: number) {
  return db
    .selectFrom('verification_checks')
    .select([
      'id',
      'kind',
      'at',
      'body',
      'claimed_number',
      'claimed_name',
      'answer_number',
      'answer_name',
      'status_text',
      'source',
      'outcome',
      'decision',
      'reason',
    ])
    .where('provider_no', '=', providerNo)
    .orderBy('no')
    .execute()
}

/** Requests for information from staff to a provider. */
export function listRequestsOf(db: Db, providerNo: number) {
  return db
    .selectFrom('verification_requests')
    .select(['id', 'at', 'what'])
    .where('provider_no', '=', providerNo)
    .orderBy('no')
    .execute()
}

/** Proofs that a provider is the registrant, sent by them or entered by staff. */
export function listProofsOf(db: Db, providerNo: number) {
  return db
    .selectFrom('registrant_proofs')
    .select([
      'id',
      'kind',
      'state',
      'body',
      'claimed_number',
      'claimed_name',
      'email',
      'source',
      'reason',
      'created_at',
      'decided_at',
    ])
    .where('provider_no', '=', providerNo)
    .orderBy('no')
    .execute()
}

/** Companies a provider named, with kind and size of their documents. */
export function listCompaniesOf(db: Db, providerNo: number) {
  return db
    .selectFrom('company_claims as c')
    .innerJoin('company_documents as d', 'd.no', 'c.document_no')
    .select([
      'c.id',
      'c.company_name',
      'c.registration_number',
      'c.address',
      'c.state',
      'c.reason',
      'c.sent_at',
      'c.decided_at',
      'd.kind as document_kind',
      'd.bytes as document_bytes',
    ])
    .where('c.provider_no', '=', providerNo)
    .orderBy('c.no')
    .execute()
}

/** A person's actions from the audit log. */
export function listActivityOf(db: Db, userId: string) {
  return db
    .selectFrom('audit')
    .select(['at', 'action', 'outcome', 'network', 'entity'])
    .where('actor_id', '=', userId)
    .orderBy('no')
    .execute()
}

/** A provider's schedule settings, as stored. */
export async function getHoursOf(db: Db, providerNo: number) {
  const settings = await db
    .selectFrom('schedules')
    .select([
      'notice_minutes',
      'horizon_days',
      'buffer_minutes',
      'closed_on_holidays',
      'rotation_weeks',
      'rotation_from',
      'updated_at',
    ])
    .where('provider_no', '=', providerNo)
    .executeTakeFirst()
  const hours = await db
    .selectFrom('weekly_hours as h')
    .innerJoin('places as l', 'l.no', 'h.place_no')
    .select(['l.name as place', 'h.week', 'h.weekday', 'h.from_minute', 'h.to_minute'])
    .where('h.provider_no', '=', providerNo)
    .orderBy('h.week')
    .orderBy('h.weekday')
    .orderBy('h.from_minute')
    .execute()
  const extraDates = await db
    .selectFrom('extra_dates as x')
    .innerJoin('places as l', 'l.no', 'x.place_no')
    .select(['l.name as place', 'x.date', 'x.from_minute', 'x.to_minute', 'x.note'])
    .where('x.provider_no', '=', providerNo)
    .orderBy('x.date')
    .execute()
  const absences = await db
    .selectFrom('absences as a')
    .leftJoin('places as l', 'l.no', 'a.place_no')
    .select(['l.name as place', 'a.from_date', 'a.to_date', 'a.note'])
    .where('a.provider_no', '=', providerNo)
    .orderBy('a.from_date')
    .execute()
  const blocks = await db
    .selectFrom('blocks')
    .select(['date', 'is_weekly', 'until_date', 'from_minute', 'to_minute', 'note'])
    .where('provider_no', '=', providerNo)
    .orderBy('date')
    .execute()
  return { settings: settings ?? null, hours, extra_dates: extraDates, absences, blocks }
}
