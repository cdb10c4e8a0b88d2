import type { Region } from '#contract/base/region.ts'
import { foldApostrophes } from '#contract/base/typed-text.ts'
import { US_STATES } from '#contract/base/us-states.ts'
import type { Db } from '#db/engine.ts'
import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { placeKey, UK_COUNTRIES } from './place-names.ts'
import { distanceKm } from './points.ts'
import { listPlaces, listPlacesByPrefix } from './store.ts'
import type { Typed } from './typed.ts'

/**
 * Postcode areas that overlap each county people write after a town. Rough on purpose: it only has to tell
 * the Newport on the Isle of Wight from the one in Gwent.
 */
const COUNTIES: readonly [names: string, areas: string][] = [
  ['Aberdeenshire', 'AB'],
  ['Anglesey/Isle of Anglesey/Gwynedd', 'LL'],
  ['Angus/Perthshire/Perth and Kinross', 'DD PH'],
  ['Antrim/County Antrim/Co Antrim', 'BT'],
  ['Argyll/Argyll and Bute', 'PA PH G'],
  ['Armagh/County Armagh/Co Armagh', 'BT'],
  ['Ayrshire/East Ayrshire/North Ayrshire/South Ayrshire', 'KA'],
  ['Bedfordshire/Beds', 'LU MK SG PE'],
  ['Berkshire/Berks', 'RG SL GU'],
  ['Bristol', 'BS'],
  ['Buckinghamshire/Bucks', 'HP MK SL'],
  ['Cambridgeshire/Cambs', 'CB PE SG'],
  ['Carmarthenshire/Ceredigion/Pembrokeshire/Dyfed', 'SA SY'],
  ['Cheshire', 'CH CW WA SK'],
  ['Clwyd/Conwy/Denbighshire/Flintshire/Wrexham', 'LL CH'],
  ['Cornwall', 'TR PL EX'],
  ['County Durham/Co Durham/Durham', 'DH DL SR TS NE'],
  ['Cumbria', 'CA LA'],
  ['Derbyshire/Derbys', 'DE S SK'],
  ['Devon', 'EX PL TQ'],
  ['Dorset', 'BH DT SP'],
  ['Down/County Down/Co Down', 'BT'],
  ['Dumfries and Galloway', 'DG'],
  ['East Lothian/Midlothian/West Lothian/Lothian', 'EH'],
  ['East Riding/East Riding of Yorkshire/East Yorkshire', 'HU YO DN'],
  ['East Sussex', 'BN TN RH'],
  ['Essex', 'CM CO SS IG RM CB'],
  ['Fermanagh/County Fermanagh/Co Fermanagh', 'BT'],
  ['Fife', 'KY DD'],
  ['Glamorgan/South Glamorgan/Mid Glamorgan/West Glamorgan', 'CF SA'],
  ['Gloucestershire/Glos', 'GL BS'],
  ['Greater London', 'E EC N NW SE SW W WC BR CR DA EN HA IG KT RM SM TW UB'],
  ['Greater Manchester', 'M BL OL SK WN'],
  ['Gwent/Monmouthshire/Torfaen/Caerphilly', 'NP CF'],
  ['Hampshire/Hants', 'SO PO RG GU BH SP'],
  ['Herefordshire', 'HR'],
  ['Hertfordshire/Herts', 'AL EN HP SG WD CM'],
  ['Highland/Highlands', 'IV PH KW'],
  ['Isle of Wight/IOW', 'PO'],
  ['Kent', 'CT DA ME TN BR'],
  ['Lanarkshire/North Lanarkshire/South Lanarkshire', 'G ML'],
  ['Lancashire/Lancs', 'BB FY LA PR L OL WN'],
  ['Leicestershire/Leics', 'LE'],
  ['Lincolnshire/Lincs', 'LN PE NG DN'],
  ['Londonderry/County Londonderry/Co Londonderry', 'BT'],
  ['Merseyside', 'L CH PR WA'],
  ['Middlesex', 'EN HA TW UB'],
  ['Moray', 'IV AB'],
  ['Norfolk', 'NR IP PE'],
  ['North Yorkshire/N Yorkshire', 'YO HG DL BD TS LS'],
  ['Northamptonshire/Northants', 'NN PE'],
  ['Northumberland', 'NE TD'],
  ['Nottinghamshire/Notts', 'NG DN S'],
  ['Orkney', 'KW'],
  ['Oxfordshire/Oxon', 'OX RG'],
  ['Powys', 'LD SY NP'],
  ['Renfrewshire/East Renfrewshire/Inverclyde', 'PA G'],
  ['Rutland', 'LE PE'],
  ['Scottish Borders/Borders', 'TD EH'],
  ['Shetland', 'ZE'],
  ['Shropshire/Salop', 'SY TF WV'],
  ['Somerset', 'BA TA BS'],
  ['South Yorkshire/S Yorkshire', 'S DN'],
  ['Staffordshire/Staffs', 'ST DE WS WV B'],
  ['Stirlingshire/Stirling/Clackmannanshire/Falkirk', 'FK G'],
  ['Suffolk', 'IP CO CB NR'],
  ['Surrey', 'GU KT RH CR SM TW TN'],
  ['Tyne and Wear', 'NE SR DH'],
  ['Tyrone/County Tyrone/Co Tyrone', 'BT'],
  ['Warwickshire', 'CV B'],
  ['West Midlands', 'B CV DY WS WV'],
  ['West Sussex', 'BN PO RH GU'],
  ['West Yorkshire/W Yorkshire', 'LS BD HD HX WF OL'],
  ['Western Isles/Outer Hebrides', 'HS'],
  ['Wiltshire/Wilts', 'SN SP BA'],
  ['Worcestershire/Worcs', 'WR DY B'],
  ['Yorkshire', 'BD DN HD HG HU HX LS S WF YO DL TS'],
]

