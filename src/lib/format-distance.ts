import { numberFormat } from '#contract/intl.ts'

/** "1 mile away", "2.4 miles away": one decimal, singular for exactly one. */
export function formatDistance(miles: number): string {
  const rounded = Math.round(miles * 10) / 10
  const text = numberFormat('en-GB', { maximumFractionDigits: 1 }).format(rounded)
  return `${text} ${rounded === 1 ? 'mile' : 'miles'} away`
}

/** "within 5 miles", "within 1 mile". */
export function formatRadius(miles: number): string {
  return `within ${miles} ${miles === 1 ? 'mile' : 'miles'}`
}

/** Miles from a profile's address, display only: anything that is no distance counts as unknown. */
export function readDistance(text: string): number | null {
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(text)) return null
  return Number(text)
}
