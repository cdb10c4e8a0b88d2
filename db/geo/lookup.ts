import { type Region, regionFacts } from '#contract/base/region.ts'
import type { Db } from '#db/engine.ts'
import { findNamed, type NamedPlace, namesAdmin, type TypedName } from './names.ts'
import { zoneOfPoint } from './packages.ts'
import { labelOf, otherPlaces } from './place-labels.ts'
import { placeKey } from './place-names.ts'
import { distanceKm, type Point } from './points.ts'
import { findMisspelt } from './similar-names.ts'
import {
  type Box,
  commonZoneOfZips,
  findOutcode,
  findSector,
  findUnit,
  findZip,
  listCodesWithin,
  meanOfZips,
} from './store.ts'
import { townOfArea, townOfOutcode } from './town-outcodes.ts'
import { readTyped, type UkReading } from './typed.ts'
import { militaryState } from './us-zips.ts'

/** Not looked up: zone tables return Dublin for Enniskillen. */
const UK_ZONE = regionFacts.uk.timeZone

/** IANA zone of a point in a region. Within some miles of a line, a ZIP code's zone is more exact. */
export function zoneAt(region: Region, lat: number, lon: number): string {
  return region === 'uk' ? UK_ZONE : zoneOfPoint(lat, lon)
}

/**
 * IANA zone to store with a practice location: London in the UK, in the USA that of the ZIP code (five digits
 * or ZIP+4), or of the point when the ZIP code is missing or unknown.
 */
export async function zoneForPlace(
  db: Db,
  region: Region,
  place: { zip?: string; lat: number; lon: number },
): Promise<string> {
  if (region === 'uk') return UK_ZONE
  const known = place.zip === undefined ? undefined : await findZip(db, place.zip.slice(0, 5))
  return known?.time_zone ?? zoneOfPoint(place.lat, place.lon)
}

export type FoundPlace = {
  kind: 'found'
  /** As a person would write it; typing it again finds the same place. */
  label: string
  lat: number
  lon: number
  /** What the point stands for, finest first. */
  level: 'unit' | 'sector' | 'outcode' | 'area' | 'zip' | 'place'
  /** Whether distances from the point are only approximate for the place meant. */
  isApproximate: boolean
  region: Region
  timeZone: string
  /** Labels of other places of that name, when the name alone is ambiguous. */
  others?: string[]
  /** The town whose centre is used for a code without a known point. */
  standsIn?: string
  /** The original text, when it was corrected as a misspelling. */
  insteadOf?: string
}

export type PlaceAnswer =
  | FoundPlace
  | { kind: 'empty' }
  /** Cannot be a code or a name, whatever the tables hold. */
  | { kind: 'invalid' }
  /** `near`: a place to offer instead, for areas whose codes have no location of their own. */
  | { kind: 'unknown_code'; code: string; near?: string }
  /** `near`: the label of a place whose name is similar, to ask about. */
  | { kind: 'unknown_place'; text: string; near?: string }
  /** A real code without a location, such as BFPO. */
  | { kind: 'no_place'; code: string; near?: string }
  /** A US military ZIP code; its mail goes overseas. */
  | { kind: 'military'; code: string }
  | { kind: 'other_region'; label: string; region: Region }

/** Islands with a postcode area of their own, by their usual names. */
const ISLANDS: ReadonlyMap<string, { code: string; name: string }> = new Map(
  [
    { code: 'GY', name: 'Guernsey' },
    { code: 'IM', name: 'Isle of Man' },
    { code: 'JE', name: 'Jersey' },
  ].map((island) => [placeKey(island.name), island]),
)

/**
 * Finds the point for typed text: a postcode or its first part, a ZIP code or its first digits, or the name
 * of a town. Never throws for bad text; the result says what is wrong with it.
 */
export async function findPlace(db: Db, region: Region, text: string): Promise<PlaceAnswer> {
  const typed = readTyped(text)
  switch (typed.kind) {
    case 'empty':
    case 'invalid':
      return typed
    case 'no_place':
      return { ...typed, ...nearOf(typed.code) }
    case 'zip':
      return asOtherRegion(region, await findZipPlace(db, typed.code))
    case 'uk_code':
      return asOtherRegion(region, await findUkCode(db, typed.code, typed.readings))
    case 'name':
      return findByNames(db, region, typed)
  }
}

/** "Derry/Londonderry", "Abertawe / Swansea": one place under two names, where the whole is no name. */
async function findByNames(db: Db, region: Region, typed: TypedName): Promise<PlaceAnswer> {
  const whole = await findByName(db, region, typed)
  const parts = typed.name.split('/').map((part) => part.trim())
  if (whole.kind !== 'unknown_place' || parts.length !== 2) return whole
  const answers = await Promise.all(
    parts.filter(Boolean).map((name) => findByName(db, region, { ...typed, name })),
  )
  return answers.find(({ kind }) => kind !== 'unknown_place') ?? whole
}

