import type { Db } from '#db/engine.ts'

// Looks up the recipients of outbox rows from their payloads. Erased people have no address.

export async function findAccountAddress(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return row?.email
}

/** The recipient of a contact message; null for the site's operators. */
export async function findMessageAddress(db: Db, id: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('contact_messages as m')
    .leftJoin('providers as p', 'p.no', 'm.provider_no')
    .select('p.email')
    .where('m.id', '=', id)
    .executeTakeFirst()
  return row?.email
}

/** The patient and the provider of a visit. */
export async function listVisitAddresses(db: Db, bookingId: string): Promise<string[]> {
  const row = await db
    .selectFrom('bookings as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .leftJoin('accounts as a', (join) =>
      join.onRef('a.no', '=', 'b.patient_no').on('a.erased_at', 'is', null),
    )
    .select(['a.email as patient', 'p.email as provider'])
    .where('b.id', '=', bookingId)
    .executeTakeFirst()
  return [row?.patient, row?.provider].flatMap((address) => address ?? [])
}

export async function findRefundAddress(db: Db, refundId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('refunds as r')
    .innerJoin('payments as p', 'p.no', 'r.payment_no')
    .innerJoin('accounts as a', 'a.no', 'p.patient_no')
    .select('a.email')
    .where('r.id', '=', refundId)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
  return row?.email
}

/** The patient of a batch of reminders. */
export async function findReminderAddress(db: Db, batch: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('reminders as r')
    .innerJoin('bookings as b', 'b.no', 'r.booking_no')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .select('a.email')
    .where('r.batch', '=', batch)
    .where('a.erased_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row?.email
}

export async function findPayerAddress(db: Db, paymentId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('payments as p')
    .innerJoin('accounts as a', 'a.no', 'p.patient_no')
    .select('a.email')
    .where('p.id', '=', paymentId)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
  return row?.email
}

export async function findTokenAddress(db: Db, tokenId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('access_tokens as t')
    .innerJoin('accounts as a', 'a.no', 't.account_no')
    .select('a.email')
    .where('t.id', '=', tokenId)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
  return row?.email
}

/** The patient and the provider of a contested visit. */
export async function findClaimAddresses(
  db: Db,
  claimId: string,
): Promise<{ patient?: string | null; provider?: string }> {
  const row = await db
    .selectFrom('outcome_claims as c')
    .innerJoin('bookings as b', 'b.no', 'c.booking_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .leftJoin('accounts as a', (join) =>
      join.onRef('a.no', '=', 'b.patient_no').on('a.erased_at', 'is', null),
    )
    .select(['a.email as patient', 'p.email as provider'])
    .where('c.id', '=', claimId)
    .executeTakeFirst()
  return row ?? {}
}

/** The encrypted address entered with a desk visit; empty when none was given or it was erased. */
export async function findDeskAddress(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('desk_visits')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.email
}

export async function findFeedAddress(db: Db, feedId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('calendar_feeds as f')
    .innerJoin('accounts as a', 'a.no', 'f.account_no')
    .select('a.email')
    .where('f.id', '=', feedId)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
  return row?.email
}

/** Tables with an id whose rows are about a provider. */
export type AboutProvider =
  | 'verification_checks'
  | 'verification_requests'
  | 'company_claims'
  | 'registrant_proofs'

/** The published address that receives the codes of a proof. */
export async function findPublishedAddress(db: Db, proofId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('registrant_proofs')
    .select('email')
    .where('id', '=', proofId)
    .executeTakeFirst()
  return row?.email ?? undefined
}

/** The provider that a check, a request, a company claim or a proof is about. */
export async function findProviderAddress(
  db: Db,
  about: { table: AboutProvider; id: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom(about.table)
    .innerJoin('providers as p', 'p.no', `${about.table}.provider_no`)
    .select('p.email')
    .where(`${about.table}.id`, '=', about.id)
    .executeTakeFirst()
  return row?.email
}

/** The owner of an external calendar. */
export async function findOutsideAddress(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('outside_calendars as c')
    .innerJoin('accounts as a', 'a.provider_no', 'c.provider_no')
    .select('a.email')
    .where('c.id', '=', id)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
  return row?.email
}
