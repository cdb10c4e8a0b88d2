import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import {
  type CheckRowsResponse,
  type DateOrder,
  IMPORT_BYTES_MAX,
  IMPORT_ROWS_MAX,
  type ImportRow,
  type Refused,
} from '#contract/imports.ts'
import { batchesOf, type Columns, guessColumns, rowsOf } from './columns.ts'
import { readTable, type Table } from './read-table.ts'

type Step = 'file' | 'columns' | 'checked' | 'done'

export type Checked = Pick<CheckRowsResponse, 'good' | 'first'> & { refused: Refused[] }
export type Imported = { added: number; updated: number; refused: number }

const EMPTY: Checked = { good: 0, first: null, refused: [] }

/**
 * State of an import: read in the browser, validated by the server in a dry run, then imported in batches.
 */
export function useImport() {
  const utils = trpc.useUtils()
  const [step, setStep] = useState<Step>('file')
  const [file, setFile] = useState<{ name: string; table: Table } | null>(null)
  const [columns, setColumns] = useState<Columns>(guessColumns([]))
  const [dates, setDates] = useState<DateOrder | null>(null)
  const [checked, setChecked] = useState<Checked>(EMPTY)
  const [imported, setImported] = useState<Imported>({ added: 0, updated: 0, refused: 0 })
  const [problem, setProblem] = useState<string | null>(null)
  /** Number of rows processed; null while nothing is running. */
  const [progress, setProgress] = useState<number | null>(null)

  const rows = file === null ? [] : rowsOf(file.table, columns)

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
      setColumns(guessColumns(table.head))
      setDates(null)
      setStep('columns')
    } catch {
      setProblem('This file could not be read. Save it as CSV and try again.')
    }
  }

  async function inBatches(work: (batch: ImportRow[]) => Promise<void>): Promise<boolean> {
    setProblem(null)
    setProgress(0)
    try {
      let done = 0
      for (const batch of batchesOf(rows)) {
        await work(batch)
        done += batch.length
        setProgress(done)
      }
      return true
    } catch (error) {
      setProblem(describeFailure(error).sentence)
      return false
    } finally {
      setProgress(null)
    }
  }

  async function check(): Promise<void> {
    if (columns.start === -1) return setProblem('Choose the column of the start.')
    if (columns.end === -1 && columns.minutes === -1) {
      return setProblem('Choose the column of the end, or of the minutes.')
    }
    if (dates === null) return setProblem('Say how dates are written in this file.')
    let found = EMPTY
    const isChecked = await inBatches(async (batch) => {
      const answer = await utils.client.imports.check.mutate({ dates, rows: batch })
      found = {
        good: found.good + answer.good,
        first: found.first ?? answer.first,
        refused: [...found.refused, ...answer.refused],
      }
    })
    if (!isChecked) return
    setChecked(found)
    setStep('checked')
  }

  async function run(): Promise<void> {
    if (file === null || dates === null) return
    let importId: string | null = null
    let sum: Imported = { added: 0, updated: 0, refused: 0 }
    const isDone = await inBatches(async (batch) => {
      const input = { importId, name: file.name.slice(0, 200), dates, rows: batch }
      const answer = await utils.client.imports.add.mutate(input)
      importId = answer.importId
      sum = {
        added: sum.added + answer.added,
        updated: sum.updated + answer.updated,
        refused: sum.refused + answer.refused.length,
      }
    })
    await Promise.all([utils.imports.list.invalidate(), utils.availability.invalidate()])
    if (!isDone) return
    setImported(sum)
    setStep('done')
  }

  function restart(): void {
    setFile(null)
    setProblem(null)
    setStep('file')
  }

  return {
    step,
    file,
    columns,
    dates,
    checked,
    imported,
    problem,
    progress,
    total: rows.length,
    pick,
    check,
    run,
    restart,
    back: () => setStep('columns'),
    setColumns,
    setDates,
  }
}

export type Importing = ReturnType<typeof useImport>
