import type { Db } from '#db/engine.ts'
import { runSql } from '#db/run-sql.ts'
import type { PlaceRow, ProviderRow } from '#db/tables/profiles.ts'

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
  | 'offers_in_person'
  | 'offers_video'
  | 'amount_minor'
  | 'follow_amount_minor'
  | 'currency'
  | 'rating_sum'
  | 'rating_count'
>

type ShownPlace = Pick<
  PlaceRow,
  'provider_no' | 'name' | 'locality' | 'postcode' | 'latitude' | 'longitude' | 'time_zone'
>

/** What a result card shows besides times; `no` is the place's. */
export type CardRow = ShownProvider & ShownPlace & { no: number }

const CARD_COLUMNS = `l.no, l.provider_no, l.name, l.locality, l.postcode, l.latitude, l.longitude,
  l.time_zone, p.id, p.region, p.title, p.first_name, p.last_name, p.specialty_no, p.photo,
  p.professional_body, p.verified_at, p.languages, p.offers_in_person, p.offers_video,
  p.amount_minor, p.follow_amount_minor, p.currency, p.rating_sum, p.rating_count`

const PIN_COLUMNS = `l.no, l.latitude, l.longitude, p.id, p.title, p.first_name, p.last_name,
  p.amount_minor, p.currency`

const texts = new Map<string, string>()

function byPlaceNos(columns: string, count: number): string {
  const key = `${count}/${columns}`
  let text = texts.get(key)
  if (text === undefined) {
    const marks = Array<string>(count).fill('?').join(', ')
    text = `select ${columns} from places l join providers p on p.no = l.provider_no
      where l.no in (${marks})`
    texts.set(key, text)
  }
  return text
}

/** Cards of the places asked for, in no particular order. */
export async function listCardRows(db: Db, placeNos: readonly number[]): Promise<CardRow[]> {
  if (placeNos.length === 0) return []
  return runSql<CardRow>(db, byPlaceNos(CARD_COLUMNS, placeNos.length), placeNos)
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

/** What a pin of the map shows besides times; `no` is the place's. */
export type PinRow = Pick<PlaceRow, 'latitude' | 'longitude'> &
  Pick<ProviderRow, 'id' | 'title' | 'first_name' | 'last_name' | 'amount_minor' | 'currency'> & {
    no: number
  }

/** Pins come in hundreds: few lengths of the list keep the statements few. */
const PIN_STEP = 50

/** Pins of the places asked for, in no particular order. */
export async function listPinRows(db: Db, placeNos: readonly number[]): Promise<PinRow[]> {
  if (placeNos.length === 0) return []
  const padding = (PIN_STEP - (placeNos.length % PIN_STEP)) % PIN_STEP
  const padded = [...placeNos, ...Array<number>(padding).fill(0)]
  return runSql<PinRow>(db, byPlaceNos(PIN_COLUMNS, padded.length), padded)
}

function selectProvider(db: Db, id: string) {
  return db
    .selectFrom('providers')
    .select([
      'no',
      'id',
      'region',
      'title',
      'first_name',
      'last_name',
      'gender',
      'specialty_no',
      'photo',
      'about',
      'qualifications',
      'languages',
      'offers_in_person',
      'offers_video',
      'professional_body',
      'membership_number',
      'verified_at',
      'amount_minor',
      'follow_amount_minor',
      'currency',
      'consultation_minutes',
      'free_cancel_hours',
      'late_cancel_percent',
      'rating_sum',
      'rating_count',
    ])
    .where('id', '=', id)
}

/** A provider whom everybody may see: Verified ones only. */
export function findPublicProvider(db: Db, id: string) {
  return selectProvider(db, id).where('verification_status', '=', 'Verified').executeTakeFirst()
}

/** The same of a provider who may not be listed: for their own eyes. */
export function findAnyProvider(db: Db, id: string) {
  return selectProvider(db, id).executeTakeFirst()
}

/** Where a provider practises, the main place first. */
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
