import { recognise } from './formats.ts'
import { openTexts } from './lines.ts'
import { Rejects } from './rejects.ts'
import { readUkRow, type UkOptions, type UkUnit } from './uk-rows.ts'

/**
 * Every live UK postcode of a file or folder in a recognised format, one by one. Other texts in it
 * are passed over; rows left out are counted in `rejects`.
 */
export async function* readUkUnits(
  path: string,
  rejects: Rejects,
  options: UkOptions,
): AsyncIterable<UkUnit> {
  for await (const text of openTexts(path)) {
    let format: ReturnType<typeof recognise> | undefined
    for await (const line of text.lines) {
      if (format === undefined) {
        format = recognise(line)
        if (format?.kind === 'postcode_list') continue
      }
      if (format?.kind !== 'code_point' && format?.kind !== 'postcode_list') break
      if (line === '') continue
      const row = readUkRow(format, line, options)
      if ('unit' in row) yield row.unit
      else rejects.add(row.rejected, row.example)
    }
  }
}
