import { type Region, regionFacts } from './region.ts'

/**
 * IANA zones in which a practice of a region can be. The USA's are those of its ZIP codes, the
 * territories and associated states included.
 */
export const timeZonesOf = {
  uk: ['Europe/London'],
  usa: [
    'Pacific/Pago_Pago',
    'Pacific/Honolulu',
    'America/Adak',
    'America/Anchorage',
    'America/Juneau',
    'America/Metlakatla',
    'America/Nome',
    'America/Sitka',
    'America/Yakutat',
    'America/Los_Angeles',
    'America/Phoenix',
    'America/Boise',
    'America/Denver',
    'America/Chicago',
    'America/Indiana/Knox',
    'America/Indiana/Tell_City',
    'America/Menominee',
    'America/North_Dakota/Beulah',
    'America/North_Dakota/Center',
    'America/North_Dakota/New_Salem',
    'America/Detroit',
    'America/Indiana/Indianapolis',
    'America/Indiana/Marengo',
    'America/Indiana/Petersburg',
    'America/Indiana/Vevay',
    'America/Indiana/Vincennes',
    'America/Indiana/Winamac',
    'America/Kentucky/Louisville',
    'America/Kentucky/Monticello',
    'America/New_York',
    'America/Puerto_Rico',
    'America/St_Thomas',
    'Pacific/Palau',
    'Pacific/Chuuk',
    'Pacific/Guam',
    'Pacific/Saipan',
    'Pacific/Kosrae',
    'Pacific/Pohnpei',
    'Pacific/Kwajalein',
    'Pacific/Majuro',
    'Pacific/Wake',
  ],
} as const satisfies Record<Region, readonly string[]>

/** Whether a practice of this region can be in a zone. */
export function isZoneOf(region: Region, timeZone: string): boolean {
  return timeZonesOf[region].some((zone) => zone === timeZone)
}

/** The region that a practice in this zone is in: no zone belongs to both. */
export function regionOfZone(timeZone: string): Region {
  return isZoneOf('uk', timeZone) ? 'uk' : 'usa'
}

/** How dates and times of a practice in this zone are written. */
export function factsOfZone(timeZone: string) {
  return regionFacts[regionOfZone(timeZone)]
}
