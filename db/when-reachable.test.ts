import { expect, test, vi } from 'vitest'
import { retryUntilReachable } from './when-reachable.ts'

function refused(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
}

test('work is done again while the database cannot be reached, and is told of once', async () => {
  const say = vi.fn<(seconds: number) => void>()
  const work = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(refused())
    .mockRejectedValueOnce(Object.assign(new Error('starting up'), { code: '57P03' }))
    .mockResolvedValue('done')
  expect(await retryUntilReachable(work, { forMs: 60_000, say })).toBe('done')
  expect(work).toHaveBeenCalledTimes(3)
  expect(say.mock.calls).toEqual([[60]])
})

test('what waiting does not mend is thrown at once, and the rest when time is up', async () => {
  const say = vi.fn<(seconds: number) => void>()
  const wrong = Object.assign(new Error('password authentication failed'), { code: '28P01' })
  await expect(
    retryUntilReachable(() => Promise.reject(wrong), { forMs: 60_000, say }),
  ).rejects.toBe(wrong)
  await expect(
    retryUntilReachable(() => Promise.reject(refused()), { forMs: 0, say }),
  ).rejects.toThrow('ECONNREFUSED')
  expect(say).not.toHaveBeenCalled()
})
