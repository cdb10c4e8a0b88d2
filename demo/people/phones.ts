import type { Region } from '#contract/region.ts'
import type { Random } from '#demo/random.ts'

/** Numbers that Ofcom reserves for drama, by town; elsewhere the range without an area. */
const DRAMA_NUMBERS: Record<string, string> = {
  London: '020 7946 0',
  Leeds: '0113 496 0',
  Sheffield: '0114 496 0',
  Nottingham: '0115 496 0',
  Leicester: '0116 496 0',
  Bristol: '0117 496 0',
  Reading: '0118 496 0',
  Birmingham: '0121 496 0',
  Edinburgh: '0131 496 0',
  Glasgow: '0141 496 0',
  Liverpool: '0151 496 0',
  Manchester: '0161 496 0',
  Sunderland: '0191 498 0',
  Cardiff: '029 2018 0',
}

const ELSEWHERE = '01632 960'

/** An area code for each state; its 555-01xx numbers are not assigned to anybody. */
const AREA_CODES: Record<string, string> = Object.fromEntries(
  (
    'AK907 AL205 AR501 AZ602 CA213 CO303 CT860 DC202 DE302 FL305 GA404 HI808 IA515 ID208 IL312 IN317 ' +
    'KS316 KY502 LA504 MA617 MD410 ME207 MI313 MN612 MO314 MS601 MT406 NC704 ND701 NE402 NH603 NJ201 ' +
    'NM505 NV702 NY212 OH216 OK405 OR503 PA215 PR787 RI401 SC803 SD605 TN615 TX512 UT801 VA804 VT802 ' +
    'WA206 WI414 WV304 WY307'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), entry.slice(2)]),
)

/** A provider's private number, likewise not in use; in the UK a mobile number. */
export function privatePhone(random: Random, region: Region): string {
  if (region === 'uk') return `07700 900${String(random.between(0, 999)).padStart(3, '0')}`
  return phoneFor(random, region, '')
}

/** A phone number that reaches nobody, formatted as is usual in the region. */
export function phoneFor(random: Random, region: Region, locality: string): string {
  if (region === 'uk') {
    const digits = String(random.between(0, 999)).padStart(3, '0')
    return `${DRAMA_NUMBERS[locality] ?? ELSEWHERE}${digits}`
  }
  const code = AREA_CODES[locality.slice(-2)] ?? '202'
  return `(${code}) 555-01${String(random.between(0, 99)).padStart(2, '0')}`
}
