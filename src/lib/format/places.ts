import { numberFormat } from '#contract/base/intl.ts'
import { plural } from './words.ts'

/** "1 mile away", "2.4 miles away": one decimal, singular for exactly one. */
export function formatDistance(miles: number): string {
  const rounded = Math.round(miles * 10) / 10
  const text = numberFormat('en-GB', { maximumFractionDigits: 1 }).format(rounded)
  return `${text} ${rounded === 1 ? 'mile' : 'miles'} away`
}

/** "within 5 miles", "within 1 mile". */
export function formatRadius(miles: number): string {
  return `within ${plural(miles, 'mile')}`
}

/**
 * Miles from a profile's URL, for display only; null if it is not a distance. Links that do not come from a
 * search say "0"; a search always writes one decimal.
 */
export function readDistance(text: string): number | null {
  if (text === '0' || !/^\d{1,5}(\.\d{1,3})?$/.test(text)) return null
  return Number(text)
}

/**
 * URL of an OpenStreetMap page with a marker at a point, where directions can be found; opens in a new tab.
 */
export function mapLink(point: { latitude: number; longitude: number }): string {
  const { latitude, longitude } = point
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
}
