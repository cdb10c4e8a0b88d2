import { expect, test } from 'vitest'
import { Semaphore } from './semaphore.ts'

/** A semaphore for one at a time, held until `open` is called. */
function makeBusySemaphore(size: { waiting: number; waitingInAll: number }) {
  const gate = new Semaphore({ running: 1, ...size })
  const held = Promise.withResolvers<null>()
  const order: string[] = []
  const first = gate.pass(() => held.promise)
  const enter = (origin: string) =>
    gate.pass(() => {
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

test('origins take turns, however many of one are waiting', async () => {
  const { enter, open, order } = makeBusySemaphore({ waiting: 8, waitingInAll: 64 })
  await open(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(enter))
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a'])
})

test('an origin has no more places than its own', async () => {
  const { enter, open } = makeBusySemaphore({ waiting: 2, waitingInAll: 64 })
  expect(await open(['a', 'a', 'a', 'b'].map(enter))).toEqual([true, true, false, true])
})

test('when all places are taken the origin with the most gives one up, never the only one', async () => {
  const { enter, open, order } = makeBusySemaphore({ waiting: 8, waitingInAll: 4 })
  const done = await open(['a', 'a', 'a', 'b', 'c', 'd', 'e'].map(enter))
  expect(done).toEqual([true, false, false, true, true, true, false])
  expect(order).toEqual(['a', 'b', 'c', 'd'])
})

test('what fails hands its place on', async () => {
  const gate = new Semaphore({ running: 1, waiting: 1 })
  const failing = gate.pass(() => Promise.reject(new Error('broken')))
  const next = gate.pass(() => Promise.resolve('through'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('through')
  expect(await gate.pass(() => Promise.resolve('free again'))).toBe('free again')
})
