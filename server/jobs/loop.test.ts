import { expect, test } from 'vitest'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { type Job, startJobs } from './loop.ts'

const HOUR = 3_600_000

type Latch = { opened: Promise<void>; open: () => void }

function makeLatch(): Latch {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** A job that counts its runs and signals when the first one begins. */
function countingJob(work: () => Promise<void> = () => Promise.resolve()) {
  let runs = 0
  const begun = makeLatch()
  const job: Job = {
    name: 'count',
    everyMs: HOUR,
    run: async () => {
      runs += 1
      begun.open()
      await work()
    },
  }
  return { job, begun, runs: () => runs }
}

test('waking runs a job at once; waking a running job runs it once more', async () => {
  await using testApp = await makeTestApp()
  const latch = makeLatch()
  const counting = countingJob(() => latch.opened)
  const loop = startJobs(testApp.services, [counting.job])
  loop.wake('count')
  await counting.begun.opened
  loop.wake('count')
  loop.wake('count')
  expect(counting.runs()).toBe(1)
  latch.open()
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(counting.runs()).toBe(2)
  await loop.stop()
})

test('stopping waits for running jobs, and starts no more', async () => {
  await using testApp = await makeTestApp()
  const latch = makeLatch()
  const counting = countingJob(() => latch.opened)
  const loop = startJobs(testApp.services, [counting.job])
  loop.wake('count')
  await counting.begun.opened
  let isStopped = false
  const stopping = loop.stop().finally(() => {
    isStopped = true
  })
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(isStopped).toBe(false)
  latch.open()
  await stopping
  loop.wake('count')
  expect(counting.runs()).toBe(1)
})

test('the signal tells a job to stop', async () => {
  await using testApp = await makeTestApp()
  const begun = makeLatch()
  let hasEnded = false
  const loop = startJobs(testApp.services, [
    {
      name: 'patient',
      everyMs: HOUR,
      run: async (_services, signal) => {
        begun.open()
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        hasEnded = true
      },
    },
  ])
  loop.wake('patient')
  await begun.opened
  await loop.stop()
  expect(hasEnded).toBe(true)
})

test('a failing job is logged and runs again, and the others continue', async () => {
  await using testApp = await makeTestApp()
  const bad = countingJob(() => Promise.reject(new Error('no luck')))
  const good = countingJob()
  const loop = startJobs(testApp.services, [
    { ...bad.job, name: 'bad', everyMs: 1 },
    { ...good.job, name: 'good', everyMs: 1 },
  ])
  while (bad.runs() < 2 || good.runs() < 2) {
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await loop.stop()
  expect(testApp.logged[0]).toMatchObject({ job: 'bad', msg: 'a job failed' })
})
