import type { Region } from '#contract/base/region.ts'
import { type Area, type Town, townOf } from '#demo/areas.ts'
import type { Person } from '#demo/people/people.ts'
import { hash32, pickWeighted, type Random, randomFor } from '#demo/random.ts'

/** Numbers that Ofcom reserves for drama, by town; elsewhere the range without an area. */
const DRAMA_NUMBERS: Record<string, string> = {
  London: '020 7946 0',
  Leeds: '0113 496 0',
  Sheffield: '0114 496 0',
  Nottingham: '0115 496 0',
  Leicester: '0116 496 0',
  Bristol: '0117 496 0',
  Reading: '0118 496 0',
  Birmingham: '0121 496 0',
  Edinburgh: '0131 496 0',
  Glasgow: '0141 496 0',
  Liverpool: '0151 496 0',
  Manchester: '0161 496 0',
  Sunderland: '0191 498 0',
  Cardiff: '029 2018 0',
}

const ELSEWHERE = '01632 960'

/** An area code for each state; its 555-01xx numbers are not assigned to anybody. */
const AREA_CODES: Record<string, string> = Object.fromEntries(
  (
    'AK907 AL205 AR501 AZ602 CA213 CO303 CT860 DC202 DE302 FL305 GA404 HI808 IA515 ID208 IL312 IN317 ' +
    'KS316 KY502 LA504 MA617 MD410 ME207 MI313 MN612 MO314 MS601 MT406 NC704 ND701 NE402 NH603 NJ201 ' +
    'NM505 NV702 NY212 OH216 OK405 OR503 PA215 PR787 RI401 SC803 SD605 TN615 TX512 UT801 VA804 VT802 ' +
    'WA206 WI414 WV304 WY307'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), entry.slice(2)]),
)

/** A provider's private number, likewise not in use; in the UK a mobile number. */
export function privatePhone(random: Random, region: Region): string {
  if (region === 'uk') return `07700 900${String(random.between(0, 999)).padStart(3, '0')}`
  return phoneFor(random, region, '')
}

/** A phone number that reaches nobody, formatted as is usual in the region. */
function phoneFor(random: Random, region: Region, locality: string): string {
  if (region === 'uk') {
    const digits = String(random.between(0, 999)).padStart(3, '0')
    return `${DRAMA_NUMBERS[locality] ?? ELSEWHERE}${digits}`
  }
  const code = AREA_CODES[locality.slice(-2)] ?? '202'
  return `(${code}) 555-01${String(random.between(0, 99)).padStart(2, '0')}`
}

/** Where a provider of the demo works. */
export type Practice = {
  name: string
  address: string
  locality: string
  postcode: string
  latitude: number
  longitude: number
  timeZone: string
  phone: string
}

/** Post towns of inner London; its outer boroughs have towns of their own. */
const LONDON = /^(?:E|EC|N|NW|SE|SW|W|WC)\d/

/** Letters used in the second half of a postcode: all but C, I, K, M, O and V. */
const UNIT_LETTERS = 'ABDEFGHJLNPQRSTUWXYZ'

/** About four hundred metres: a sector or ZIP code is a few streets to a few villages. */
const JITTER_DEGREES = 0.0035

const list = (text: string): readonly string[] => text.split(', ')

const UK_STREETS = list(
  'High Street, Station Road, Church Street, Victoria Road, Park Road, Albert Road, Queen Street, King Street, Mill Lane, London Road, York Road, New Road, Chapel Street, Market Street, Bridge Street, Castle Street, Grove Road, The Avenue, Manor Road, School Lane, Orchard Road, Cromwell Road, Wellington Road, Cambridge Street, St John’s Road, Abbey Road, Priory Lane, Windmill Road, Green Lane, Broad Street, George Street, North Street, Clifton Road, Richmond Terrace, Alexandra Road, Springfield Road, Highfield Avenue, Kingsway, Waterloo Street, Crescent Road',
)

const US_STREETS = list(
  'Main Street, Oak Street, Maple Avenue, Washington Avenue, Park Avenue, Lake Street, Elm Street, Cedar Street, Lincoln Avenue, Jefferson Street, Church Street, Center Street, Walnut Street, Highland Avenue, Pine Street, Spring Street, Ridge Road, Mill Road, River Road, Franklin Street, Union Street, Madison Avenue, Broadway, Sunset Boulevard, College Avenue, Prospect Street, Market Street, Willow Road, Valley Road, Meadow Lane, Grand Avenue, Monroe Street, Chestnut Street, Forest Drive, Commerce Street, University Drive',
)

const NAME_PREFIXES = list(
  'Ash Tree, Beech House, Bluebell, Bridgewater, Brookside, Cedar House, Chestnut, Clifton, Cornerstone, Elm Park, Fairfield, Fernhill, Fountain, Foxglove, Garden Court, Greenbank, Harbour, Hawthorn, Hazelwood, Heathfield, Highbank, Hillside, Hollybank, Kestrel, Kingfisher, Lakeside, Lavender Hill, Lime Tree, Linden House, Maple, Marlow House, Meadowside, Millbrook, Moorland, Northgate, Oakfield, Old Bakery, Old School, Orchard, Parkview, Primrose, Priory, Riverside, Rosewood, Rowan, Silver Birch, Southbank, Springfield, St Anne’s, St Luke’s, St Mary’s, Stonebridge, Sycamore, Thornfield, Tower House, Waterside, Wellspring, Westgate, Whitehouse, Willow, Windmill, Woodlands',
)

