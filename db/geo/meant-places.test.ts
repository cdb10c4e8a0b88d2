import { beforeAll, expect, test } from 'vitest'
import type { Region } from '#contract/base/region.ts'
import type { Database } from '#db/engine.ts'
import { openWithPlaces } from '#tests/harness/servers/empty-database.ts'
import { findPlace } from './lookup.ts'
import { readCities } from './packages.ts'
import { distanceKm, type Point } from './points.ts'
import { suggestPlaces } from './suggest.ts'

let database: Database

beforeAll(async () => {
  database = await openWithPlaces()
})

const CHARING_CROSS = { latitude: 51.507, longitude: -0.128 }

/** How far from a point the search for a name is, and that for its first completion: the farther, in kilometres. */
async function kmFrom(region: Region, name: string, at: Point): Promise<number> {
  const far: number[] = []
  const [first] = await suggestPlaces(database.db, { region, text: name }, 5)
  for (const text of new Set([name, first?.value ?? 'nothing'])) {
    const answer = await findPlace(database.db, region, text)
    far.push(
      answer.kind === 'found'
        ? distanceKm({ latitude: answer.lat, longitude: answer.lon }, at)
        : Infinity,
    )
  }
  return Math.max(...far)
}

/** What a Londoner types, of which no other town is meant. */
const LONDON =
  `Camden, Camden Town, King's Cross, Kings Cross, King’s Cross, St Pancras, Euston, Waterloo, Victoria,
Paddington, Clapham, Clapham Common, Clapham Junction, London Bridge, Liverpool Street, Charing Cross, Marylebone,
Fenchurch Street, Cannon Street, Blackfriars, Stratford, Vauxhall, Angel, Bank, Barbican, Moorgate, Farringdon, Old Street,
Holborn, Covent Garden, Soho, Mayfair, Fitzrovia, Bloomsbury, Clerkenwell, Shoreditch, Hoxton, Islington, Highbury,
Canonbury, Dalston, Hackney, Hackney Wick, Bethnal Green, Bow, Mile End, Stepney, Whitechapel, Aldgate East, Wapping,
Limehouse, Poplar, Canary Wharf, Isle of Dogs, Greenwich, Blackheath, Lewisham, Catford, Deptford, New Cross, Peckham,
Camberwell, Brixton, Stockwell, Kennington, Elephant and Castle, Elephant & Castle, Borough, Bermondsey, Rotherhithe,
Southwark, Lambeth, Oval, Balham, Tooting, Streatham, Tulse Hill, Herne Hill, Dulwich, East Dulwich, Forest Hill, Sydenham,
Crystal Palace, Norwood, Croydon, Sutton, Mitcham, Wimbledon, Putney, Wandsworth, Battersea, Fulham, Hammersmith, Chiswick,
Barnes, Richmond, Twickenham, Kew, Ealing, Acton, Shepherd's Bush, Shepherds Bush, White City, Notting Hill, Kensington,
South Kensington, Earl's Court, Chelsea, Knightsbridge, Pimlico, Westminster, Bayswater, Maida Vale, St John's Wood, Swiss
Cottage, Hampstead, West Hampstead, Kilburn, Willesden, Cricklewood, Golders Green, Hendon, Finchley, Highgate, Archway,
Kentish Town, Holloway, Finsbury Park, Crouch End, Muswell Hill, Wood Green, Tottenham, Walthamstow, Leyton, Leytonstone,
Stoke Newington, Chingford, Enfield, Edmonton, Ilford, Barking, East Ham, West Ham, Canning Town, Woolwich, Eltham,
Bexleyheath, Bromley, Orpington, Wembley, Harrow, Uxbridge, Hayes, Hounslow, Southall, Romford, London Victoria, London
Waterloo, London Paddington, London Euston, Waterloo station, Victoria Station, Euston railway station, Brixton tube station,
Oxford Circus, Baker Street, Tower Hill, Docklands`
    .split(',')
    .map((name) => name.trim().replaceAll('\n', ' '))

