import type { Insertable, Updateable } from 'kysely'
import type { ProviderId } from '#contract/base/ids.ts'
import type { ProfessionalBody } from '#contract/base/people.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { PUBLIC_COLUMNS } from '#db/tables/profiles.ts'
import type { CompanyClaimRow, VerificationRequestRow } from '#db/tables/verification.ts'
import { erasedAddress } from '#server/kernel/email-address.ts'

/** Details of a provider for staff, beyond what is compared with the register. */
export function findStaffProvider(db: Db, id: ProviderId) {
  return db
    .selectFrom('providers as p')
    .leftJoin('places as l', (on) =>
      on.onRef('l.provider_no', '=', 'p.no').on('l.position', '=', 0),
    )
    .leftJoin('provider_standings as s', 's.provider_no', 'p.no')
    .select([
      ...PUBLIC_COLUMNS.map((column) => `p.${column}` as const),
      'p.no',
      'p.email',
      'p.phone',
      'p.verification_status',
      'p.created_at',
      'l.name as place_name',
      'l.address',
      'l.locality',
      'l.postcode',
      's.since',
      's.asked_again_at',
    ])
    .where('p.id', '=', id)
    .executeTakeFirst()
}

export type StaffProviderRow = NonNullable<Awaited<ReturnType<typeof findStaffProvider>>>

type Number = { no: number; professional_body: ProfessionalBody; membership_number: string }

/** Other accounts that claim a provider's registration number, Verified ones first. */
export function listSameNumber(db: Db, { no, professional_body, membership_number }: Number) {
  return db
    .selectFrom('providers')
    .select(['id', 'title', 'first_name', 'last_name', 'verification_status', 'created_at'])
    .where('professional_body', '=', professional_body)
    .where('membership_number', '=', membership_number)
    .where('no', '<>', no)
    .where('email', 'not like', `%${erasedAddress('')}`)
    .orderBy('verification_status', 'desc')
    .orderBy('no')
    .limit(20)
    .execute()
}

/** A provider's register checks with the staff member who made them, newest first. */
export function listChecks(db: Db, providerNo: number, limit: number) {
  return db
    .selectFrom('verification_checks as c')
    .leftJoin('accounts as a', 'a.id', 'c.actor_id')
    .selectAll('c')
    .select(['a.first_name', 'a.last_name', 'a.email'])
    .where('c.provider_no', '=', providerNo)
    .orderBy('c.at', 'desc')
    .orderBy('c.no', 'desc')
    .limit(limit)
    .execute()
}

export type ListedCheck = Awaited<ReturnType<typeof listChecks>>[number]

/** Requests to a provider, newest first. */
export function listRequests(db: Db, providerNo: number) {
  return db
    .selectFrom('verification_requests as r')
    .leftJoin('accounts as a', 'a.id', 'r.actor_id')
    .leftJoin('company_documents as d', 'd.no', 'r.document_no')
    .select([
      'r.at',
      'r.what',
      'r.about',
      'r.answer',
      'r.answered_at',
      'a.first_name',
      'a.last_name',
      'a.email',
      'd.id as document_id',
      'd.kind',
      'd.bytes',
    ])
    .where('r.provider_no', '=', providerNo)
    .orderBy('r.at', 'desc')
    .orderBy('r.no', 'desc')
    .limit(20)
    .execute()
}