function nearOf(code: string): { near?: string } {
  const near = townOfArea(code)
  return near === undefined ? {} : { near }
}

/** Turns a place found in the other region into a result that lets the page offer to switch. */
function asOtherRegion(region: Region, answer: PlaceAnswer): PlaceAnswer {
  if (answer.kind !== 'found' || answer.region === region) return answer
  return { kind: 'other_region', label: answer.label, region: answer.region }
}

function foundInUk(label: string, level: FoundPlace['level'], at: Point): FoundPlace {
  return {
    kind: 'found',
    label,
    lat: at.latitude,
    lon: at.longitude,
    level,
    isApproximate: level !== 'unit',
    region: 'uk',
    timeZone: UK_ZONE,
  }
}

async function findOutcodePlace(db: Db, code: string, label: string): Promise<FoundPlace | null> {
  const row = await findOutcode(db, code)
  if (row === undefined) return null
  const found = foundInUk(label, row.level === 'outcode' ? 'outcode' : 'area', row)
  const standsIn = row.postcodes === 0 ? townOfOutcode(code) : undefined
  return standsIn === undefined ? found : { ...found, standsIn }
}

async function findReading(db: Db, label: string, reading: UkReading): Promise<FoundPlace | null> {
  if (reading.unit !== null) {
    const unit = await findUnit(db, reading.unit)
    if (unit !== undefined) return foundInUk(label, 'unit', unit)
  }
  if (reading.sector !== null) {
    const sector = await findSector(db, reading.sector)
    if (sector !== undefined) return foundInUk(label, 'sector', sector)
    if (!reading.isCertain) return null
  }
  return findOutcodePlace(db, reading.outcode, label)
}

async function findUkCode(db: Db, code: string, readings: UkReading[]): Promise<PlaceAnswer> {
  for (const reading of readings) {
    const label = reading.unit === null ? (reading.sector ?? reading.outcode) : code
    const found = await findReading(db, label, reading)
    if (found !== null) return found
  }
  return { kind: 'unknown_code', code, ...nearOf(code) }
}

async function findZipPlace(db: Db, code: string): Promise<PlaceAnswer> {
  if (militaryState(code) !== null) return { kind: 'military', code }
  if (code.length < 5) return findZipPrefix(db, code)
  const zip = await findZip(db, code)
  if (zip === undefined) return { kind: 'unknown_code', code }
  return {
    kind: 'found',
    label: code,
    lat: zip.latitude,
    lon: zip.longitude,
    level: 'zip',
    // The point of a post office is used for ZIP codes without an area.
    isApproximate: zip.kind !== 'zcta',
    region: 'usa',
    timeZone: zip.time_zone,
  }
}

async function findZipPrefix(db: Db, code: string): Promise<PlaceAnswer> {
  const mean = await meanOfZips(db, code)
  if (mean === undefined) return { kind: 'unknown_code', code }
  return {
    kind: 'found',
    label: code,
    lat: mean.latitude,
    lon: mean.longitude,
    level: 'area',
    isApproximate: true,
    region: 'usa',
    timeZone: (await commonZoneOfZips(db, code)) ?? zoneAt('usa', mean.latitude, mean.longitude),
  }
}

async function findByName(db: Db, region: Region, typed: TypedName): Promise<PlaceAnswer> {
  const { name } = typed
  const first = typed.country ?? region
  if (first === 'uk' && typed.qualifier === null && typed.outcode === null) {
    const area = await findAreaNamed(db, name)
    if (area !== null) return asOtherRegion(region, area)
  }
  const own = await findNamed(db, first, typed)
  if (own !== null) {
    return asOtherRegion(region, await withOtherPlaces(db, { choice: own, region: first }, typed))
  }
  // A typed country or state decides; without one the other region is a second guess.
  const isMeantThere = typed.country !== null || namesAdmin(region, typed.qualifier)
  const second = regionFacts[region].other
  const there = isMeantThere ? null : await findNamed(db, second, typed)
  const inOther = (choice: NamedPlace) => withOtherPlaces(db, { choice, region: second }, typed)
  const meant = await findMisspelt(db, first, typed)
  // A town of the own country is likelier than one of the other that is no larger.
  const isLarger = there !== null && there.place.rank > (meant?.place.rank ?? 0)
  if (meant !== null && !isLarger) {
    const found = await foundByName(db, meant, first)
    return asOtherRegion(
      region,
      meant.isCertain
        ? { ...found, insteadOf: typed.text }
        : { kind: 'unknown_place', text: typed.text, near: found.label },
    )
  }
  if (there !== null) return asOtherRegion(region, await inOther(there))
  // "London E1": no place of that name lies in just that outcode, but the outcode is there.
  if (typed.outcode !== null) return findTrailingOutcode(db, region, typed.outcode)
  return { kind: 'unknown_place', text: typed.text }
}

