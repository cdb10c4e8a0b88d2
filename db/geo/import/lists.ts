import type { ListFile } from './files.ts'
import { type Format, hasHeader, recognise } from './formats.ts'
import { type Blocks, type OnProgress, openTexts } from './lines.ts'

/** A text that holds places: its rows, without the header. */
export type List = { format: Format; rows: Blocks }

async function* rowsAfter(first: string[], rest: AsyncIterator<string[]>): Blocks {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}

/** Every list in a file, one at a time. Texts that are something else are passed over. */
export async function* openLists(file: ListFile, onProgress?: OnProgress): AsyncIterable<List> {
  for await (const blocks of openTexts(file, onProgress)) {
    const rest = blocks[Symbol.asyncIterator]()
    try {
      const first = await rest.next()
      const [firstLine = '', ...others] = first.done === true ? [] : first.value
      const format = recognise(firstLine)
      if (format === null) continue
      yield { format, rows: rowsAfter(hasHeader(format) ? others : [firstLine, ...others], rest) }
    } finally {
      await rest.return?.()
    }
  }
}