/** The newest request to a provider, or undefined. */
export function findNewestRequest(db: Db, providerNo: number) {
  return db
    .selectFrom('verification_requests')
    .select(['no', 'id', 'at', 'what', 'about'])
    .where('provider_no', '=', providerNo)
    .orderBy('at', 'desc')
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Companies that a provider submitted, with documents and the staff member who decided, newest first. */
export function listClaims(db: Db, providerNo: number) {
  return db
    .selectFrom('company_claims as c')
    .innerJoin('company_documents as d', 'd.no', 'c.document_no')
    .leftJoin('accounts as a', 'a.id', 'c.decided_by')
    .select([
      'c.id',
      'c.state',
      'c.company_name',
      'c.registration_number',
      'c.address',
      'c.sent_at',
      'c.decided_at',
      'c.reason',
      'd.id as document_id',
      'd.kind',
      'd.bytes',
      'a.first_name',
      'a.last_name',
      'a.email',
    ])
    .where('c.provider_no', '=', providerNo)
    .orderBy('c.no', 'desc')
    .limit(20)
    .execute()
}

export async function countUpcomingVisits(
  db: Db,
  providerNo: number,
  now: Instant,
): Promise<number> {
  const { count } = await db
    .selectFrom('bookings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('provider_no', '=', providerNo)
    .where('state', '=', 'confirmed')
    .where('start_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

/** Inserts a request to a provider and moves them behind the others in the queue. Call in a transaction. */
export async function insertRequest(
  db: Db,
  row: Insertable<VerificationRequestRow>,
): Promise<void> {
  const { provider_no, at } = row
  await db.insertInto('verification_requests').values(row).execute()
  await db
    .insertInto('provider_standings')
    .values({
      provider_no,
      state: 'waiting',
      since: at,
      reason: null,
      is_match: 0,
      asked_at: at,
      checked_at: null,
      due_at: null,
      doubt_since: null,
      asked_again_at: at,
    })
    .onConflict((conflict) =>
      conflict.column('provider_no').doUpdateSet({ asked_again_at: at, answered_at: null }),
    )
    .execute()
}

type Answer = { requestNo: number; providerNo: number; text: string; documentNo: number | null }

/** Stores the answer to a request, which is then no longer open. Call in a transaction. */
export async function saveAnswer(db: Db, answer: Answer, now: Instant): Promise<void> {
  const { requestNo, providerNo, text, documentNo } = answer
  await db
    .updateTable('verification_requests')
    .set({ answer: text, document_no: documentNo, answered_at: now })
    .where('no', '=', requestNo)
    .execute()
  await db
    .updateTable('provider_standings')
    .set({ asked_again_at: null, answered_at: now })
    .where('provider_no', '=', providerNo)
    .execute()
}

/** Details for the email about a request. */
export function findRequest(db: Db, id: string) {
  return db
    .selectFrom('verification_requests as r')
    .innerJoin('providers as p', 'p.no', 'r.provider_no')
    .leftJoin('accounts as a', (on) =>
      on.onRef('a.provider_no', '=', 'p.no').on('a.erased_at', 'is', null),
    )
    .select([
      'r.what',
      'r.about',
      'p.first_name',
      'p.last_name',
      'p.email',
      'p.professional_body as body',
      'p.membership_number',
      'a.id as user_id',
    ])
    .where('r.id', '=', id)
    .executeTakeFirst()
}

/** A company claim with its provider, for a decision and the email that follows. */
export function findClaim(db: Db, id: string) {
  return db
    .selectFrom('company_claims as c')
    .innerJoin('providers as p', 'p.no', 'c.provider_no')
    .leftJoin('accounts as a', (on) =>
      on.onRef('a.provider_no', '=', 'p.no').on('a.erased_at', 'is', null),
    )
    .select([
      'c.no',
      'c.id',
      'c.provider_no',
      'c.state',
      'c.reason',
      'c.company_name',
      'p.id as provider_id',
      'p.first_name',
      'p.last_name',
      'p.email',
      'a.id as user_id',
    ])
    .where('c.id', '=', id)
    .executeTakeFirst()
}

export type FoundClaim = NonNullable<Awaited<ReturnType<typeof findClaim>>>

/** Updates a company claim if its state is unchanged; false if it has changed. */
export async function updateClaim(
  db: Db,
  { no, state }: Pick<FoundClaim, 'no' | 'state'>,
  to: Updateable<Omit<CompanyClaimRow, 'no'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('company_claims')
    .set(to)
    .where('no', '=', no)
    .where('state', '=', state)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A document that was sent with a claim, with an answer or as a proof, by its public id. */
export function findSentDocument(db: Db, id: string) {
  return db
    .selectFrom('company_documents as d')
    .leftJoin('company_claims as c', 'c.document_no', 'd.no')
    .leftJoin('verification_requests as r', 'r.document_no', 'd.no')
    .leftJoin('registrant_proofs as f', 'f.document_no', 'd.no')
    .innerJoin('providers as p', 'p.no', 'd.provider_no')
    .select([
      'd.id',
      'd.kind',
      'd.file',
      'c.id as claim_id',
      'r.id as request_id',
      'f.id as proof_id',
      'p.email',
    ])
    .where('d.id', '=', id)
    .where((eb) =>
      eb.or([eb('c.no', 'is not', null), eb('r.no', 'is not', null), eb('f.no', 'is not', null)]),
    )
    .limit(1)
    .executeTakeFirst()
}
