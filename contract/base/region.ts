import * as z from 'zod/mini'
import type { Currency } from './money.ts'

/** The two markets. Default `uk`; kept locally under `selectedRegion`. */
export const Region = z.enum(['uk', 'usa'])
export type Region = z.infer<typeof Region>

export const DEFAULT_REGION: Region = 'uk'

type RegionFacts = {
  label: string
  currency: Currency
  locale: string
  hour12: boolean
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
    locale: 'en-GB',
    hour12: false,
    codeWord: 'postcode',
    codeExample: 'SE1 6ET',
    emergencyNumber: '999',
    adultFrom: 16,
    other: 'usa',
  },
  usa: {
    label: 'USA',
    currency: 'USD',
    locale: 'en-US',
    hour12: true,
    codeWord: 'ZIP code',
    codeExample: '78701',
    emergencyNumber: '911',
    adultFrom: 18,
    other: 'uk',
  },
}
