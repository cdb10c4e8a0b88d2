import type { Region } from '#contract/base/region.ts'
import type { Point } from './points.ts'

/** A station or an airport that people search near. */
export type Landmark = Point & {
  name: string
  region: Region
  /** Country of the UK, or state. */
  admin: string
  otherNames: readonly string[]
}

type Row = readonly [
  name: string,
  admin: string,
  latitude: number,
  longitude: number,
  ...otherNames: string[],
]

const UK: readonly Row[] = [
  ['Heathrow Airport', 'ENG', 51.47, -0.454, 'Heathrow', 'London Heathrow', 'LHR'],
  ['Gatwick Airport', 'ENG', 51.156, -0.161, 'Gatwick', 'London Gatwick', 'LGW'],
  ['Stansted Airport', 'ENG', 51.886, 0.239, 'Stansted', 'London Stansted', 'STN'],
  ['Luton Airport', 'ENG', 51.879, -0.376, 'London Luton', 'LTN'],
  ['London City Airport', 'ENG', 51.505, 0.055, 'City Airport', 'LCY'],
  ['Southend Airport', 'ENG', 51.571, 0.696, 'London Southend'],
  ['Manchester Airport', 'ENG', 53.365, -2.273],
  ['Birmingham Airport', 'ENG', 52.453, -1.73, 'Birmingham International'],
  ['Liverpool Airport', 'ENG', 53.336, -2.85, 'John Lennon Airport'],
  ['Leeds Bradford Airport', 'ENG', 53.866, -1.661, 'Leeds Bradford'],
  ['Newcastle Airport', 'ENG', 55.037, -1.711],
  ['Bristol Airport', 'ENG', 51.383, -2.714],
  ['East Midlands Airport', 'ENG', 52.83, -1.328, 'East Midlands'],
  ['Bournemouth Airport', 'ENG', 50.78, -1.84],
  ['Southampton Airport', 'ENG', 50.95, -1.363],
  ['Exeter Airport', 'ENG', 50.734, -3.414],
  ['Norwich Airport', 'ENG', 52.671, 1.278],
  ['Edinburgh Airport', 'SCT', 55.948, -3.363],
  ['Glasgow Airport', 'SCT', 55.869, -4.435],
  ['Prestwick Airport', 'SCT', 55.509, -4.594, 'Glasgow Prestwick'],
  ['Aberdeen Airport', 'SCT', 57.203, -2.2],
  ['Inverness Airport', 'SCT', 57.54, -4.05],
  ['Cardiff Airport', 'WLS', 51.398, -3.339],
  ['Belfast International Airport', 'NIR', 54.657, -6.216, 'Aldergrove Airport'],
  ['Belfast City Airport', 'NIR', 54.615, -5.87, 'George Best Airport'],
  ['Fenchurch Street', 'ENG', 51.512, -0.079],
  ['Cannon Street', 'ENG', 51.511, -0.09],
  ['Blackfriars', 'ENG', 51.512, -0.104, 'City Thameslink'],
  ['Monument', 'ENG', 51.511, -0.086],
  ["King's Cross St Pancras", 'ENG', 51.53, -0.124, 'St Pancras International'],
  ['Ebbsfleet International', 'ENG', 51.443, 0.321, 'Ebbsfleet'],
  ['Manchester Piccadilly', 'ENG', 53.477, -2.231],
  ['Manchester Victoria', 'ENG', 53.487, -2.242],
  ['Birmingham New Street', 'ENG', 52.478, -1.9, 'New Street'],
  ['Birmingham Moor Street', 'ENG', 52.479, -1.893],
  ['Liverpool Lime Street', 'ENG', 53.408, -2.978, 'Lime Street'],
  ['Bristol Temple Meads', 'ENG', 51.449, -2.581, 'Temple Meads'],
  ['Bristol Parkway', 'ENG', 51.514, -2.542],
  ['Newcastle Central', 'ENG', 54.968, -1.617],
  ['Edinburgh Waverley', 'SCT', 55.952, -3.189, 'Waverley Station'],
  ['Haymarket', 'SCT', 55.946, -3.218],
  ['Glasgow Central', 'SCT', 55.859, -4.258],
  ['Glasgow Queen Street', 'SCT', 55.862, -4.251],
  ['Cardiff Central', 'WLS', 51.476, -3.179],
]