const AREAS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  COUNTIES.flatMap(([names, areas]) =>
    names.split('/').map((name) => [placeKey(name), new Set(areas.split(' '))] as const),
  ),
)

/** The postcode areas of a UK county, by its name folded with `placeKey`; null for other words. */
function areasOfCounty(key: string): ReadonlySet<string> | null {
  return AREAS.get(key) ?? null
}

/** Names shorter than this are too similar to guess which was meant. */
const MIN_LENGTH = 5

/** From this length on two edits are allowed, below it one. */
const TWO_EDITS_LENGTH = 10

/** Most places with the same first letter to compare, by population: all towns, and most villages. */
const MAX_COMPARED = 4_000

/** Edit distance: letters to change, delete, insert or swap with their neighbour to turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let twoAbove: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (twoAbove[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    twoAbove = above
    above = row
  }
  return above[b.length] ?? 0
}

/**
 * Places whose name `name` may misspell by an edit or two ("Machester"), the likeliest first: fewest edits,
 * then largest population. The first letter is taken to be right. None for names of fewer than five letters.
 */
export async function listSimilar(db: Db, region: Region, name: string): Promise<GeoPlaceRow[]> {
  const key = placeKey(name)
  // Homoglyphs of other alphabets are not misspellings: the text is reported as typed.
  if (key.length < MIN_LENGTH || !/^[a-z]+$/.test(key)) return []
  const maxEdits = key.length < TWO_EDITS_LENGTH ? 1 : 2
  const rows = await listPlacesByPrefix(db, { region, prefix: key.slice(0, 1) }, MAX_COMPARED)
  return rows
    .filter((row) => Math.abs(row.key.length - key.length) <= maxEdits)
    .map((row) => ({ row, slips: editDistance(key, row.key) }))
    .filter(({ slips }) => slips <= maxEdits)
    .toSorted((a, b) => a.slips - b.slips || b.row.population - a.row.population)
    .map(({ row }) => row)
}

export type TypedName = Extract<Typed, { kind: 'name' }>

export type NamedPlace = {
  place: GeoPlaceRow
  /** Every place of the region with that name, by population, largest first. */
  twins: GeoPlaceRow[]
}

/** How far from "London" a "Richmond, London" may be. */
const PART_OF_KM = 40

/** A place this many times larger than its next namesake is meant whatever qualifier follows. */
const DOMINANCE = 10

/** Country or state codes by the names people write, folded like place names. */
const ADMINS: Record<Region, ReadonlyMap<string, string>> = {
  uk: adminWords(UK_COUNTRIES),
  usa: adminWords(US_STATES),
}

function adminWords(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(names).flatMap(([code, name]) => [
      [placeKey(code), code] as const,
      [placeKey(name), code] as const,
    ]),
  )
}

/** Whether a word names a country of the United Kingdom, or a state of the USA. */
export function namesAdmin(region: Region, word: string | null): boolean {
  return word !== null && ADMINS[region].has(placeKey(word))
}

/** The place of a region that a name with its qualifier means, or null. */
export async function findNamed(
  db: Db,
  region: Region,
  typed: TypedName,
): Promise<NamedPlace | null> {
  const twins = await listPlaces(db, region, placeKey(typed.name))
  if (typed.outcode !== null) return toNamedPlace(twins, twins.find(nearCode(typed.outcode)))
  if (typed.qualifier !== null)
    return findQualified(db, twins, { region, qualifier: typed.qualifier })
  return (
    toNamedPlace(twins, largestNamesake(twins, typed)) ??
    (await withTrailingAdmin(db, region, typed.name))
  )
}

