import { readFile } from 'node:fs/promises'
import type { Client } from 'apposite/client'
import {
  command,
  connect,
  EXIT_OK,
  EXIT_STOPPED,
  EXIT_USAGE,
  readArgs,
  readCsv,
  runAsProgram,
  UsageError,
} from './command.ts'

/** A range of hours on one day; minutes after midnight in the local time of the place. */
type Stretch = { date: string; from: number; to: number; placeId: string }

type FileRow = Stretch & { line: number }

/** What the rows of a file are checked against. */
type Practice = {
  today: string
  consultationMinutes: number
  places: readonly { id: string; name: string }[]
}

/** `problems` are sentences that begin with the line they are about. */
type MonthFile = { month: string; rows: FileRow[]; problems: string[] }

const COLUMNS = ['date', 'from', 'to', 'place']

/** Minutes after midnight of `09:30`, `24:00` included; null when it is not a time. */
function minutesOf(text: string): number | null {
  const parts = /^([01]\d|2[0-4]):([0-5]\d)$/.exec(text)
  const minutes = Number(parts?.[1]) * 60 + Number(parts?.[2])
  return parts === null || minutes > 1_440 ? null : minutes
}

function isRealDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Minutes after midnight as `09:30`. */
function clock(minutes: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Whether two ranges of the same day overlap. */
function overlap(one: Pick<Stretch, 'from' | 'to'>, other: typeof one): boolean {
  return one.from < other.to && other.from < one.to
}

function placeOf({ places }: Practice, name: string): string | undefined {
  if (name === '') return places[0]?.id
  return places.find((place) => place.name.toLowerCase() === name.toLowerCase())?.id
}

function readRow(practice: Practice, cells: readonly string[]): Stretch | string {
  const [date = '', fromText = '', toText = '', place = ''] = cells.map((cell) => cell.trim())
  if (!isRealDate(date)) return `'${date}' is no real date; write it like 2026-04-06.`
  if (date < practice.today) return `${date} is over.`
  const from = minutesOf(fromText)
  const to = minutesOf(toText)
  if (from === null) return `'${fromText}' is no time; write it like 09:00.`
  if (to === null) return `'${toText}' is no time; write it like 17:30.`
  if (to <= from) return `The end ${toText} is not after the start ${fromText}.`
  if (to - from < practice.consultationMinutes) {
    return `${fromText} to ${toText} is shorter than a visit of ${practice.consultationMinutes} minutes.`
  }
  const placeId = placeOf(practice, place)
  return placeId === undefined
    ? `You have no place called '${place}'.`
    : { date, from, to, placeId }
}

/** Reads and checks a whole file; it must not be used while it has problems. */
function readMonthFile(text: string, practice: Practice): MonthFile {
  const [header, ...lines] = readCsv(text)
  const named = header?.cells.map((cell) => cell.trim().toLowerCase()).join()
  if (named !== COLUMNS.join() && named !== COLUMNS.slice(0, 3).join()) {
    return {
      month: '',
      rows: [],
      problems: ['line 1: The first line names the columns: date,from,to or date,from,to,place.'],
    }
  }
  const rows: FileRow[] = []
  const problems: string[] = []
  for (const { line, cells } of lines) {
    const row = readRow(practice, cells)
    if (typeof row === 'string') {
      problems.push(`line ${line}: ${row}`)
      continue
    }
    const [first] = rows
    const other = rows.find((one) => one.date === row.date && overlap(one, row))
    if (first !== undefined && first.date.slice(0, 7) !== row.date.slice(0, 7)) {
      problems.push(`line ${line}: ${row.date} is in another month than line ${first.line}.`)
    } else if (other !== undefined) problems.push(`line ${line}: Overlaps with line ${other.line}.`)
    else rows.push({ ...row, line })
  }
  if (rows.length === 0 && problems.length === 0) problems.push('line 1: The file has no hours.')
  return { month: rows[0]?.date.slice(0, 7) ?? '', rows, problems }
}

const HELP = `Sets a provider's hours for a month from a file of comma-separated values.

  npm run example -- examples/hours-from-csv.ts april.csv
  npm run example -- examples/hours-from-csv.ts april.csv --write

  date,from,to,place
  2026-04-06,09:00,12:30,Riverside Family Practice
  2026-04-06,13:30,17:00,Riverside Family Practice

  --write     without it nothing is written: only the difference is shown
  --confirm   go on although visits are booked in hours that go; they stay booked

The column place may be left out: the main place. The extra dates of the month become those of the
file: missing ones are added, others removed. Weekly hours stay, and lines that say the same count
as done. One wrong line, and nothing is written. Running it twice does nothing twice.
A token with availability:write is read from APPOSITE_TOKEN.
Ends with 0 when done, 3 when --confirm is needed, 2 for a wrong file or call, else 1.`

type Availability = Awaited<ReturnType<Client['availability']['mine']['query']>>
type Day = Awaited<ReturnType<Client['availability']['preview']['query']>>['days'][number]
type SavedStretch = Stretch & { id: string }
type Plan = { add: FileRow[]; remove: SavedStretch[]; same: number; problems: string[] }

const isSame = (one: Stretch, other: Stretch) =>
  one.date === other.date &&
  one.from === other.from &&
  one.to === other.to &&
  one.placeId === other.placeId

/** The changes that make the extra dates of the month those of the file. */
function planOf(rows: readonly FileRow[], mine: Availability, days: readonly Day[]): Plan {
  const month = rows[0]?.date.slice(0, 7) ?? ''
  const saved = mine.extraDates.filter(({ date }) => date.startsWith(month))
  const weekly = days.flatMap(({ date, hours }) =>
    hours.filter(({ extra }) => !extra).map((range) => ({ ...range, date })),
  )
  const plan: Plan = { add: [], remove: [], same: 0, problems: [] }
  for (const row of rows) {
    const clash = weekly.find((one) => one.date === row.date && overlap(one, row))
    if (saved.some((one) => isSame(one, row))) plan.same += 1
    else if (clash === undefined) plan.add.push(row)
    else if (isSame(clash, row)) plan.same += 1
    else {
      const theirs = `${clock(clash.from)} to ${clock(clash.to)}`
      plan.problems.push(
        `line ${row.line}: Your weekly hours on ${row.date} are ${theirs} already.`,
      )
    }
  }
  plan.remove = saved.filter((one) => !rows.some((row) => isSame(one, row)))
  return plan
}

function formatStretch({ date, from, to, placeId }: Stretch, { places }: Availability): string {
  const place = places.find(({ id }) => id === placeId)
  return `${date} ${clock(from)} to ${clock(to)}, ${place?.name ?? 'a place you gave up'}`
}

/** Groups rows with the same hours at the same place, as one call takes them. */
function groupsOf(rows: readonly FileRow[]): { first: FileRow; dates: string[] }[] {
  const groups = Map.groupBy(rows, ({ from, to, placeId }) => `${from} ${to} ${placeId}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [{ first, dates: group.map(({ date }) => date) }]
  })
}

type Change = { saved: boolean; conflicts: { id: string }[]; mine: Availability }
type Write = (version: number, confirmed: string[] | undefined) => Promise<Change>

/** Applies one change after the other; null when visits are affected that nobody has confirmed. */
async function applyAll(writes: readonly Write[], mine: Availability, isConfirmed: boolean) {
  let { version } = mine
  let done = 0
  for (const write of writes) {
    let change = await write(version, undefined)
    if (!change.saved && isConfirmed) {
      change = await write(
        change.mine.version,
        change.conflicts.map(({ id }) => id),
      )
    }
    if (!change.saved) return { done, isWhole: false }
    version = change.mine.version
    done += 1
  }
  return { done, isWhole: true }
}

function changesOf({ availability }: Client, { add, remove }: Plan): Write[] {
  const more = (confirmed: string[] | undefined) => (confirmed === undefined ? {} : { confirmed })
  return [
    ...remove.map(
      ({ id }): Write =>
        (version, confirmed) =>
          availability.removeDate.mutate({ version, id, ...more(confirmed) }),
    ),
    ...groupsOf(add).map(
      ({ first: { from, to, placeId }, dates }): Write =>
        (version, confirmed) =>
          availability.addDates.mutate({ version, placeId, dates, from, to, ...more(confirmed) }),
    ),
  ]
}

/** Shows, and with `--write` makes, the difference between a file and the provider's month. */
export const hoursFromCsv = command(HELP, async (args, context) => {
  const { has, words } = readArgs(args, {
    write: { type: 'boolean' },
    confirm: { type: 'boolean' },
  })
  const [path, ...others] = words
  if (path === undefined || others.length > 0) throw new UsageError('Name one file.')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`'${path}' could not be read.`)
  })
  const client = connect(context, 'a token')
  const mine = await client.availability.mine.query()
  const file = readMonthFile(text, mine)
  const refuse = (problems: readonly string[]) => {
    for (const problem of problems) context.printError(problem)
    context.printError('Nothing was written.')
    return EXIT_USAGE
  }
  if (file.problems.length > 0) return refuse(file.problems)
  const first = `${file.month}-01`
  const from = first < mine.today ? mine.today : first
  const { days } = await client.availability.preview.query({ from, days: 31 })
  const plan = planOf(file.rows, mine, days)
  if (plan.problems.length > 0) return refuse(plan.problems)

  for (const one of plan.remove) context.print(`- ${formatStretch(one, mine)}`)
  for (const one of plan.add) context.print(`+ ${formatStretch(one, mine)}`)
  context.print(
    `${plan.add.length} to add, ${plan.remove.length} to remove, ${plan.same} as they are.`,
  )
  const hit = days.filter(
    ({ date, booked }) => booked > 0 && plan.remove.some((one) => one.date === date),
  )
  for (const { date, booked } of hit) {
    context.print(`${booked === 1 ? '1 visit is' : `${booked} visits are`} booked on ${date}.`)
  }
  if (!has('write')) {
    context.print('Nothing was written. Add --write to do it.')
    return EXIT_OK
  }
  if (hit.length > 0 && !has('confirm')) {
    context.printError('Nothing was written. Add --confirm to go on; booked visits stay booked.')
    return EXIT_STOPPED
  }
  const { done, isWhole } = await applyAll(changesOf(client, plan), mine, has('confirm'))
  if (isWhole) {
    context.print('Done.')
    return EXIT_OK
  }
  context.printError(`Stopped after ${done} changes: a visit was booked meanwhile. Run this again.`)
  return EXIT_STOPPED
})

await runAsProgram(import.meta.main, hoursFromCsv)
