import type { ResultPin } from './types.ts'

/** What a pin is called to someone who cannot see it: "3, Dr Jane Doe, 1.2 miles away, £60.00, next free tomorrow". */
export function pinName({
  number,
  name,
  distanceLabel,
  priceLabel,
  nextFreeLabel,
}: ResultPin): string {
  const parts = [
    number,
    name,
    distanceLabel,
    priceLabel,
    nextFreeLabel ? `next free ${nextFreeLabel}` : null,
  ]
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ')
}
