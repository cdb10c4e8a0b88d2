import { clockText, dateOfDay } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { BYTE_ORDER_MARK, csvLine, type ExportFile } from '#server/kernel/export-file.ts'
import {
  getOwner,
  getOwnSchedule,
  loadAvailability,
  type OwnSchedule,
} from './read-availability.ts'

const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

const HEADER = csvLine(['Kind', 'Week', 'Day', 'From', 'To', 'Until', 'Place', 'Note'])

type ShownHours = Awaited<ReturnType<typeof loadAvailability>>

/** Hours, extra dates, time off and blocks, one line each, in local time at the place. */
function* linesOf({
  hours,
  extraDates,
  absences,
  blocks,
  places,
}: ShownHours): Generator<string, void> {
  const nameOf = (id: string | null) => places.find((one) => one.id === id)?.name ?? ''
  yield BYTE_ORDER_MARK + HEADER
  for (const { week, weekday, from, to, placeId } of hours) {
    const day = WEEKDAYS[weekday - 1] ?? ''
    const times = [clockText(from), clockText(to)]
    yield csvLine(['Weekly hours', String(week), day, ...times, '', nameOf(placeId), ''])
  }
  for (const { date, from, to, placeId, note } of extraDates) {
    const times = [clockText(from), clockText(to)]
    yield csvLine(['Extra date', '', date, ...times, '', nameOf(placeId), note])
  }
  for (const { from, to, placeId, note } of absences) {
    yield csvLine(['Time off', '', from, '', '', to, nameOf(placeId), note])
  }
  for (const { date, weekly, until, from, to, note } of blocks) {
    const kind = weekly ? 'Weekly block' : 'Block'
    yield csvLine([kind, '', date, clockText(from), clockText(to), until ?? '', '', note])
  }
}

// oxlint-disable-next-line typescript/require-await -- a file is read as it is sent, this one at once
async function* textOf(shown: ShownHours): AsyncGenerator<string, void> {
  yield [...linesOf(shown)].join('')
}

/** The viewer's hours, extra dates, time off and blocks as CSV. The export is audited. */
export async function exportHours(ctx: Context): Promise<ExportFile> {
  const { db } = ctx.database
  const owner = await getOwner(ctx, db)
  const mine: OwnSchedule = await getOwnSchedule(db, owner, ctx.now())
  await ctx.record({ action: 'availability.exported', entity: owner.id })
  return {
    fileName: `hours-${dateOfDay(mine.today)}.csv`,
    text: textOf(await loadAvailability(db, mine)),
  }
}
