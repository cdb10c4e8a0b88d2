import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { describeFailure } from '#app/lib/errors.ts'
import { useReportUnsaved } from '#app/lib/forms/unsaved-forms.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { trpc } from '#app/trpc.ts'
import {
  type CheckRowsResponse,
  DateOrder,
  IMPORT_BATCH,
  IMPORT_BATCH_CHARS,
  IMPORT_BYTES_MAX,
  IMPORT_ROWS_MAX,
  type ImportRow,
  type Refused,
} from '#contract/imports.ts'

type Step = 'file' | 'columns' | 'checked' | 'done'

export type Checked = Pick<CheckRowsResponse, 'good' | 'first'> & {
  refused: Refused[]
  dates: DateOrder
}
export type Imported = { added: number; updated: number; refused: number }

/** Fields that a column of the file can be mapped to. */
export const FIELDS = ['day', 'start', 'end', 'minutes', 'place', 'label', 'externalId'] as const
export type FieldName = (typeof FIELDS)[number]

/** Position of each field's column, as the value of a select; empty if unmapped. */
type Columns = Record<FieldName, string>

const Mapping = z
  .object({
    start: z.string().check(z.minLength(1, { error: 'Choose the column of the start.' })),
    end: z.string(),
    minutes: z.string(),
    dates: z.enum(DateOrder.options, { error: 'Say how dates are written in this file.' }),
  })
  .check(
    z.refine(({ end, minutes }) => end + minutes !== '', {
      error: 'Choose the column of the end, or of the minutes.',
      path: ['end'],
      // Together with the other errors, not after them.
      when: () => true,
    }),
  )

/**
 * State of an import: read in the browser, validated by the server in a dry run, then imported in batches.
 */
export function useImport() {
  const utils = trpc.useUtils()
  const [step, setStep] = useState<Step>('file')
  const [file, setFile] = useState<{ name: string; table: Table } | null>(null)
  const [checked, setChecked] = useState<Checked | null>(null)
  const [imported, setImported] = useState<Imported>({ added: 0, updated: 0, refused: 0 })
  /** Why the file was not read, or not imported. */
  const [problem, setProblem] = useState<string | null>(null)
  /** Number of rows processed; null while nothing is running. */
  const [progress, setProgress] = useState<number | null>(null)
  /** The columns of the fields, and how dates are written. */
  const form = useForm({
    blank: { ...guessColumns([]), dates: '' },
    schema: Mapping,
    send: async ({ dates }) => {
      const found: Checked = { good: 0, first: null, refused: [], dates }
      found.refused = await inBatches(async (batch) => {
        const answer = await utils.client.imports.check.mutate({ dates, rows: batch })
        found.good += answer.good
        found.first ??= answer.first
        return answer.refused
      })
      return found
    },
    onSent: (found) => {
      setChecked(found)
      setStep('checked')
    },
  })
  const rows = file === null ? [] : rowsOf(file.table, form.values)
  useReportUnsaved(useId(), file !== null && step !== 'done')

  async function pick(picked: File | undefined): Promise<void> {
    if (picked === undefined) return
    setProblem(null)
    if (picked.size > IMPORT_BYTES_MAX) return setProblem('This file is larger than 2 MB.')
    try {
      const table = await readTable(new Uint8Array(await picked.arrayBuffer()))
      if (table.rows.length === 0) return setProblem('There are no rows in this file.')
      if (table.rows.length > IMPORT_ROWS_MAX) {
        return setProblem('This file has more than 5,000 rows. Split it and import each part.')
      }
      setFile({ name: picked.name, table })
      form.reset({ ...guessColumns(table.head), dates: '' })
      setStep('columns')
    } catch {
      setProblem('This file couldn’t be read. Save it as CSV and try again.')
    }
  }

  async function inBatches(send: SendBatch): Promise<Refused[]> {
    setProgress(0)
    try {
      return await sendInBatches(rows, send, setProgress)
    } finally {
      setProgress(null)
    }
  }

  async function run({ dates }: Checked): Promise<void> {
    if (file === null) return
    setProblem(null)
    let importId: string | null = null
    const sum: Imported = { added: 0, updated: 0, refused: 0 }
    try {
      const refused = await inBatches(async (batch) => {
        const input = { importId, name: file.name.slice(0, 200), dates, rows: batch }
        const answer = await utils.client.imports.add.mutate(input)
        importId = answer.importId
        sum.added += answer.added
        sum.updated += answer.updated
        return answer.refused
      })
      sum.refused = refused.length
      setImported(sum)
      setStep('done')
    } catch (error) {
      setProblem(describeFailure(error).sentence)
    }
    await Promise.all([
      utils.imports.list.invalidate(),
      utils.booking.invalidate(),
      utils.availability.invalidate(),
    ])
  }

  function restart(): void {
    setFile(null)
    setProblem(null)
    setStep('file')
  }

  return {
    step,
    file,
    form,
    checked,
    imported,
    problem,
    progress,
    total: rows.length,
    pick,
    run,
    restart,
    back: () => {
      setProblem(null)
      setStep('columns')
    },
  }
}

export type Importing = ReturnType<typeof useImport>

/** Maximum cell lengths in characters that the server accepts. */
const MAX_LENGTHS: Record<FieldName, number> = {
  day: 30,
  start: 60,
  end: 60,
  minutes: 20,
  place: 200,
  label: 200,
  externalId: 200,
}

