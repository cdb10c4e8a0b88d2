import * as z from 'zod/mini'
import type { Currency } from './money.ts'

/** The two markets. Default `uk`; kept locally under `selectedRegion`. */
export const Region = z.enum(['uk', 'usa'])
export type Region = z.infer<typeof Region>

export const DEFAULT_REGION: Region = 'uk'

type RegionFacts = {
  label: string
  currency: Currency
  /** IANA zone of what belongs to the region as a whole, and to no practice. */
  timeZone: string
  locale: 'en-GB' | 'en-US'
  hour12: boolean
  /** The day that a week begins with: 1 (Monday) or 7 (Sunday). */
  firstWeekday: 1 | 7
  codeWord: string
  codeExample: string
  emergencyNumber: string
  /** Minimum age for an account. */
  adultFrom: number
  other: Region
}

/** What follows from a region: money, clock, wording. Distances are miles in both. */
export const regionFacts: Record<Region, RegionFacts> = {
  uk: {
    label: 'UK',
    currency: 'GBP',
    timeZone: 'Europe/London',
    locale: 'en-GB',
    hour12: false,
    firstWeekday: 1,
    codeWord: 'postcode',
    codeExample: 'SE1 6ET',
    emergencyNumber: '999',
    adultFrom: 16,
    other: 'usa',
  },
  usa: {
    label: 'USA',
    currency: 'USD',
    timeZone: 'America/New_York',
    locale: 'en-US',
    hour12: true,
    firstWeekday: 7,
    codeWord: 'ZIP code',
    codeExample: '78701',
    emergencyNumber: '911',
    adultFrom: 18,
    other: 'uk',
  },
}
