import { dateFormat } from '#contract/intl.ts'

/** "12 Feb 2026" or "Feb 12, 2026" for a calendar day, as people of the region write it. */
export function formatFullDate(date: string, region: 'uk' | 'usa'): string {
  return dateFormat(region === 'uk' ? 'en-GB' : 'en-US', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(new Date(`${date}T12:00:00Z`))
}
