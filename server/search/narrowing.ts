import { LANGUAGES } from '#contract/languages.ts'
import type { SearchFilters } from '#contract/search.ts'
import type { Instant } from '#db/columns.ts'
import { specialties, specialtyBySlug } from '#db/reference/specialties.ts'
import { bookableFrom } from '#server/availability/hours/hours-rules.ts'
import { endOfDayAfter } from '#server/availability/rules.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Narrowing } from './matches-store.ts'
import { languageBits, wantedFeatures } from './rules.ts'

const everySpecialty = specialties.map(({ no }) => no)

/** Days after today that still count, by the calendar of the place searched. */
const DAYS_AHEAD = { today: 0, '3': 3, '14': 14 } as const

function specialtyNos(slug: string | undefined): readonly number[] {
  if (slug === undefined) return everySpecialty
  const specialty = specialtyBySlug(slug)
  if (specialty === undefined) throw new AppError('specialty_unknown')
  return [specialty.no]
}

/** The filters of a search as the index asks for them. */
export function narrowingOf(
  filters: SearchFilters,
  { now, timeZone }: { now: Instant; timeZone: string },
): Narrowing {
  const { available, fee_max: feeMax, language } = filters
  return {
    specialtyNos: specialtyNos(filters.specialty),
    features: wantedFeatures(filters),
    languages: language === undefined ? 0 : languageBits(LANGUAGES.filter((l) => l === language)),
    feeMax: feeMax === undefined ? null : feeMax * 100,
    freeBefore:
      available === undefined ? null : endOfDayAfter(timeZone, now, DAYS_AHEAD[available]),
    from: bookableFrom(now),
  }
}
