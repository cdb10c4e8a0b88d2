import type { SaveHoursInput } from '#contract/availability.ts'
import { dayNumber } from '#contract/time.ts'
import { isCalendarDate } from '#server/availability/rules.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Rules } from './hours-rules.ts'
import { assertHours } from './input-rules.ts'
import { type Mine, placeNoOf } from './read-mine.ts'

type Draft = Pick<SaveHoursInput, 'settings' | 'hours'>

/**
 * The rules as they would be with these settings and weekly hours; extra dates and absences stay.
 * Refuses what could not be saved.
 */
export function withDraft(mine: Mine, { settings, hours }: Draft): Rules {
  const { rotation, ...rest } = settings
  if (!isCalendarDate(rotation.from)) throw new AppError('date_invalid')
  const after: Rules = {
    ...mine.rules,
    ...rest,
    rotationWeeks: rotation.weeks,
    rotationFrom: dayNumber(rotation.from),
    hours: hours.map(({ placeId, ...range }) => ({ ...range, placeNo: placeNoOf(mine, placeId) })),
  }
  assertHours(mine, after)
  return after
}