/** The place with the largest population; among equals the one spelt exactly as typed. */
function largestNamesake(
  [first, ...others]: GeoPlaceRow[],
  { name }: TypedName,
): GeoPlaceRow | undefined {
  const isSpeltSo = (place: GeoPlaceRow) =>
    foldApostrophes(place.name).toLowerCase() === name.toLowerCase()
  if (first === undefined || isSpeltSo(first)) return first
  return others.find((one) => one.population === first.population && isSpeltSo(one)) ?? first
}

const nearCode = (code: string) => (place: GeoPlaceRow) => place.near === code

const withinAreas = (areas: ReadonlySet<string> | null) => (place: GeoPlaceRow) =>
  areas?.has(place.near.replace(/\d.*$/, '')) === true

function toNamedPlace(twins: GeoPlaceRow[], place: GeoPlaceRow | undefined): NamedPlace | null {
  return place === undefined ? null : { place, twins }
}

async function findQualified(
  db: Db,
  twins: GeoPlaceRow[],
  by: { region: Region; qualifier: string },
): Promise<NamedPlace | null> {
  const word = placeKey(by.qualifier)
  const admin = ADMINS[by.region].get(word)
  if (admin !== undefined) {
    return toNamedPlace(
      twins,
      twins.find((place) => place.admin === admin),
    )
  }
  const inCounty = by.region === 'uk' ? twins.find(withinAreas(areasOfCounty(word))) : undefined
  if (inCounty !== undefined) return toNamedPlace(twins, inCounty)
  const [around] = await listPlaces(db, by.region, word)
  if (around !== undefined) {
    const close = twins
      .filter((place) => place.id !== around.id && distanceKm(place, around) <= PART_OF_KM)
      .toSorted((a, b) => distanceKm(a, around) - distanceKm(b, around))
    if (close[0] !== undefined) return toNamedPlace(twins, close[0])
  }
  // Any other qualifier is accepted only when the name is unambiguous.
  const [first, second] = twins
  const isClear = second === undefined || (first?.population ?? 0) >= DOMINANCE * second.population
  return isClear ? toNamedPlace(twins, first) : null
}

/** "Austin TX", "Charleston West Virginia": reads the last one to three words as state or country. */
async function withTrailingAdmin(db: Db, region: Region, name: string): Promise<NamedPlace | null> {
  const words = name.split(' ')
  for (let count = 1; count <= 3 && count < words.length; count++) {
    const admin = ADMINS[region].get(placeKey(words.slice(-count).join(' ')))
    if (admin === undefined) continue
    const twins = await listPlaces(db, region, placeKey(words.slice(0, -count).join(' ')))
    const place = twins.find((twin) => twin.admin === admin)
    if (place !== undefined) return { place, twins }
  }
  return null
}

/** The place that a misspelt name most likely refers to, or null. */
export async function findMisspelt(
  db: Db,
  region: Region,
  typed: TypedName,
): Promise<NamedPlace | null> {
  if (typed.qualifier !== null || typed.outcode !== null) return null
  const [likeliest] = await listSimilar(db, region, typed.name)
  if (likeliest === undefined) return null
  return { place: likeliest, twins: await listPlaces(db, region, likeliest.key) }
}

/** A place this many times larger than its next namesake is meant: no others are offered. */
const DOMINANT_FACTOR = 50

/** Population assumed for a village where it is unknown. */
const VILLAGE_POPULATION = 100

/** Most namesakes to offer. */
const MAX_OTHERS = 5

/**
 * Labels of other places of the same name that may be meant, by population, largest first; none when the
 * place is so much larger than all of them that it must be meant.
 */
export function otherPlaces({ place, twins }: NamedPlace): string[] {
  const others = twins.filter(({ id }) => id !== place.id)
  const isMeant = others.every(
    ({ population }) => place.population >= DOMINANT_FACTOR * (population || VILLAGE_POPULATION),
  )
  if (isMeant) return []
  const labels = others.map((twin) => labelOf(twin, twins))
  return [...new Set(labels)].filter((one) => one !== labelOf(place, twins)).slice(0, MAX_OTHERS)
}

/** Name of a place with just enough after it to tell it from its namesakes. */
export function labelOf(place: GeoPlaceRow, twins: readonly GeoPlaceRow[]): string {
  const sameAdmin = twins.find((twin) => twin.admin === place.admin)
  const isFirstThere = sameAdmin === undefined || sameAdmin.id === place.id
  if (place.region === 'usa') {
    return isFirstThere
      ? `${place.name}, ${place.admin}`
      : `${place.name}, ${place.admin} ${place.near}`
  }
  const [first] = twins
  if (first === undefined || first.id === place.id) return place.name
  return isFirstThere ? `${place.name}, ${place.admin_name}` : `${place.name}, ${place.near}`
}
