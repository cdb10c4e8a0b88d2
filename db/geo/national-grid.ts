import proj4 from 'proj4'
import type { Point } from './points.ts'

/** EPSG:27700 with Ordnance Survey's seven-parameter shift to WGS84, good to about 5 metres. */
const NATIONAL_GRID =
  '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy ' +
  '+towgs84=446.448,-125.157,542.06,0.1502,0.247,0.8421,-20.4894 +units=m +no_defs'

const converter = proj4(NATIONAL_GRID, 'WGS84')

/** WGS84 latitude and longitude in degrees, from eastings and northings in metres. */
export function gridToWgs84(easting: number, northing: number): Point {
  const [longitude, latitude] = converter.forward([easting, northing])
  return { latitude, longitude }
}
