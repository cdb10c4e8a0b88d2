import { readCsv } from './csv.ts'

/** A stretch of hours on one day; minutes after midnight on the clock of the place. */
export type Stretch = { date: string; from: number; to: number; placeId: string }

export type FileRow = Stretch & { line: number }

/** What the rows of a file are checked against. */
export type Practice = {
  today: string
  consultationMinutes: number
  places: readonly { id: string; name: string }[]
}

/** `problems` are sentences that begin with the line they are about. */
export type MonthFile = { month: string; rows: FileRow[]; problems: string[] }

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
export function clock(minutes: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Whether two stretches of the same day share time. */
export function overlap(one: Pick<Stretch, 'from' | 'to'>, other: typeof one): boolean {
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
export function readMonthFile(text: string, practice: Practice): MonthFile {
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
