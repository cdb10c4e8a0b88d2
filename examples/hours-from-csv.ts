import { readFile } from 'node:fs/promises'
import type { Client } from 'apposite/client'
import {
  command,
  connect,
  DONE,
  readArgs,
  runAsProgram,
  STOPPED,
  UsageError,
  WRONG_USE,
} from './command.ts'
import { clock, type FileRow, overlap, readMonthFile, type Stretch } from './month-file.ts'

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

type Mine = Awaited<ReturnType<Client['availability']['mine']['query']>>
type Day = Awaited<ReturnType<Client['availability']['preview']['query']>>['days'][number]
type Kept = Stretch & { id: string }
type Plan = { add: FileRow[]; remove: Kept[]; same: number; problems: string[] }

const isSame = (one: Stretch, other: Stretch) =>
  one.date === other.date &&
  one.from === other.from &&
  one.to === other.to &&
  one.placeId === other.placeId

/** The changes that make the extra dates of the month those of the file. */
function planOf(rows: readonly FileRow[], mine: Mine, days: readonly Day[]): Plan {
  const month = rows[0]?.date.slice(0, 7) ?? ''
  const kept = mine.extraDates.filter(({ date }) => date.startsWith(month))
  const weekly = days.flatMap(({ date, hours }) =>
    hours.filter(({ extra }) => !extra).map((range) => ({ ...range, date })),
  )
  const plan: Plan = { add: [], remove: [], same: 0, problems: [] }
  for (const row of rows) {
    const clash = weekly.find((one) => one.date === row.date && overlap(one, row))
    if (kept.some((one) => isSame(one, row))) plan.same += 1
    else if (clash === undefined) plan.add.push(row)
    else if (isSame(clash, row)) plan.same += 1
    else {
      const theirs = `${clock(clash.from)} to ${clock(clash.to)}`
      plan.problems.push(
        `line ${row.line}: Your weekly hours on ${row.date} are ${theirs} already.`,
      )
    }
  }
  plan.remove = kept.filter((one) => !rows.some((row) => isSame(one, row)))
  return plan
}

function sayStretch({ date, from, to, placeId }: Stretch, { places }: Mine): string {
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

type Change = { saved: boolean; conflicts: { id: string }[]; mine: Mine }
type Write = (version: number, confirmed: string[] | undefined) => Promise<Change>

/** Applies one change after the other; null when visits are affected that nobody has confirmed. */
async function doAll(writes: readonly Write[], mine: Mine, isConfirmed: boolean) {
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

function writesOf({ availability }: Client, { add, remove }: Plan): Write[] {
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
export const hoursFromCsv = command(HELP, async (args, around) => {
  const { has, words } = readArgs(args, {
    write: { type: 'boolean' },
    confirm: { type: 'boolean' },
  })
  const [path, ...others] = words
  if (path === undefined || others.length > 0) throw new UsageError('Name one file.')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`'${path}' could not be read.`)
  })
  const client = connect(around, 'a token')
  const mine = await client.availability.mine.query()
  const file = readMonthFile(text, mine)
  const refuse = (problems: readonly string[]) => {
    for (const problem of problems) around.complain(problem)
    around.complain('Nothing was written.')
    return WRONG_USE
  }
  if (file.problems.length > 0) return refuse(file.problems)
  const first = `${file.month}-01`
  const from = first < mine.today ? mine.today : first
  const { days } = await client.availability.preview.query({ from, days: 31 })
  const plan = planOf(file.rows, mine, days)
  if (plan.problems.length > 0) return refuse(plan.problems)

  for (const one of plan.remove) around.print(`- ${sayStretch(one, mine)}`)
  for (const one of plan.add) around.print(`+ ${sayStretch(one, mine)}`)
  around.print(
    `${plan.add.length} to add, ${plan.remove.length} to remove, ${plan.same} as they are.`,
  )
  const hit = days.filter(
    ({ date, booked }) => booked > 0 && plan.remove.some((one) => one.date === date),
  )
  for (const { date, booked } of hit) {
    around.print(`${booked === 1 ? '1 visit is' : `${booked} visits are`} booked on ${date}.`)
  }
  if (!has('write')) {
    around.print('Nothing was written. Add --write to do it.')
    return DONE
  }
  if (hit.length > 0 && !has('confirm')) {
    around.complain('Nothing was written. Add --confirm to go on; booked visits stay booked.')
    return STOPPED
  }
  const { done, isWhole } = await doAll(writesOf(client, plan), mine, has('confirm'))
  if (isWhole) {
    around.print('Done.')
    return DONE
  }
  around.complain(`Stopped after ${done} changes: a visit was booked meanwhile. Run this again.`)
  return STOPPED
})

await runAsProgram(import.meta.main, hoursFromCsv)
