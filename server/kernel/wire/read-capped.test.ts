import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { growthDuring, openTinyChunkServer } from '#tests/harness/servers/tiny-chunks.ts'
import { callHttp } from './call-http.ts'
import { OverCapError, readCapped } from './read-capped.ts'

function* pieces(count: number, bytes: number) {
  for (let no = 0; no < count; no += 1) yield new Uint8Array(bytes).fill(no)
}

const streamOf = (count: number, bytes: number) => Readable.from(pieces(count, bytes))

test('the bytes of a stream are read whole, however they are cut', async () => {
  for (const [count, bytes] of [
    [1, 100],
    [100, 1],
    [7, 40_000],
    [0, 0],
  ] as const) {
    const read = await readCapped(streamOf(count, bytes), { maxBytes: 300_000 })
    expect(read.equals(Buffer.concat([...pieces(count, bytes)]))).toBe(true)
  }
  expect((await readCapped(null, { maxBytes: 1 })).byteLength).toBe(0)
})

test('more bytes than allowed are refused, and as many as allowed are read', async () => {
  const read = readCapped(streamOf(2, 50), { maxBytes: 100 })
  expect((await read).byteLength).toBe(100)
  await expect(readCapped(streamOf(2, 51), { maxBytes: 100 })).rejects.toThrow(OverCapError)
})

test('very many pieces are refused, also empty ones', async () => {
  await expect(readCapped(streamOf(70_000, 1), { maxBytes: 1_000_000 })).rejects.toThrow('pieces')
  await expect(readCapped(streamOf(70_000, 0), { maxBytes: 1_000_000 })).rejects.toThrow('pieces')
})

test('reading ends with its signal', async () => {
  const signal = AbortSignal.abort(new Error('too late'))
  await expect(readCapped(streamOf(2, 1), { maxBytes: 100, signal })).rejects.toThrow('too late')
})

test('a response in pieces of one byte is refused, and takes no memory', async () => {
  const server = await openTinyChunkServer()
  try {
    const url = `http://127.0.0.1:${server.port}/`
    const call = { method: 'GET' as const, headers: {}, timeoutMs: 60_000, maxBytes: 10_000_000 }
    await expect(callHttp(url, call)).rejects.toThrow('pieces')
    const grown = await growthDuring(() => callHttp(url, call).catch(() => undefined))
    expect(grown).toBeLessThan(50_000_000)
  } finally {
    server.close()
  }
})
