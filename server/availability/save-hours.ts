import type { ChangeAnswer, SaveHoursInput } from '#contract/availability.ts'
import { toFlag } from '#db/columns.ts'
import type { Context } from '#server/context.ts'
import { changeRules } from './change-rules.ts'
import { withDraft } from './draft-rules.ts'
import { replaceHours, updateSchedule } from './schedule-store.ts'

/** Puts the weekly hours and settings given in the place of all there are. */
export function saveHours(ctx: Context, input: SaveHoursInput): Promise<ChangeAnswer> {
  return changeRules(ctx, {
    input,
    audit: { action: 'availability.hours_saved', details: { ranges: input.hours.length } },
    plan: (mine) => {
      const after = withDraft(mine, input)
      return {
        after,
        write: async (db, { owner }) => {
          await updateSchedule(db, owner.no, {
            notice_minutes: after.noticeMinutes,
            horizon_days: after.horizonDays,
            buffer_minutes: after.bufferMinutes,
            closed_on_holidays: toFlag(after.closedOnHolidays),
            rotation_weeks: after.rotationWeeks,
            rotation_from: input.settings.rotation.from,
          })
          await replaceHours(
            db,
            owner.no,
            after.hours.map(({ placeNo, week, weekday, from, to }) => ({
              provider_no: owner.no,
              place_no: placeNo,
              week,
              weekday,
              from_minute: from,
              to_minute: to,
            })),
          )
        },
      }
    },
  })
}
