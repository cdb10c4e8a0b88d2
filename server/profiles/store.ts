import type { Insertable, Updateable } from 'kysely'
import { type Instant, toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { ProviderRow, VisitTypeRow } from '#db/tables/profiles.ts'
import { erasedColumns } from '#server/kernel/personal-columns.ts'
import { providerFates } from './provider-columns.ts'

/** Writes a provider and returns the number. */
export async function insertProvider(db: Db, row: Insertable<ProviderRow>): Promise<number> {
  const { no } = await db
    .insertInto('providers')
    .values(row)
    .returning('no')
    .executeTakeFirstOrThrow()
  return no
}

/** A provider patients can find, with the columns visit types depend on. */
export function findListed(db: Db, id: string) {
  return db
    .selectFrom('providers')
    .select(['no', 'currency', 'offers_in_person', 'offers_video'])
    .where('id', '=', id)
    .where('verification_status', '=', 'Verified')
    .executeTakeFirst()
}

/** An account as its owner's pages show it, with the photo of the provider it belongs to. */
export function getDetails(db: Db, accountNo: number) {
  return db
    .selectFrom('accounts as a')
    .leftJoin('providers as p', 'p.no', 'a.provider_no')
    .select([
      'a.first_name',
      'a.last_name',
      'a.email',
      'a.phone_number',
      'a.date_of_birth',
      'a.profile_image',
      'a.default_radius',
      'a.provider_no',
      'p.id as provider_id',
      'p.photo',
    ])
    .where('a.no', '=', accountNo)
    .executeTakeFirstOrThrow()
}

type NewPhoto = { photo: string | null; now: Instant }

export async function setPhotoOf(db: Db, providerNo: number, to: NewPhoto): Promise<void> {
  await db
    .updateTable('providers')
    .set({ photo: to.photo, updated_at: to.now })
    .where('no', '=', providerNo)
    .execute()
}

/**
 * Marks a provider as Verified; false without an accepted proof that the person is the claimed registrant.
 */
export async function setVerified(db: Db, no: number, now: Instant): Promise<boolean> {
  const result = await db
    .updateTable('providers')
    .set({ verification_status: 'Verified', verified_at: now, updated_at: now })
    .where('no', '=', no)
    .where((where) =>
      where.exists(
        where
          .selectFrom('registrant_proofs as r')
          .select('r.no')
          .whereRef('r.provider_no', '=', 'providers.no')
          .whereRef('r.body', '=', 'providers.professional_body')
          .whereRef('r.claimed_number', '=', 'providers.membership_number')
          .where('r.state', '=', 'accepted'),
      ),
    )
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Removes the Verified mark; false when there was none. */
export async function setUnverified(db: Db, no: number, now: Instant): Promise<boolean> {
  const result = await db
    .updateTable('providers')
    .set({ verification_status: 'Unverified', verified_at: null, updated_at: now })
    .where('no', '=', no)
    .where('verification_status', '=', 'Verified')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Whether anything still shows a picture. */
export async function isShown(db: Db, path: string): Promise<boolean> {
  const found = await Promise.all([
    db.selectFrom('accounts').select('no').where('profile_image', '=', path).executeTakeFirst(),
    db.selectFrom('providers').select('no').where('photo', '=', path).executeTakeFirst(),
    db
      .selectFrom('homepage')
      .select('id')
      .where((where) => where.or([where('image_url', '=', path), where('modal_image', '=', path)]))
      .executeTakeFirst(),
    db.selectFrom('gallery_files').select('path').where('path', '=', path).executeTakeFirst(),
  ])
  return found.some((row) => row !== undefined)
}

/** Erases a provider's personal data: not listed, no free times, places without an address. */
export async function blankProvider(
  db: Db,
  { no, id }: { no: number; id: string },
  now: Instant,
): Promise<void> {
  await db
    .updateTable('providers')
    .set(erasedColumns(providerFates, { id, now }))
    .where('no', '=', no)
    .execute()
  await db
    .updateTable('places')
    .set({ name: '', address: '', phone: null })
    .where('provider_no', '=', no)
    .execute()
  await db.deleteFrom('audit_names').where('provider_no', '=', no).execute()
  // Taken slots stay with their visits.
  await db
    .deleteFrom('slots')
    .where('provider_no', '=', no)
    .where('free', '=', toFlag(true))
    .execute()
}

type Choice = {
  id: string
  preferences: boolean
  statistics: boolean
  accountNo: number | null
  now: Instant
}

/** Saves a cookie banner choice, replacing an earlier one. */
export async function upsertConsent(db: Db, choice: Choice): Promise<void> {
  const answer = {
    preferences: toFlag(choice.preferences),
    statistics: toFlag(choice.statistics),
    updated_at: choice.now,
  }
  const owner = choice.accountNo === null ? {} : { account_no: choice.accountNo }
  await db
    .insertInto('consents')
    .values({ id: choice.id, account_no: choice.accountNo, created_at: choice.now, ...answer })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...answer, ...owner }))
    .execute()
}

export function findConsent(db: Db, id: string) {
  return db
    .selectFrom('consents')
    .select(['preferences', 'statistics'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Deletes choices of people without an account made before an instant. */
export async function deleteOldConsents(db: Db, before: Instant): Promise<void> {
  await db
    .deleteFrom('consents')
    .where('account_no', 'is', null)
    .where('updated_at', '<', before)
    .execute()
}

export async function deleteConsentsOf(db: Db, accountNo: number): Promise<void> {
  await db.deleteFrom('consents').where('account_no', '=', accountNo).execute()
}

export async function insertVisitType(db: Db, row: Insertable<VisitTypeRow>): Promise<void> {
  await db.insertInto('visit_types').values(row).execute()
}

export async function updateVisitType(
  db: Db,
  no: number,
  change: Updateable<VisitTypeRow>,
): Promise<void> {
  await db.updateTable('visit_types').set(change).where('no', '=', no).execute()
}

/** Archives the visit types that are offered only at this place. */
export async function archiveTypesAt(db: Db, placeNo: number, now: Instant): Promise<void> {
  await db
    .updateTable('visit_types')
    .set({ archived_at: now })
    .where('place_no', '=', placeNo)
    .where('archived_at', 'is', null)
    .execute()
}