const NAME_PATTERNS: Record<FieldName, RegExp> = {
  day: /^(start )?(date|day)$/i,
  start: /^(start|begin|from|time|date|day|appointment)/i,
  end: /^(end|finish|until|to$|to )/i,
  minutes: /minute|duration|length/i,
  place: /place|location|clinic|site/i,
  label: /^(?!.*(id|number)$).*(label|name|patient|title|subject|summary|note)/i,
  // A number of the patient would make all their appointments one.
  externalId: /^(?!.*(patient|client|nhs|phone|mobile)).*(^|\W|_)(id|uid|reference|ref|number)$/i,
}

/** Guesses the mapping from the column names; the user confirms it before anything is imported. */
export function guessColumns(head: readonly string[]): Columns {
  const taken = new Set<number>()
  const find = (isOne: (name: string) => boolean) => {
    const at = head.findIndex((name, no) => !taken.has(no) && isOne(name.trim()))
    if (at === -1) return ''
    taken.add(at)
    return String(at)
  }
  const named = (field: FieldName) => find((name) => NAME_PATTERNS[field].test(name))
  // If date and time are in separate columns, the time column is wanted.
  const timed = (field: FieldName) => {
    const at = find((name) => NAME_PATTERNS[field].test(name) && /time/i.test(name))
    return at === '' ? named(field) : at
  }
  const externalId = named('externalId')
  const minutes = named('minutes')
  const end = timed('end')
  const day = named('day')
  const start = timed('start')
  // A lone day column is the start: it may include the time.
  const when = start === '' ? { day: '', start: day } : { day, start }
  return { ...when, end, minutes, place: named('place'), label: named('label'), externalId }
}

/** The rows of a table as request input. */
export function rowsOf({ rows }: Table, columns: Columns): ImportRow[] {
  return rows.map(({ line, cells }) => {
    const cell = (field: FieldName) =>
      (cells[Number(columns[field] || -1)] ?? '').slice(0, MAX_LENGTHS[field])
    const start = cell('start')
    return {
      line,
      start: start === '' ? '' : `${cell('day')} ${start}`.trim().slice(0, MAX_LENGTHS.start),
      end: cell('end'),
      minutes: cell('minutes'),
      place: cell('place'),
      label: cell('label'),
      externalId: cell('externalId'),
    }
  })
}

/** Splits rows into batches within the limits of a request. */
export function batchesOf(rows: readonly ImportRow[]): ImportRow[][] {
  const batches: ImportRow[][] = []
  let chars = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const length = new TextEncoder().encode(JSON.stringify(row)).length
    const last = batches.at(-1)
    if (last === undefined || last.length >= IMPORT_BATCH || chars + length > IMPORT_BATCH_CHARS) {
      batches.push([row])
      chars = length
    } else {
      last.push(row)
      chars += length
    }
  }
  return batches
}

/** Sends one batch; returns the rows that were refused. */
type SendBatch = (batch: ImportRow[]) => Promise<readonly Refused[]>

/**
 * Sends rows in batches and returns those refused. The server finds a repeated id only within a batch; in a
 * later one the row would replace the first, whose time would be free again.
 */
export async function sendInBatches(
  rows: readonly ImportRow[],
  send: SendBatch,
  onProgress: (done: number) => void = () => undefined,
): Promise<Refused[]> {
  const taken = new Set<string>()
  const refused: Refused[] = []
  let done = 0
  for (const batch of batchesOf(rows)) {
    const fresh = batch.filter(({ externalId }) => !taken.has(externalId.trim()))
    const lines = new Map<number, Refused>(
      batch
        .filter((row) => !fresh.includes(row))
        .map(({ line }) => [line, { line, why: 'repeated' }]),
    )
    for (const one of fresh.length > 0 ? await send(fresh) : []) lines.set(one.line, one)
    for (const { line, externalId } of fresh) {
      if (!lines.has(line) && externalId.trim() !== '') taken.add(externalId.trim())
    }
    refused.push(...[...lines.values()].toSorted((a, b) => a.line - b.line))
    done += batch.length
    onProgress(done)
  }
  return refused
}

/** A parsed file; `line` counts from 1. */
type Table = { head: string[]; rows: { line: number; cells: string[] }[] }

/** Detects UTF-16 without a byte order mark: every other byte of Latin text is zero. */
function isUtf16(bytes: Uint8Array, odd: 0 | 1): boolean {
  const sample = bytes.subarray(0, 400)
  const empty = sample.filter((byte, at) => at % 2 === odd && byte === 0).length
  return sample.length > 3 && empty > sample.length / 4
}

/**
 * Decodes a file as written by spreadsheets and practice software: UTF-8, UTF-16, or else Windows-1252, in
 * which almost any byte sequence is valid.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const as = (encoding: string) => new TextDecoder(encoding).decode(bytes)
  if ((first === 0xff && second === 0xfe) || isUtf16(bytes, 1)) return as('utf-16le')
  if ((first === 0xfe && second === 0xff) || isUtf16(bytes, 0)) return as('utf-16be')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return as('windows-1252')
  }
}

/** Replaces control, format and bidirectional characters with spaces. */
function sanitizeCell(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/**
 * Parses a CSV file with any delimiter; its first row names the columns. Empty rows are dropped. The parser
 * is loaded on demand.
 */
export async function readTable(bytes: Uint8Array): Promise<Table> {
  const { default: Papa } = await import('papaparse')
  const text = decodeText(bytes)
  // The delimiter is detected in the header row alone: rows with gaps would mislead the detection.
  const named = Papa.parse<string[]>(text.replace(/[\r\n][^]*$/, ''), { header: false })
  const { data } = Papa.parse<string[]>(text, { header: false, delimiter: named.meta.delimiter })
  const all = data.map((cells, at) => ({ line: at + 1, cells: cells.map(sanitizeCell) }))
  const [head, ...rows] = all.filter(({ cells }) => cells.some((cell) => cell !== ''))
  return { head: head?.cells ?? [], rows }
}