const USA: readonly Row[] = [
  ['JFK Airport', 'NY', 40.641, -73.778, 'JFK', 'John F Kennedy Airport'],
  ['LaGuardia Airport', 'NY', 40.777, -73.874, 'LaGuardia', 'LGA'],
  ['Newark Airport', 'NJ', 40.69, -74.174, 'Newark Liberty', 'EWR'],
  ['O’Hare Airport', 'IL', 41.974, -87.907, 'O’Hare', 'ORD'],
  ['Midway Airport', 'IL', 41.786, -87.752],
  ['LAX', 'CA', 33.942, -118.408, 'Los Angeles Airport'],
  ['San Francisco Airport', 'CA', 37.622, -122.379, 'SFO'],
  ['San Diego Airport', 'CA', 32.734, -117.193],
  ['Logan Airport', 'MA', 42.366, -71.01, 'Boston Airport'],
  ['Dulles Airport', 'VA', 38.953, -77.456, 'Washington Dulles', 'IAD'],
  ['Reagan National Airport', 'VA', 38.851, -77.04, 'Washington National', 'DCA'],
  ['BWI Airport', 'MD', 39.177, -76.668, 'BWI', 'Baltimore Airport'],
  ['Philadelphia Airport', 'PA', 39.874, -75.242],
  ['Hartsfield-Jackson Airport', 'GA', 33.641, -84.427, 'Atlanta Airport'],
  ['Miami Airport', 'FL', 25.796, -80.287],
  ['Orlando Airport', 'FL', 28.431, -81.308],
  ['DFW Airport', 'TX', 32.9, -97.04, 'DFW', 'Dallas Airport'],
  ['Bush Intercontinental Airport', 'TX', 29.99, -95.337, 'Houston Airport'],
  ['Austin Airport', 'TX', 30.197, -97.666],
  ['Denver Airport', 'CO', 39.856, -104.674],
  ['Sky Harbor Airport', 'AZ', 33.435, -112.006, 'Phoenix Airport'],
  ['Harry Reid Airport', 'NV', 36.084, -115.154, 'Las Vegas Airport', 'McCarran Airport'],
  ['Sea-Tac Airport', 'WA', 47.45, -122.309, 'Sea-Tac', 'Seattle Airport'],
  ['Portland Airport', 'OR', 45.59, -122.595, 'PDX'],
  ['Detroit Airport', 'MI', 42.216, -83.355],
  ['Minneapolis Airport', 'MN', 44.885, -93.222],
  ['Honolulu Airport', 'HI', 21.325, -157.925],
  ['Penn Station', 'NY', 40.751, -73.994],
  ['Grand Central', 'NY', 40.753, -73.977, 'Grand Central Terminal'],
  ['Times Square', 'NY', 40.758, -73.986],
  ['Union Station', 'DC', 38.898, -77.006],
  ['Union Station', 'IL', 41.879, -87.64],
  ['Union Station', 'CA', 34.056, -118.236],
  ['South Station', 'MA', 42.352, -71.055],
]

const toLandmark =
  (region: Region) =>
  ([name, admin, latitude, longitude, ...otherNames]: Row): Landmark => ({
    name,
    region,
    admin,
    latitude,
    longitude,
    otherNames,
  })

/**
 * Airports and large stations that are no town or part of London, to about 100 metres. Compiled for this project from
 * common knowledge, under its own licence.
 */
export const LANDMARKS: readonly Landmark[] = [
  ...UK.map(toLandmark('uk')),
  ...USA.map(toLandmark('usa')),
]
