import type { Region } from '#contract/region.ts'
import { type Area, type Town, townOf } from '#demo/areas.ts'
import type { Person } from '#demo/people/people.ts'
import { phoneFor } from '#demo/people/phones.ts'
import { hash32, type Random, randomFor } from '#demo/random.ts'

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
