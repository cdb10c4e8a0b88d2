import type { Insertable, Updateable } from 'kysely'
import type { ProviderId } from '#contract/base/ids.ts'
import type { ProfessionalBody } from '#contract/base/people.ts'
import { verificationLife } from '#contract/life-cycles/verification.ts'
import { type Instant, toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { CheckRow, ProviderStandingRow } from '#db/tables/verification.ts'

function selectClaimants(db: Db, id: ProviderId) {
  return db
    .selectFrom('providers as p')
    .leftJoin('provider_standings as s', 's.provider_no', 'p.no')
    .select([
      'p.no',
      'p.id',
      'p.region',
      'p.first_name',
      'p.last_name',
      'p.email',
      'p.professional_body as body',
      'p.membership_number',
      'p.verification_status',
      'p.verified_at',
      's.state',
      's.reason',
      's.asked_again_at',
      's.answered_at',
    ])
    .where('p.id', '=', id)
}

/** A provider's claim and verification status. */
export function getClaimant(db: Db, id: ProviderId) {
  return selectClaimants(db, id).executeTakeFirstOrThrow()
}

/** As `getClaimant`, or undefined if there is none. */
export function findClaimant(db: Db, id: ProviderId) {
  return selectClaimants(db, id).executeTakeFirst()
}

export type Claimant = Awaited<ReturnType<typeof getClaimant>>

/** As `getClaimant`, with the claim locked until the transaction ends. */
export async function lockClaimant(db: Db, id: ProviderId): Promise<Claimant> {
  // An update is the row lock both engines support.
  await db
    .updateTable('providers')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .execute()
  return getClaimant(db, id)
}

/**
 * Locks all providers with this registration number until the transaction ends, and returns whether another
 * one of them is Verified. Of two concurrent decisions, the second waits here.
 */
export async function lockNumber(
  db: Db,
  { no, body, membership_number: number }: Pick<Claimant, 'no' | 'body' | 'membership_number'>,
): Promise<boolean> {
  await db
    .updateTable('providers')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('professional_body', '=', body)
    .where('membership_number', '=', number)
    .execute()
  const other = await db
    .selectFrom('providers')
    .select('no')
    .where('professional_body', '=', body)
    .where('membership_number', '=', number)
    .where('no', '<>', no)
    .where('verification_status', '=', 'Verified')
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

export async function insertCheck(db: Db, row: Insertable<CheckRow>): Promise<void> {
  await db.insertInto('verification_checks').values(row).execute()
}

/** The newest register check of a provider, or undefined. */
export function findNewestCheck(db: Db, providerNo: number) {
  return db
    .selectFrom('verification_checks')
    .selectAll()
    .where('provider_no', '=', providerNo)
    .orderBy('at', 'desc')
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Number of register look-ups a provider has made since an instant. */
export async function countLookUps(db: Db, providerNo: number, since: Instant): Promise<number> {
  const { count } = await db
    .selectFrom('verification_checks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('provider_no', '=', providerNo)
    .where('kind', '=', 'look_up')
    // Look-ups by staff do not count against the provider's limit.
    .where('actor_kind', '=', 'provider')
    .where('at', '>=', since)
    .executeTakeFirstOrThrow()
  return count
}

type QueueUpdate = { providerNo: number; isVerified: boolean; isMatch: boolean; now: Instant }

/** Puts a provider into the queue, or updates their position according to the register. */
export async function upsertQueued(db: Db, update: QueueUpdate): Promise<void> {
  const { providerNo, isVerified, now } = update
  const isMatch = update.isMatch ? 1 : 0
  await db
    .insertInto('provider_standings')
    .values({
      provider_no: providerNo,
      state: isVerified ? 'verified' : 'waiting',
      since: now,
      reason: null,
      is_match: isMatch,
      asked_at: now,
      checked_at: now,
      due_at: isVerified ? now : null,
      doubt_since: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('provider_no')
        .doUpdateSet({ is_match: isMatch, checked_at: now, asked_again_at: null }),
    )
    .execute()
  // The register confirms a refused or lost provider again.
  if (update.isMatch && !isVerified) await returnToQueue(db, providerNo, now)
}

/** Puts a refused provider, or one who lost their standing, back into the queue; changes nobody else. */
export async function returnToQueue(db: Db, providerNo: number, now: Instant): Promise<void> {
  await db
    .updateTable('provider_standings')
    .set({ state: verificationLife.to('reopen'), since: now, asked_at: now, reason: null })
    .where('provider_no', '=', providerNo)
    .where('state', 'in', verificationLife.from('reopen'))
    .execute()
}

/** Records a check made for staff; leaves decided states unchanged. */
export async function upsertCompared(db: Db, update: QueueUpdate): Promise<void> {
  const { providerNo, isVerified, now } = update
  const found = { is_match: toFlag(update.isMatch), checked_at: now }
  await db
    .insertInto('provider_standings')
    .values({
      provider_no: providerNo,
      state: isVerified ? 'verified' : 'waiting',
      since: now,
      reason: null,
      asked_at: now,
      due_at: isVerified ? now : null,
      doubt_since: null,
      ...found,
    })
    .onConflict((conflict) => conflict.column('provider_no').doUpdateSet(found))
    .execute()
}

type Decided = Pick<ProviderStandingRow, 'state' | 'reason' | 'is_match' | 'due_at'>

/** Overwrites a provider's registration status with staff's decision. */
export async function upsertDecided(
  db: Db,
  providerNo: number,
  { now, ...decided }: Decided & { now: Instant },
): Promise<void> {
  const to = {
    ...decided,
    since: now,
    checked_at: now,
    doubt_since: null,
    asked_again_at: null,
    answered_at: null,
  }
  await db
    .insertInto('provider_standings')
    .values({ provider_no: providerNo, asked_at: now, ...to })
    .onConflict((conflict) => conflict.column('provider_no').doUpdateSet(to))
    .execute()
}

/** Providers of a register whose nightly check is due, longest waiting first. */
export function listDue(db: Db, body: ProfessionalBody, at: { now: Instant; limit: number }) {
  return db
    .selectFrom('provider_standings as s')
    .innerJoin('providers as p', 'p.no', 's.provider_no')
    .select([
      'p.no',
      'p.id',
      'p.first_name',
      'p.last_name',
      'p.professional_body as body',
      'p.membership_number',
      'p.verification_status',
      's.doubt_since',
    ])
    .where('s.due_at', '<=', at.now)
    .where('p.professional_body', '=', body)
    .orderBy('s.due_at')
    .orderBy('s.checked_at')
    .limit(at.limit)
    .execute()
}

export type Due = Awaited<ReturnType<typeof listDue>>[number]

/** Postpones all due nightly checks of a register. */
export async function postponeDue(
  db: Db,
  body: ProfessionalBody,
  to: { now: Instant; until: Instant },
): Promise<void> {
  const ofBody = db.selectFrom('providers').select('no').where('professional_body', '=', body)
  await db
    .updateTable('provider_standings')
    .set({ due_at: to.until })
    .where('due_at', '<=', to.now)
    .where('provider_no', 'in', ofBody)
    .execute()
}

type Change = Updateable<Omit<ProviderStandingRow, 'provider_no'>>

/** Applies the same change to several providers. */
export async function updateRegistrationStatuses(
  db: Db,
  nos: readonly number[],
  to: Change,
): Promise<void> {
  if (nos.length === 0) return
  await db.updateTable('provider_standings').set(to).where('provider_no', 'in', nos).execute()
}

/** A register check with its provider, for the emails about it. */
export function findCheck(db: Db, id: string) {
  return db
    .selectFrom('verification_checks as c')
    .innerJoin('providers as p', 'p.no', 'c.provider_no')
    .leftJoin('accounts as a', (join) =>
      join.onRef('a.provider_no', '=', 'p.no').on('a.erased_at', 'is', null),
    )
    .select([
      'c.provider_no',
      'c.body',
      'c.at',
      'c.claimed_number',
      'c.status_text',
      'c.answer_name',
      'c.decision',
      'c.reason',
      'p.id as provider_id',
      'p.first_name',
      'p.last_name',
      'p.email',
      'a.id as user_id',
    ])
    .where('c.id', '=', id)
    .executeTakeFirst()
}

/** Confirmed upcoming visits of a provider. */
export function listUpcomingVisits(db: Db, providerNo: number, now: Instant) {
  return db
    .selectFrom('bookings')
    .select(['id', 'start_at', 'time_zone'])
    .where('provider_no', '=', providerNo)
    .where('state', '=', 'confirmed')
    .where('start_at', '>', now)
    .orderBy('start_at')
    .execute()
}

/** Deletes a provider's register checks, requests and registration status. */
export async function deleteVerificationOf(db: Db, providerNo: number): Promise<void> {
  await db.deleteFrom('verification_checks').where('provider_no', '=', providerNo).execute()
  await db.deleteFrom('verification_requests').where('provider_no', '=', providerNo).execute()
  await db.deleteFrom('provider_standings').where('provider_no', '=', providerNo).execute()
}

/** The provider an account belonged to, also after it was erased. */
export async function findProviderNoOf(db: Db, userId: string): Promise<number | null> {
  const row = await db
    .selectFrom('accounts')
    .select('provider_no')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.provider_no ?? null
}