test.each(LONDON)('%s is in London', async (name) => {
  expect(await kmFrom('uk', name, CHARING_CROSS)).toBeLessThan(27)
})

test.each([
  ['uk', 'Heathrow', 51.47, -0.45],
  ['uk', 'Heathrow Airport', 51.47, -0.45],
  ['uk', 'London Heathrow', 51.47, -0.45],
  ['uk', 'LHR', 51.47, -0.45],
  ['uk', 'Gatwick', 51.16, -0.16],
  ['uk', 'London Gatwick', 51.16, -0.16],
  ['uk', 'Stansted', 51.89, 0.24],
  ['uk', 'Luton', 51.88, -0.42],
  ['uk', 'Luton Airport', 51.88, -0.38],
  ['uk', 'Manchester Airport', 53.36, -2.27],
  ['uk', 'Birmingham International Airport', 52.45, -1.73],
  ['uk', 'Edinburgh Airport', 55.95, -3.36],
  ['uk', 'Manchester Piccadilly', 53.48, -2.23],
  ['uk', 'Birmingham New Street', 52.48, -1.9],
  ['uk', 'Bristol Temple Meads', 51.45, -2.58],
  ['uk', 'Leeds station', 53.8, -1.55],
  ['uk', 'Edinburgh Waverley', 55.95, -3.19],
  ['uk', 'Newcastle', 54.97, -1.61],
  ['uk', 'Sudbury', 52.04, 0.73],
  ['uk', 'Farnborough', 51.29, -0.76],
  ['uk', 'Stratford-upon-Avon', 52.19, -1.71],
  ['usa', 'JFK', 40.64, -73.78],
  ['usa', 'LaGuardia', 40.78, -73.87],
  ['usa', 'LAX', 33.94, -118.41],
  ['usa', 'O’Hare', 41.97, -87.91],
  ['usa', 'Logan Airport', 42.37, -71.01],
  ['usa', 'Penn Station', 40.75, -73.99],
  ['usa', 'Harlem', 40.81, -73.95],
  ['usa', 'Brooklyn', 40.65, -73.95],
] as const)('in the %s %s is where people mean', async (region, name, latitude, longitude) => {
  expect(await kmFrom(region, name, { latitude, longitude })).toBeLessThan(5)
})

test.each([
  ['uk', 'GB'],
  ['usa', 'US'],
] as const)('the 150 largest towns of the %s are found by their names', async (region, country) => {
  const towns = readCities(new Set([country]))
    .filter(({ featureCode, name }) => featureCode !== 'PPLX' && !/\d/.test(name))
    .toSorted((a, b) => b.population - a.population)
  const names = new Set<string>()
  for (const { name, ...at } of towns) {
    // The larger of two with one name is meant.
    if (names.has(name)) continue
    names.add(name)
    expect({ name, isFound: (await kmFrom(region, name, at)) < 8 }).toEqual({ name, isFound: true })
    if (names.size === 150) break
  }
})

test('a place that is known by its name alone is not left for another country', async () => {
  const answer = await findPlace(database.db, 'uk', 'Camden')
  expect(answer).toMatchObject({ kind: 'found', label: 'Camden' })
})

test.each([
  ['uk', 'Buttermear', 'Buttermere'],
  ['uk', 'Kings Mos', 'Kings Moss'],
] as const)(
  'in the %s %s is not corrected to a village without asking',
  async (region, text, near) => {
    expect(await findPlace(database.db, region, text)).toEqual({
      kind: 'unknown_place',
      text,
      near,
    })
  },
)

test('labels of namesakes name a town, and find the same place when typed', async () => {
  const answer = await findPlace(database.db, 'uk', 'Waterloo')
  if (answer.kind !== 'found') throw new Error('Waterloo is not found.')
  expect(answer.others).toContain('Waterloo, Ashton-under-Lyne')
  const ashton = await findPlace(database.db, 'uk', 'Waterloo, Ashton-under-Lyne')
  expect(ashton).toMatchObject({ label: 'Waterloo, Ashton-under-Lyne' })
  if (ashton.kind === 'found') expect(ashton.lat).toBeCloseTo(53.5, 1)
})
