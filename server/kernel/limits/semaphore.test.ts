import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeBackground, Semaphore } from './semaphore.ts'

/** A semaphore for one at a time, held until `open` is called. */
function makeBusySemaphore(size: { waiting: number; waitingInAll: number }) {
  const semaphore = new Semaphore({ running: 1, ...size })
  const held = Promise.withResolvers<null>()
  const order: string[] = []
  const first = semaphore.pass(() => held.promise)
  const enter = (origin: string) =>
    semaphore.pass(() => {
      order.push(origin)
      return Promise.resolve()
    }, origin)
  const open = async (all: Promise<unknown>[]) => {
    held.resolve(null)
    await first
    return (await Promise.allSettled(all)).map(({ status }) => status === 'fulfilled')
  }
  return { enter, open, order }
}

test('origins take turns, however many calls of one are waiting', async () => {
  const { enter, open, order } = makeBusySemaphore({ waiting: 8, waitingInAll: 64 })
  await open(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(enter))
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a'])
})

test('the number of waiters per origin is limited', async () => {
  const { enter, open } = makeBusySemaphore({ waiting: 2, waitingInAll: 64 })
  expect(await open(['a', 'a', 'a', 'b'].map(enter))).toEqual([true, true, false, true])
})

test('when the queue is full the origin with the most waiters loses one, never its only one', async () => {
  const { enter, open, order } = makeBusySemaphore({ waiting: 8, waitingInAll: 4 })
  const done = await open(['a', 'a', 'a', 'b', 'c', 'd', 'e'].map(enter))
  expect(done).toEqual([true, false, false, true, true, true, false])
  expect(order).toEqual(['a', 'b', 'c', 'd'])
})

test('a failing call wakes the next waiter', async () => {
  const semaphore = new Semaphore({ running: 1, waiting: 1 })
  const failing = semaphore.pass(() => Promise.reject(new Error('broken')))
  const next = semaphore.pass(() => Promise.resolve('through'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('through')
  expect(await semaphore.pass(() => Promise.resolve('free again'))).toBe('free again')
})

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

test('one batch at a time, with a longer rest after each', async () => {
  const spans = await runAll(makeBackground(), [30, 10, 20])
  expect(spans).toHaveLength(3)
  for (const [n, { start, end }] of spans.entries()) {
    const next = spans[n + 1]
    // System timers may fire a little early.
    if (next !== undefined) expect(next.start - end).toBeGreaterThan(1.5 * (end - start))
  }
})

test('a failing batch throws, rests, and does not block others', async () => {
  const background = makeBackground()
  const failing = background.run(() => Promise.reject(new Error('no database')))
  const next = background.run(() => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('no database')
  expect(await next).toBe('done')
})

test('aborting ends the rest', async () => {
  const background = makeBackground(1_000_000)
  const stopping = new AbortController()
  const running = background.run(() => sleep(5, 'first'), stopping.signal)
  stopping.abort()
  expect(await running).toBe('first')
  // A batch that starts after the abort does not wait either.
  expect(await background.run(() => sleep(5, 'second'), stopping.signal)).toBe('second')
})

test('without rests requests still run between two batches', async () => {
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

test('an origin that may run one call at a time leaves the other places to others', async () => {
  const semaphore = new Semaphore({ running: 2, runningOfOne: 1, waiting: 5 })
  const held = Promise.withResolvers<void>()
  const done: string[] = []
  const pass = (origin: string, what: string, until = Promise.resolve()) =>
    semaphore.pass(async () => {
      done.push(what)
      await until
    }, origin)
  const all = [pass('a', 'a1', held.promise), pass('a', 'a2'), pass('a', 'a3')]
  await Promise.all([pass('b', 'b1'), pass('c', 'c1'), pass('b', 'b2')])
  expect(done).toEqual(['a1', 'b1', 'c1', 'b2'])
  held.resolve()
  await Promise.all(all)
  expect(done.slice(4)).toEqual(['a2', 'a3'])
})
