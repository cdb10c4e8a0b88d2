import type { Db } from '#db/engine.ts'
import { type PlaceRow, type ProviderRow, PUBLIC_COLUMNS } from '#db/tables/profiles.ts'

type ShownProvider = Pick<
  ProviderRow,
  | 'id'
  | 'region'
  | 'title'
  | 'first_name'
  | 'last_name'
  | 'specialty_no'
  | 'photo'
  | 'professional_body'
  | 'verified_at'
  | 'languages'
  | 'amount_minor'
  | 'follow_amount_minor'
  | 'currency'
  | 'rating_sum'
  | 'rating_count'
>

type ShownPlace = Pick<
  PlaceRow,
  'name' | 'locality' | 'postcode' | 'latitude' | 'longitude' | 'time_zone'
>

/** Columns a result card shows besides times. */
export type CardRow = ShownProvider & ShownPlace

/** Columns a map pin shows besides times. */
export type PinRow = Pick<PlaceRow, 'latitude' | 'longitude'> &
  Pick<ProviderRow, 'id' | 'title' | 'first_name' | 'last_name' | 'amount_minor' | 'currency'>

/** Columns of a provider and a place that are read with a match. */
export type Shown = { card: CardRow; pin: PinRow }

/** The columns of each kind in SQL, from a place `l` and its provider `p`, without the fees. */
export const SHOWN_COLUMNS: Record<keyof Shown, string> = {
  card: `l.name, l.locality, l.postcode, l.latitude, l.longitude, l.time_zone, p.id, p.region, p.title,
      p.first_name, p.last_name, p.specialty_no, p.photo, p.professional_body, p.verified_at,
      p.languages, p.currency, p.rating_sum, p.rating_count`,
  pin: 'l.latitude, l.longitude, p.id, p.title, p.first_name, p.last_name, p.currency',
}

/** The zone of the main place of each of these providers. */
export async function listMainZones(
  db: Db,
  providerNos: readonly number[],
): Promise<Map<number, string>> {
  if (providerNos.length === 0) return new Map()
  const rows = await db
    .selectFrom('places')
    .select(['provider_no', 'time_zone'])
    .where('provider_no', 'in', providerNos)
    .where('position', '=', 0)
    .execute()
  return new Map(rows.map((row) => [row.provider_no, row.time_zone]))
}

function selectProvider(db: Db, id: string) {
  return db
    .selectFrom('providers')
    .select(['no', ...PUBLIC_COLUMNS])
    .where('id', '=', id)
}

/** A provider with a public profile: Verified ones only. */
export function findPublicProvider(db: Db, id: string) {
  return selectProvider(db, id).where('verification_status', '=', 'Verified').executeTakeFirst()
}

/** Any provider, listed or not. */
export function findAnyProvider(db: Db, id: string) {
  return selectProvider(db, id).executeTakeFirst()
}

/** The practice locations of a provider, the main one first. */
export function listPlaces(db: Db, providerNo: number) {
  return db
    .selectFrom('places')
    .select([
      'name',
      'address',
      'locality',
      'postcode',
      'latitude',
      'longitude',
      'time_zone',
      'phone',
    ])
    .where('provider_no', '=', providerNo)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .execute()
}