/** Adds the other places of the name when it was typed without a qualifier. */
async function withOtherPlaces(
  db: Db,
  { choice, region }: { choice: NamedPlace; region: Region },
  typed: TypedName,
): Promise<FoundPlace> {
  const found = await foundByName(db, choice, region)
  const isBare = typed.qualifier === null && typed.outcode === null
  return isBare ? { ...found, others: otherPlaces(choice) } : found
}

/** The zone of the town's own ZIP code, where the code closest to it is in its state. */
async function zoneOfTown(db: Db, region: Region, place: NamedPlace['place']): Promise<string> {
  const zip = region === 'uk' ? undefined : await findZip(db, place.near)
  return zip !== undefined && zip.state === place.admin
    ? zip.time_zone
    : zoneAt(region, place.latitude, place.longitude)
}

async function foundByName(
  db: Db,
  { place, twins }: NamedPlace,
  region: Region,
): Promise<FoundPlace> {
  return {
    kind: 'found',
    label: labelOf(place, twins),
    lat: place.latitude,
    lon: place.longitude,
    level: 'place',
    isApproximate: true,
    region,
    timeZone: await zoneOfTown(db, region, place),
  }
}

/** "SW", and the islands that have a postcode area but are not a town. */
async function findAreaNamed(db: Db, name: string): Promise<FoundPlace | null> {
  const island = ISLANDS.get(placeKey(name))
  if (island !== undefined) return findOutcodePlace(db, island.code, island.name)
  if (!/^[a-z]{1,2}$/i.test(name)) return null
  return findOutcodePlace(db, name.toUpperCase(), name.toUpperCase())
}

async function findTrailingOutcode(db: Db, region: Region, code: string): Promise<PlaceAnswer> {
  const found = await findOutcodePlace(db, code, code)
  return found === null ? { kind: 'unknown_code', code } : asOtherRegion(region, found)
}

/** The location of a practice, as far as its code tells. */
export type PracticePlace = {
  kind: 'practice'
  /** As a person would write it. */
  postcode: string
  latitude: number
  longitude: number
  timeZone: string
  /** A town people know: "London", "Austin, TX". */
  locality: string
}

const FULL_CODE: Record<Region, RegExp> = {
  uk: /^[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}$/,
  usa: /^[0-9]{5}$/,
}

async function localityOf(db: Db, region: Region, postcode: string): Promise<string> {
  if (region === 'uk') {
    const outcode = await findOutcode(db, postcode.split(' ')[0] ?? '')
    return outcode?.near ?? ''
  }
  const zip = await findZip(db, postcode)
  return zip === undefined ? '' : `${zip.city}, ${zip.state}`
}

/** Finds the place of a whole postcode or ZIP code; `partial` when it is only the first part. */
export async function findPractice(
  db: Db,
  region: Region,
  text: string,
): Promise<PracticePlace | { kind: 'partial' } | Exclude<PlaceAnswer, { kind: 'found' }>> {
  const answer = await findPlace(db, region, text)
  if (answer.kind !== 'found') return answer
  if (!FULL_CODE[region].test(answer.label)) return { kind: 'partial' }
  return {
    kind: 'practice',
    postcode: answer.label,
    latitude: answer.lat,
    longitude: answer.lon,
    timeZone: answer.timeZone,
    locality: await localityOf(db, region, answer.label),
  }
}

/** The code whose place is closest to a point: "SE1 6", "BT9" or "78701". */
export type NearestCode = { region: Region; code: string }

/** Degrees of latitude to search around the point: a small box first, then the largest useful one. */
const SEARCH_DEGREES = [0.1, 0.3]
const KM_PER_DEGREE = 111.2

function boxAround({ latitude, longitude }: Point, degrees: number): Box {
  // Meridians converge towards the poles; nobody lives beyond 85 degrees.
  const shrink = Math.cos((Math.min(85, Math.abs(latitude)) * Math.PI) / 180)
  return {
    south: latitude - degrees,
    north: latitude + degrees,
    west: longitude - degrees / shrink,
    east: longitude + degrees / shrink,
  }
}

/**
 * The postcode sector, outcode without sectors, or ZIP code closest to a point; null when none is within
 * about 33 km, as abroad and at sea. Near a land border it may lie on the other side.
 */
export async function findNearestCode(db: Db, point: Point): Promise<NearestCode | null> {
  for (const degrees of SEARCH_DEGREES) {
    const rows = await listCodesWithin(db, boxAround(point, degrees))
    const [nearest] = rows
      .map((row) => ({ row, km: distanceKm(point, row) }))
      .toSorted((a, b) => a.km - b.km)
    // Beyond this distance, a place outside the box may be closer.
    if (nearest !== undefined && nearest.km <= degrees * KM_PER_DEGREE) {
      return { region: nearest.row.region, code: nearest.row.code }
    }
  }
  return null
}
