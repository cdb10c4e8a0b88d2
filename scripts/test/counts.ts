import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'

/** What one step adds to the sum. */
export type Counts = { passed: number; failed: number }

const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
})

const PlaywrightReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
  errors: z.array(z.unknown()),
})

/** A skipped test counts as failed: here every test runs. So does a file that could not be loaded. */
export function vitestCounts(report: unknown): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
    VitestReport.parse(report)
  const unreadable = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  return {
    passed: numPassedTests,
    failed: numFailedTests + numPendingTests + numTodoTests + unreadable.length,
  }
}

/** Only what passed at the first try has passed. */
export function playwrightCounts(report: unknown): Counts {
  const { stats, errors } = PlaywrightReport.parse(report)
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped + errors.length,
  }
}

/**
 * Reads a runner's JSON report. A runner that left none, left rubbish, ran nothing, or ended badly
 * without naming a failed test, has failed once.
 */
export function countReport(
  file: string,
  count: (report: unknown) => Counts,
  exitCode: number | null,
): Counts {
  const counts = tryCount(file, count)
  const silentFailure = counts.failed === 0 && (exitCode !== 0 || counts.passed === 0)
  return silentFailure ? { ...counts, failed: 1 } : counts
}

function tryCount(file: string, count: (report: unknown) => Counts): Counts {
  try {
    return count(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { passed: 0, failed: 1 }
  }
}
