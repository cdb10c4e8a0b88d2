import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeBackground } from './background.ts'

/** Starts batches of these lengths (milliseconds) concurrently; returns when each began and ended. */
async function runAll(background: ReturnType<typeof makeBackground>, lengths: readonly number[]) {
  const spans: { start: number; end: number }[] = []
  await Promise.all(
    lengths.map((ms) =>
      background.run(async () => {
        const start = performance.now()
        await sleep(ms)
        spans.push({ start, end: performance.now() })
      }),
    ),
  )
  return spans
}

test('one batch at a time, with a rest after each that is longer than it was', async () => {
  const spans = await runAll(makeBackground(), [30, 10, 20])
  expect(spans).toHaveLength(3)
  for (const [n, { start, end }] of spans.entries()) {
    const next = spans[n + 1]
    // System timers may fire a little early.
    if (next !== undefined) expect(next.start - end).toBeGreaterThan(1.5 * (end - start))
  }
})

test('a batch that fails says so, rests, and keeps nobody from theirs', async () => {
  const background = makeBackground()
  const failing = background.run(() => Promise.reject(new Error('no database')))
  const next = background.run(() => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('no database')
  expect(await next).toBe('done')
})

test('a process that is told to stop does not wait for the rest', async () => {
  const background = makeBackground(1_000_000)
  const stopping = new AbortController()
  const running = background.run(() => sleep(5, 'first'), stopping.signal)
  stopping.abort()
  expect(await running).toBe('first')
  // A batch that starts after the abort does not wait either.
  expect(await background.run(() => sleep(5, 'second'), stopping.signal)).toBe('second')
})

test('without rests requests still get their turn between two batches', async () => {
  const background = makeBackground(0)
  const seen: string[] = []
  const request = new Promise<void>((resolve) => {
    setImmediate(() => {
      seen.push('request')
      resolve()
    })
  })
  for (const name of ['first', 'second', 'third']) {
    await background.run(() => {
      seen.push(name)
      return Promise.resolve()
    })
  }
  await request
  expect(seen[0]).toBe('first')
  expect(seen.indexOf('request')).toBeLessThan(seen.indexOf('third'))
})
