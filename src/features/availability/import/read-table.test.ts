import { expect, test } from 'vitest'
import { decodeText, readTable } from './read-table.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

function utf16(text: string, isLittle: boolean, mark = ''): Uint8Array {
  const view = new DataView(new ArrayBuffer((mark + text).length * 2))
  for (let at = 0; at < (mark + text).length; at += 1) {
    view.setUint16(at * 2, (mark + text).charCodeAt(at), isLittle)
  }
  return new Uint8Array(view.buffer)
}

test.each([
  ['UTF-8', utf8('Zoë,9')],
  ['UTF-8 with a mark', utf8('\uFEFFZoë,9')],
  ['UTF-16 little endian', utf16('Zoë,9', true, '\uFEFF')],
  ['UTF-16 big endian', utf16('Zoë,9', false, '\uFEFF')],
  ['UTF-16 without a mark', utf16('Zoë,9', true)],
  ['Windows-1252', new Uint8Array([0x5a, 0x6f, 0xeb, 0x2c, 0x39])],
])('%s is read', (_, bytes) => {
  expect(decodeText(bytes)).toBe('Zoë,9')
})

test('cells are those of the file, with the line each row stands on', async () => {
  const text = 'Start;Name\r\n"1;2";"two\nlines"\r\n;\r\n\r\nlast;=1+1\r\n'
  expect(await readTable(utf8(text))).toEqual({
    head: ['Start', 'Name'],
    rows: [
      { line: 2, cells: ['1;2', 'two lines'] },
      { line: 5, cells: ['last', '=1+1'] },
    ],
  })
})

test.each([
  ['nothing', ''],
  ['quotes that never end', '"a,b\n"c'],
  ['binary', '\0\u0001\u0002,\0\n\0'],
  ['a row of a hundred thousand cells', ','.repeat(100_000)],
  ['ragged rows', 'a,b\n1\n1,2,3\n'],
])('%s breaks nothing', async (_, text) => {
  const { head, rows } = await readTable(utf8(text))
  expect(Array.isArray(head) && Array.isArray(rows)).toBe(true)
})
