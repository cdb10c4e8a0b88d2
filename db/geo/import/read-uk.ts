import { type ListFile, listFiles } from './files.ts'
import { detectFormat, type Format, hasHeader, type UkFormat } from './formats.ts'
import { type Blocks, type OnProgress, openTexts } from './lines.ts'
import type { Rejects } from './problem.ts'
import { readUkRow, type UkOptions, type UkUnit } from './uk-rows.ts'

/** A text that is a list of places: its rows, without the header. */
export type List = { format: Format; rows: Blocks }

async function* rowsAfter(first: string[], rest: AsyncIterator<string[]>): Blocks {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}

/** Every list in a file, one at a time. Other texts are skipped. */
export async function* openLists(file: ListFile, onProgress?: OnProgress): AsyncIterable<List> {
  for await (const blocks of openTexts(file, onProgress)) {
    const rest = blocks[Symbol.asyncIterator]()
    try {
      const first = await rest.next()
      const [firstLine = '', ...others] = first.done === true ? [] : first.value
      const format = detectFormat(firstLine)
      if (format === null) continue
      yield { format, rows: rowsAfter(hasHeader(format) ? others : [firstLine, ...others], rest) }
    } finally {
      await rest.return?.()
    }
  }
}

/** The live postcodes among some lines of a list; the others are counted in `rejects`. */
export function* unitsIn(
  list: { format: UkFormat; lines: readonly string[] },
  rejects: Rejects,
  options: UkOptions,
): Iterable<UkUnit> {
  for (const line of list.lines) {
    if (line === '') continue
    const row = readUkRow(list.format, line, options)
    if ('unit' in row) yield row.unit
    else rejects.add(row.rejected, row.example)
  }
}

/**
 * Every live UK postcode of a file or folder in a recognised format, one by one. Other texts are skipped;
 * rejected rows are counted in `rejects`.
 */
export async function* readUkUnits(
  path: string,
  rejects: Rejects,
  options: UkOptions,
): AsyncIterable<UkUnit> {
  for (const file of await listFiles(path)) {
    for await (const { format, rows } of openLists(file)) {
      if (format.kind !== 'code_point' && format.kind !== 'postcode_list') continue
      for await (const lines of rows) yield* unitsIn({ format, lines }, rejects, options)
    }
  }
}
