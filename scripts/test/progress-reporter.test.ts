import { expect, test, vi } from 'vitest'
import ProgressReporter from './progress-reporter.ts'

/** What the reporter tells while it is called. */
function toldBy(call: (reporter: ProgressReporter) => void): unknown[] {
  const told: unknown[] = []
  const send = vi.spyOn(process, 'send').mockImplementation((message) => told.push(message) > 0)
  call(new ProgressReporter())
  send.mockRestore()
  return told
}

function vitestTest(state: 'passed' | 'failed' | 'skipped', errors: { message: string }[] = []) {
  return {
    module: { relativeModuleId: 'a.test.ts' },
    fullName: 'x',
    result: () => ({ state, errors }),
  }
}

function playwrightTest(errors: { message: string }[] = []) {
  return { retries: 1, titlePath: () => ['', 'phone', 'x.e2e.ts', 'y'], results: [{ errors }] }
}

test('a skipped test of either runner has failed; one that passed on retry says why', () => {
  const told = toldBy((reporter) => {
    reporter.onTestCaseResult(vitestTest('passed'))
    reporter.onTestCaseResult(vitestTest('skipped'))
    reporter.onTestCaseResult(vitestTest('passed', [{ message: 'late' }]))
    reporter.onTestEnd(playwrightTest(), { status: 'skipped', retry: 0 })
    reporter.onTestEnd(playwrightTest(), { status: 'failed', retry: 0 })
    reporter.onTestEnd(playwrightTest([{ message: 'slow' }]), { status: 'passed', retry: 1 })
    reporter.onTestEnd(playwrightTest(), { status: 'timedOut', retry: 1 })
    const titlePath = () => ['', 'phone', 'x.e2e.ts', 'never']
    const all = [{ titlePath, outcome: () => 'skipped' as const }]
    reporter.onBegin({}, { allTests: () => all })
    void reporter.onEnd()
  })
  const vitest = 'a.test.ts › x'
  const playwright = '[phone] x.e2e.ts › y'
  expect(told).toEqual([
    { name: vitest, end: 'passed' },
    { name: vitest, end: 'failed' },
    { name: vitest, end: 'again', why: 'late' },
    { name: playwright, end: 'again', why: 'slow' },
    { name: playwright, end: 'failed' },
    { name: '[phone] x.e2e.ts › never', end: 'failed' },
    null,
  ])
})

test('a file that could not be loaded, and an error outside of any test, are failures', () => {
  const told = toldBy((reporter) => {
    reporter.onTestModuleEnd({ relativeModuleId: 'b.test.ts', errors: () => [] })
    reporter.onTestModuleEnd({
      relativeModuleId: 'c.test.ts',
      errors: () => [{ message: 'no such file' }],
    })
    void reporter.onTestRunEnd([], [{ message: 'unhandled' }])
    reporter.onError({ message: 'no server' })
  })
  expect(told).toEqual([
    { name: 'c.test.ts', end: 'failed' },
    { name: 'unhandled', end: 'failed' },
    null,
    { name: 'no server', end: 'failed' },
  ])
})
