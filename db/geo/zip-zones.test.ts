import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { timeZonesOf } from '#contract/base/time-zones.ts'
import { readCities, zoneOfPoint } from './packages.ts'
import { rowsOfCity } from './place-names.ts'
import { mergeSources, Towns } from './us-zips.ts'
import { parseZipZones, printZipZones, readZipZones, ZIP_ZONES_FILE } from './zip-zones.ts'

const zoneOfZip = readZipZones()

/** The clocks of a zone in January and in July. */
function clocksOf(timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  return [0, 6].map((month) => format.format(Date.UTC(2026, month, 15))).join()
}

/** Codes near a line, checked by hand against 49 CFR 71 and what the towns themselves say. */
const BORDER_ZIPS: Readonly<Record<string, readonly string[]>> = {
  'America/Phoenix': [
    // Flagstaff, Grand Canyon, Page, Fredonia, Marble Canyon: the ZIP area of Page reaches into Navajo land.
    '86001 86003 86004 86005 86023 86040 86022 86036',
    // Hopi: Kykotsmovi, Second Mesa, Polacca, Keams Canyon, Hotevilla.
    '86039 86043 86042 86034 86030',
    // Winslow, Holbrook, Joseph City, Sanders, Chambers, Petrified Forest, Gray Mountain, Saint Johns.
    '86047 86025 86032 86512 86502 86028 86016 85936',
    // On the Colorado: Yuma, Parker, Ehrenberg, Bullhead City, Lake Havasu City, Colorado City.
    '85364 85344 85334 86442 86403 86021',
  ],
  'America/Denver': [
    // Navajo: Window Rock, Kayenta, Tuba City, Chinle, Ganado, Cameron, Leupp, Tonalea, Shonto, Houck.
    '86515 86033 86045 86503 86505 86020 86035 86044 86054 86506',
    // El Paso, Fort Bliss, Fabens, Sierra Blanca, Dell City, Salt Flat.
    '79901 79906 79838 79851 79837 79847',
    // West Wendover, Nevada; Freedom, Wyoming; Stonington, Colorado.
    '89883 83120 81075',
    // Kansas: Goodland, Sharon Springs, Tribune, Syracuse.
    '67735 67758 67879 67878',
    // Nebraska: Cody and Merriman in the west of Cherry County, Ogallala, Imperial, Alliance.
    '69211 69218 69153 69033 69301',
    // The Dakotas: Dickinson, Killdeer, Halliday, Grassy Butte, Philip, Kadoka, Belvidere, Lemmon.
    '58601 58640 58636 58634 57567 57543 57521 57638',
  ],
  'America/Boise': [
    // Boise, Riggins, Pollock, McCall, Salmon; Malheur County in Oregon: Ontario, Vale, Jordan Valley.
    '83702 83549 83547 83638 83467 97914 97918 97910',
  ],
  'America/Los_Angeles': [
    // Idaho north of the Salmon: Cottonwood, Grangeville, White Bird, Lucile, Lewiston.
    '83522 83530 83554 83542 83501',
    // Burns, Oregon; Nevada: Elko, Wells, Mesquite, Laughlin; Needles and Blythe on the Colorado.
    '97720 89801 89835 89024 89027 89029 92363 92225',
  ],
  'America/New_York': [
    // Tennessee: Rockwood, Spring City, Grandview, Graysville, Dayton, Chattanooga, Signal Mountain.
    '37854 37381 37337 37338 37321 37402 37419 37405 37377',
    // Kentucky: Campbellsville, Hodgenville, Buffalo, Magnolia, Elizabethtown, Somerset, Bronston.
    '42718 42748 42716 42757 42701 42501 42518',
    // Florida: Tallahassee, Apalachicola, Port Saint Joe. Alabama on Columbus' clock: Phenix City, Lanett.
    '32301 32320 32456 32457 36867 36868 36869 36870 36863 36854',
    // West Point, Georgia; Malone, New York.
    '31833 12953',
  ],
  'America/Chicago': [
    // Florida: Pensacola, Panama City, Marianna, Blountstown, Wewahitchka.
    '32501 32401 32446 32424 32465',
    // Alabama: Auburn, Opelika, Lafayette, Salem, Seale.
    '36830 36801 36862 36874 36875',
    // Tennessee: Crossville, Crab Orchard, Jasper, South Pittsburg, Pikeville, Jamestown.
    '38555 37723 37347 37380 37367 38556',
    // Kentucky: Bowling Green, Albany, Alpha, Columbia, Garfield, Big Clifty, Leitchfield.
    '42101 42602 42603 42728 40140 42712 42754',
    // Indiana: Gary, Evansville, Oakland City, Princeton, Rockport, Mount Vernon, La Porte.
    '46402 47708 47660 47670 47635 47620 46350',
    // The Dakotas: Mobridge, Pierre, Fort Pierre, Fort Yates, Selfridge, Cartwright, Watford City.
    '57601 57501 57532 58538 58568 58838 58854',
    // Nebraska: Valentine, Sutherland, Seneca, North Platte. Kansas: Garden City, Colby. Van Horn, Texas.
    '69201 69165 69161 69101 67846 67701 79855',
    // Swift and Angle Inlet, Minnesota, beside Manitoba.
    '56682 56711',
  ],
  'America/Menominee': [
    // Michigan's four western counties: Menominee, Iron Mountain, Iron River, Ironwood.
    '49858 49801 49935 49938',
  ],
  'America/Detroit': ['49855', '49829', '49807', '49931', '48226'],
  'America/Indiana/Indianapolis': ['46204', '46601', '47901', '47374'],
  'America/Indiana/Knox': ['46534', '46366'],
  'America/Indiana/Winamac': ['46996'],
  'America/Indiana/Vincennes': ['47532', '47546', '47591', '47501'],
  'America/Indiana/Petersburg': ['47567'],
  'America/Indiana/Tell_City': ['47586', '47588'],
  'America/Indiana/Marengo': ['47140', '47137', '47118'],
  'America/Indiana/Vevay': ['47043'],
  'America/Kentucky/Louisville': ['40202', '40059', '47130', '47177'],
  'America/Kentucky/Monticello': ['42633'],
  'America/North_Dakota/New_Salem': ['58563', '58535'],
  'America/North_Dakota/Beulah': ['58523'],
  'America/Anchorage': ['99501', '99701', '99559'],
  'America/Nome': ['99762', '99752', '99659'],
  'America/Adak': ['99546', '99547'],
  'America/Juneau': ['99801'],
  'America/Metlakatla': ['99926'],
  'Pacific/Honolulu': ['96813'],
  'Pacific/Pago_Pago': ['96799'],
  'Pacific/Guam': ['96910'],
  'Pacific/Saipan': ['96950'],
  'Pacific/Wake': ['96898'],
  'America/Puerto_Rico': ['00901'],
  'America/St_Thomas': ['00802'],
}

