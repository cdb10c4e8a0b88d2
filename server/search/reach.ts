import { LANGUAGES } from '#contract/languages.ts'
import type { FilterRemoval, SearchFilters } from '#contract/search.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { specialties, specialtyBySlug } from '#db/reference/specialties.ts'
import { endOfDayAfter } from '#server/availability/rules.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Centre } from './centre.ts'
import { type Area, totalOf, widen } from './matches.ts'
import type { Count, Narrowing } from './matches-store.ts'
import { filtersSet, isTooFew, languageBits, radiiToTry, wantedFeatures } from './rules.ts'

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
function narrowingOf(
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
    now,
  }
}

/** The area that answers a search, how many it holds, and which filters leave it so empty. */
export type Reach = Area & Count & { removals: FilterRemoval[] }

type Asked = { filters: SearchFilters; centre: Pick<Centre, 'point' | 'timeZone'>; now: Instant }

/** What each removal of one filter would find within `radius` miles: only those that find more. */
async function removalsOf(
  db: Db,
  { filters, centre, now }: Asked,
  { radius, total }: { radius: number; total: number },
): Promise<FilterRemoval[]> {
  const removals: FilterRemoval[] = []
  for (const filter of filtersSet(filters)) {
    const without = { ...filters, [filter]: undefined }
    const narrowing = narrowingOf(without, { now, timeZone: centre.timeZone })
    const found = await totalOf(db, { centre: centre.point, radius, narrowing })
    if (found.total > total) removals.push({ filter, total: found.total })
  }
  return removals.toSorted((a, b) => b.total - a.total)
}

/**
 * How far a search goes. Where filters leave too few within the radius asked for and a removal of one
 * would help, it stays there and says what each removal would find; else it widens step by step.
 */
export async function reachOf(db: Db, asked: Asked): Promise<Reach> {
  const { filters, centre, now } = asked
  const narrowing = narrowingOf(filters, { now, timeZone: centre.timeZone })
  const area = { centre: centre.point, narrowing }
  const [nearest, ...wider] = radiiToTry(filters)
  const near = await widen(db, { ...area, radii: [nearest ?? filters.radius] })
  if (!isTooFew(near.total)) return { ...area, ...near, removals: [] }
  const removals = await removalsOf(db, asked, near)
  if (removals.length > 0 || wider.length === 0) return { ...area, ...near, removals }
  const reached = await widen(db, { ...area, radii: wider })
  const isFew = isTooFew(reached.total)
  return { ...area, ...reached, removals: isFew ? await removalsOf(db, asked, reached) : [] }
}
