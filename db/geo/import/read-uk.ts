import { listFiles } from './files.ts'
import type { UkFormat } from './formats.ts'
import { openLists } from './lists.ts'
import type { Rejects } from './rejects.ts'
import { readUkRow, type UkOptions, type UkUnit } from './uk-rows.ts'

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
 * Every live UK postcode of a file or folder in a recognised format, one by one. Other texts in it
 * are passed over; rows left out are counted in `rejects`.
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
