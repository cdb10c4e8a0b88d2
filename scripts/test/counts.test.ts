import { expect, test } from 'vitest'
import { countReport, playwrightCounts, vitestCounts } from '#scripts/test/counts.ts'
import { makeTree } from './run-script.ts'

const VITEST = {
  numPassedTests: 7,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{}] }],
}

const PLAYWRIGHT = { stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 0 }, errors: [] }

function countTests(text: string, exitCode: number | null) {
  using tree = makeTree({ 'report.json': text })
  return countReport(`${tree.root}/report.json`, vitestCounts, exitCode)
}

test('counts passed and failed tests from the report', () => {
  expect(vitestCounts({ ...VITEST, numFailedTests: 2 })).toMatchObject({ passed: 7, failed: 2 })
  expect(playwrightCounts(PLAYWRIGHT)).toMatchObject({ passed: 4, failed: 0 })
})

test('skipped tests count as failed; tests that passed on retry do not', () => {
  expect(vitestCounts({ ...VITEST, numPendingTests: 1, numTodoTests: 2 }).failed).toBe(3)
  const stats = { expected: 1, unexpected: 1, flaky: 1, skipped: 1 }
  expect(playwrightCounts({ stats, errors: [{}] })).toMatchObject({ passed: 2, failed: 3 })
})

test('names failed tests, and those that passed on retry', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'a' },
    { status: 'failed', fullName: 'b' },
  ]
  const testResults = [
    { status: 'failed', assertionResults },
    { status: 'failed', name: 'c.test.ts', assertionResults: [] },
  ]
  expect(vitestCounts({ ...VITEST, testResults }).names).toEqual([
    'failed: b',
    'not loaded: c.test.ts',
  ])
  const spec = (title: string, status: string) => ({
    title,
    file: 'x.e2e.ts',
    tests: [{ projectName: 'phone', status }],
  })
  const suites = [
    { specs: [spec('a', 'expected')], suites: [{ specs: [spec('b', 'flaky')] }] },
    { specs: [spec('c', 'unexpected')] },
  ]
  expect(playwrightCounts({ ...PLAYWRIGHT, suites }).names).toEqual([
    'flaky: [phone] x.e2e.ts › b',
    'unexpected: [phone] x.e2e.ts › c',
  ])
})

test('a test file that could not be loaded is a failure without a test name', () => {
  const testResults = [...VITEST.testResults, { status: 'failed', assertionResults: [] }]
  expect(vitestCounts({ ...VITEST, testResults }).failed).toBe(1)
})

test('a runner that ran nothing has failed, whatever its exit code', () => {
  expect(countTests(JSON.stringify({ ...VITEST, numPassedTests: 0 }), 0)).toMatchObject({
    passed: 0,
    failed: 1,
  })
})

test.each([
  ['ends badly after green tests', JSON.stringify(VITEST), 1, { passed: 7, failed: 1 }],
  ['is ended by a signal', JSON.stringify(VITEST), null, { passed: 7, failed: 1 }],
  ['leaves rubbish', '{"numPass', 0, { passed: 0, failed: 1 }],
  ['leaves another report', '{}', 0, { passed: 0, failed: 1 }],
])('a runner that %s has failed', (_what, text, exitCode, counts) => {
  expect(countTests(text, exitCode)).toMatchObject(counts)
})

test('a runner that leaves no report has failed', () => {
  expect(countReport('/nowhere/report.json', vitestCounts, 0)).toEqual({ passed: 0, failed: 1 })
})