test.each(Object.entries(BORDER_ZIPS))('%s has its border ZIP codes', (zone, lines) => {
  const zips = lines.flatMap((line) => line.split(' '))
  expect(zips.map((zip) => [zip, zoneOfZip(zip)])).toEqual(zips.map((zip) => [zip, zone]))
})

test('of all domestic ZIP codes, only those near a line differ from a coarse map', () => {
  const cities = readCities(new Set(['US', 'PR']))
  const domestic = mergeSources(new Towns(cities.flatMap(rowsOfCity))).filter(
    ({ kind }) => kind !== 'military',
  )
  expect(domestic).toHaveLength(41_929)
  const clocks = new Map<string, string>()
  const clockOf = (zone: string) => {
    const known = clocks.get(zone) ?? clocksOf(zone)
    clocks.set(zone, known)
    return known
  }
  const differing = domestic.filter(
    (row) => clockOf(zoneOfZip(row.zip)) !== clockOf(zoneOfPoint(row.latitude, row.longitude)),
  )
  expect(differing.length).toBeGreaterThan(50)
  expect(differing.length).toBeLessThan(300)
})

test('its zones are those that a practice in the USA can choose', () => {
  const listed = readFileSync(ZIP_ZONES_FILE, 'utf8').trimEnd().split('\n').slice(1)
  const zones = new Set(listed.map((line) => line.split('\t')[1] ?? ''))
  expect([...zones].toSorted()).toEqual([...timeZonesOf.usa].toSorted())
})

test('a point without its minus is not in Asia', () => {
  const row = mergeSources(new Towns([])).find(({ zip }) => zip === '10200')
  expect(row?.longitude).toBeCloseTo(-73.95, 1)
  expect(zoneOfZip('10200')).toBe('America/New_York')
})

test('the table prints as it was read', () => {
  const zones = new Map([
    ['00901', 'America/Puerto_Rico'],
    ['01001', 'America/New_York'],
    ['01002', 'America/New_York'],
  ])
  const printed = printZipZones(zones)
  expect(printed).toBe('from\ttime_zone\n00901\tAmerica/Puerto_Rico\n01001\tAmerica/New_York\n')
  expect([...zones.keys()].map(parseZipZones(printed))).toEqual([...zones.values()])
})

test.each([
  ['', 'lacks its header'],
  ['from\ttime_zone\n00901', 'Unreadable line: 00901'],
])('%j is not the table', (text, problem) => {
  expect(() => parseZipZones(text)).toThrow(problem)
})
