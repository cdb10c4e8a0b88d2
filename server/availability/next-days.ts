import type { FreeDay } from '#contract/search.ts'
import { DAY_MS, toIso } from '#contract/time.ts'
import { type Instant, NEVER } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { byClinicDay, type DayGroup } from './rules.ts'
import { listFreeTimes } from './store.ts'

/** A provider, the zone to show times in, and when the first free time was last seen. */
export type Clinic = { providerNo: number; timeZone: string; nextFree: Instant }

export type NextDays = { nextFree: Instant | null; days: FreeDay[] }

const DAYS_SHOWN = 2
const TIMES_SHOWN = 4

/** From the first free time over a long weekend: nearly always holds two days with times. */
const FIRST_LOOK = 4 * DAY_MS

function asNextDays(groups: readonly DayGroup[]): NextDays {
  const first = groups[0]?.instants[0]
  return {
    nextFree: first ?? null,
    days: groups.slice(0, DAYS_SHOWN).map(({ day, instants }) => ({
      date: day.date,
      slots: instants.slice(0, TIMES_SHOWN).map((instant) => ({ startsAt: toIso(instant) })),
      more: Math.max(0, instants.length - TIMES_SHOWN),
    })),
  }
}

/** Whether two whole days are in what was read up to `until`, so that their counts are exact. */
function isSettled(groups: readonly DayGroup[], until: Instant): boolean {
  const second = groups[DAYS_SHOWN - 1]
  return second !== undefined && second.day.end <= until
}

/**
 * The first two days with free times of each provider, in one statement for all; the few whose
 * second day lies further off take another one.
 */
export async function nextDays(
  db: Db,
  now: Instant,
  clinics: readonly Clinic[],
): Promise<Map<number, NextDays>> {
  const answer = new Map<number, NextDays>()
  const further: Clinic[] = []
  const looks = clinics.map(({ providerNo, nextFree }) => ({
    providerNo,
    from: now,
    until: (nextFree === NEVER ? now : Math.max(now, nextFree)) + FIRST_LOOK,
  }))
  const found = await listFreeTimes(db, looks)
  for (const [n, clinic] of clinics.entries()) {
    const groups = byClinicDay(clinic.timeZone, found.get(clinic.providerNo) ?? [])
    const hasNone = groups.length === 0 && clinic.nextFree === NEVER
    if (hasNone || isSettled(groups, looks[n]?.until ?? now)) {
      answer.set(clinic.providerNo, asNextDays(groups))
    } else {
      further.push(clinic)
    }
  }
  const rest = await listFreeTimes(
    db,
    further.map(({ providerNo }) => ({ providerNo, from: now, until: NEVER })),
  )
  for (const { providerNo, timeZone } of further) {
    answer.set(providerNo, asNextDays(byClinicDay(timeZone, rest.get(providerNo) ?? [])))
  }
  return answer
}