const NAME_SUFFIXES = {
  uk: {
    gp: list('Surgery, Medical Centre, Family Practice, Health Centre, Private GP Practice'),
    dental: list('Dental Practice, Dental Care, Dental Surgery, Dental Clinic'),
    other: list('Consulting Rooms, Clinic, Medical Centre, Hospital, Outpatient Centre'),
  },
  usa: {
    gp: list('Family Medicine, Family Health, Primary Care, Medical Group'),
    dental: list('Dental, Family Dentistry, Dental Group, Dental Care'),
    other: list('Clinic, Medical Center, Specialty Care, Medical Group, Health Center'),
  },
} as const

/** The area a fixed account works in, or undefined for everybody else. */
export function fixedArea(person: Person, areas: readonly Area[]): Area | undefined {
  const wanted = person.fixed?.area
  return wanted === undefined ? undefined : areas.find((area) => wanted.test(area.code))
}

function practiceName(random: Random, person: Person): string {
  const kind =
    person.specialty.ukBody === 'GDC' ? 'dental' : person.specialty.slug === 'gp' ? 'gp' : 'other'
  const before = random.pick(NAME_PREFIXES)
  return `${person.region === 'uk' ? before : before.replace('Harbour', 'Harbor')} ${random.pick(NAME_SUFFIXES[person.region][kind])}`
}

function addressOf(random: Random, region: Region): string {
  if (region === 'uk') return `${random.between(1, 180)} ${random.pick(UK_STREETS)}`
  const suite = random.chance(0.6)
    ? `, Suite ${random.between(1, 9)}${random.pick(['00', '10', '20', '50'])}`
    : ''
  return `${random.between(10, 9800)} ${random.pick(US_STREETS)}${suite}`
}

function postcodeIn(random: Random, area: Area, region: Region): string {
  if (region === 'usa') return area.code
  const letter = () => UNIT_LETTERS.charAt(random.between(0, UNIT_LETTERS.length - 1))
  return `${area.code}${letter()}${letter()}`
}

function jitter(random: Random, at: number, stretch: number): number {
  const offset = random.next() + random.next() - 1
  return Math.round((at + offset * JITTER_DEGREES * stretch) * 1e5) / 1e5
}

/** The practice of a person in the area drawn for them. */
export function practiceOf(person: Person, area: Area, ukTowns: readonly Town[]): Practice {
  const random = randomFor(hash32(`practice ${person.region} ${person.index}`))
  const longitudeStretch = 1 / Math.cos((area.latitude * Math.PI) / 180)
  const isLondon = person.region === 'uk' && LONDON.test(area.code)
  const locality = isLondon ? 'London' : area.locality || townOf(area, ukTowns)
  return {
    name: person.fixed?.practice.name ?? practiceName(random, person),
    address: person.fixed?.practice.address ?? addressOf(random, person.region),
    locality,
    postcode: postcodeIn(random, area, person.region),
    latitude: jitter(random, area.latitude, 1),
    longitude: jitter(random, area.longitude, longitudeStretch),
    timeZone: area.timeZone,
    phone: phoneFor(random, person.region, locality),
  }
}

/** What a visit costs and how it works. Money in minor units. */
export type Offer = {
  amountMinor: number
  followAmountMinor: number
  consultationMinutes: number
  offersInPerson: boolean
  offersVideo: boolean
  followUpPolicy: 'trust' | 'require_history'
  freeCancelHours: number
  lateCancelPercent: number
  noShowPercent: number
}

const EXPENSIVE_TOWNS =
  /^(?:London|New York, NY|Brooklyn, NY|San Francisco, CA|Los Angeles, CA|Boston, MA|Washington, DC|Seattle, WA)$/

const roundTo = (step: number, value: number) => Math.round(value / step) * step

/** Fees, length, ways of meeting and policy of a person at their practice. */
export function offerOf(person: Person, practice: Practice): Offer {
  const random = randomFor(hash32(`offer ${person.region} ${person.index}`))
  const { facts, region } = person
  const isAccount = person.fixed !== undefined
  const local = EXPENSIVE_TOWNS.test(practice.locality) ? 1.22 : 1
  const experience = 0.86 + Math.min(person.years, 30) * 0.008
  const luck = isAccount ? 1 : 0.82 + random.next() * 0.36
  const amount = Math.max(25, roundTo(5, facts.fee[region] * local * experience * luck))
  const follow = Math.max(20, roundTo(5, amount * (0.56 + random.next() * 0.2)))
  const isDental = person.specialty.ukBody === 'GDC'
  const offersVideo = isAccount || random.chance(isDental ? 0.06 : 0.46)
  const [freeCancelHours, lateCancelPercent] = pickWeighted(random, [
    [[24, 50], 60],
    [[48, 50], 20],
    [[24, 100], 10],
    [[12, 25], 10],
  ] as const)
  return {
    amountMinor: amount * 100,
    followAmountMinor: follow * 100,
    consultationMinutes: isAccount ? 20 : random.pick(facts.minutes),
    offersInPerson: !offersVideo || isAccount || !random.chance(0.05),
    offersVideo,
    followUpPolicy: random.chance(0.85) ? 'trust' : 'require_history',
    freeCancelHours,
    lateCancelPercent,
    // Common and simple: not coming costs the full fee, unless cancelling late is cheap.
    noShowPercent: lateCancelPercent === 25 ? 50 : 100,
  }
}
