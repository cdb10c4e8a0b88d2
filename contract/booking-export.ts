import * as z from 'zod/mini'

/** Where a provider's own visits are downloaded as a file. */
export const VISITS_EXPORT_PATH = '/download/own-visits'

/** Where a provider's own hours are downloaded as a file. */
export const HOURS_EXPORT_PATH = '/download/own-hours'

/** Most visits in one file. */
export const VISITS_EXPORT_MAX = 20_000

/** Most visits in a calendar file, which other programs read in one go. */
export const CALENDAR_EXPORT_MAX = 4_000

const day = z.optional(z.iso.date({ error: 'date_invalid' }))

export const ExportVisitsInput = z.strictObject({
  /** First day, at the main place; defaults to today. */
  from: day,
  /** Last day, inclusive; defaults to four weeks after the first. */
  to: day,
  format: z._default(z.enum(['csv', 'ics']), 'csv'),
})
export type ExportVisitsInput = z.infer<typeof ExportVisitsInput>

export const ExportHoursInput = z.strictObject({})
