import { useId, useMemo, useState } from 'react'
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
import { guessColumns, orderIn, rowsOf } from './columns.ts'
import { readTable, type Table } from './read-table.ts'

type Step = 'file' | 'columns' | 'checked' | 'done'

export type Checked = Pick<CheckRowsResponse, 'good' | 'first'> & {
  refused: Refused[]
  dates: DateOrder | undefined
}
export type Imported = { added: number; updated: number; refused: number }

const Mapping = z
  .object({
    start: z.string().check(z.minLength(1, { error: 'Choose the column of the start.' })),
    end: z.string(),
    minutes: z.string(),
    dates: z.enum([...DateOrder.options, 'clear'], {
      error: 'Say how dates are written in this file.',
    }),
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
    toInput: (values) => {
      const order = orderIn(file?.table, values)
      return { ...values, dates: order === 'ask' ? values.dates : (order ?? 'clear') }
    },
    send: async ({ dates: chosen }) => {
      const dates = chosen === 'clear' ? undefined : chosen
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
  const { values } = form
  const rows = useMemo(() => (file === null ? [] : rowsOf(file.table, values)), [file, values])
  const order = useMemo(() => orderIn(file?.table, values), [file, values])
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
    order,
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
