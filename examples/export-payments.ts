import { existsSync } from 'node:fs'
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises'
import type { Client } from 'apposite/client'
import {
  command,
  connect,
  csvLine,
  EXIT_FAILED,
  EXIT_OK,
  readArgs,
  readCsv,
  runAsProgram,
  UsageError,
} from './command.ts'

const HELP = `Writes the payments of one month into a file of comma-separated values.

  npm run example -- examples/export-payments.ts
  npm run example -- examples/export-payments.ts --month 2026-03 --out march.csv
  npm run example -- examples/export-payments.ts --staff

  --month YYYY-MM   the month of the visits; the one of yesterday when left out
  --out FILE        payments-YYYY-MM.csv when left out
  --staff           everybody's, for a token of staff; names as far as the role sees them

A provider's token needs payments:read, one of staff staff-payments:read, in APPOSITE_TOKEN.
Meant for every night: the file is replaced once all of it is there. What was fetched when it was
interrupted is in FILE.part and is not fetched again within six hours.
Ends with 0 when the file is written, 2 when called wrongly, else 1.`

const HEADER = [
  'id',
  'date',
  'start_time',
  'patient',
  'provider',
  'amount',
  'currency',
  'payment_method',
  'state',
  'refunded',
]

/** Rows on a page, as reported by the server. */
const PAGE_ROWS = 5
const STALE_MS = 6 * 3_600_000

const MONTHS = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'] as const

type Month = { year: number; month: (typeof MONTHS)[number] }
type Filters = Month & { page: number; sort: 'asc' }

type Rows = Awaited<ReturnType<Client['payments']['providerHistory']['query']>>

function readMonth(text: string): Month {
  const [, year, digits] = /^(\d{4})-(\d{2})$/.exec(text) ?? []
  const month = MONTHS.find((one) => one === digits)
  if (year === undefined || month === undefined) {
    throw new UsageError('--month is a year and a month, such as 2026-03.')
  }
  return { year: Number(year), month }
}

function monthOfYesterday(now: number): string {
  return new Date(now - 24 * 3_600_000).toISOString().slice(0, 7)
}

/** `12.30`: money as spreadsheets read it. */
function decimalAmount(money: { minor: number } | null): string {
  return money === null ? '' : (money.minor / 100).toFixed(2)
}

function lineOf(row: Rows['appointments'][number]): string {
  return csvLine([
    row.id,
    row.date ?? '',
    row.start_time ?? '',
    row.user_name ?? '',
    row.doctor_name ?? '',
    decimalAmount(row.amount),
    row.amount?.currency ?? '',
    row.payment_method ?? '',
    row.state,
    decimalAmount(row.refunded),
  ])
}

/** Ids of the rows an interrupted run has fetched; a half-written last line is dropped. */
async function fetchedIds(part: string, now: number): Promise<string[]> {
  if (!existsSync(part) || now - (await stat(part)).mtimeMs > STALE_MS) return []
  const text = await readFile(part, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\r\n') + 2)
  const [header, ...rows] = readCsv(whole)
  if (header?.cells.join() !== HEADER.join()) return []
  if (whole !== text) await writeFile(part, whole)
  return rows.map(({ cells }) => cells[0] ?? '')
}

type Fetch = (filters: Filters) => Promise<Rows>

/** Fetches page by page into `part`; false when the list changed under the pages. */
async function fetchInto(
  part: string,
  fetched: readonly string[],
  { ask, month }: { ask: Fetch; month: Month },
): Promise<number | null> {
  const known = new Set(fetched)
  if (known.size === 0) await writeFile(part, csvLine(HEADER))
  const file = await open(part, 'a')
  try {
    for (let page = Math.floor(known.size / PAGE_ROWS) + 1; ; page += 1) {
      const { appointments, total, total_pages } = await ask({ ...month, page, sort: 'asc' })
      const fresh = appointments.filter(({ id }) => !known.has(id))
      await file.appendFile(fresh.map(lineOf).join(''))
      for (const { id } of fresh) known.add(id)
      if (page >= total_pages) {
        await file.sync()
        return known.size === total ? total : null
      }
    }
  } finally {
    await file.close()
  }
}

/** Writes a month of payments to a file that is either complete or absent. */
export const exportPayments = command(HELP, async (args, context) => {
  const { text, has } = readArgs(args, {
    month: { type: 'string' },
    out: { type: 'string' },
    staff: { type: 'boolean' },
  })
  const now = Date.now()
  const named = text('month') ?? monthOfYesterday(now)
  const month = readMonth(named)
  const out = text('out') ?? `payments-${named}.csv`
  const part = `${out}.part`
  const { payments } = connect(context, 'a token')
  const ask: Fetch = (filters) =>
    has('staff') ? payments.staffHistory.query(filters) : payments.providerHistory.query(filters)
  const kept = await fetchedIds(part, now)
  if (kept.length > 0) context.print(`Going on after ${kept.length} payments fetched before.`)
  // A booking or cancellation meanwhile: the fetched pages are inconsistent.
  const total =
    (await fetchInto(part, kept, { ask, month })) ?? (await fetchInto(part, [], { ask, month }))
  if (total === null) {
    context.printError('The payments changed while they were fetched. Run this again.')
    return EXIT_FAILED
  }
  await rename(part, out)
  context.print(`${total} ${total === 1 ? 'payment' : 'payments'} of ${named} in ${out}.`)
  return EXIT_OK
})

await runAsProgram(import.meta.main, exportPayments)
