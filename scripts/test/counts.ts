import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'

/** The results of one step; `names` are lines about what failed. */
export type Counts = { passed: number; failed: number; names?: string[] }

const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      status: z.string(),
      name: z.optional(z.string()),
      assertionResults: z.array(
        z.object({ status: z.optional(z.string()), fullName: z.optional(z.string()) }),
      ),
    }),
  ),
})

const PlaywrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(z.object({ projectName: z.string(), status: z.string() })),
})

/** Files hold specs, and groups that hold specs again. */
type PlaywrightSuite = {
  specs: z.infer<typeof PlaywrightSpec>[]
  suites?: PlaywrightSuite[] | undefined
}

const PlaywrightSuite: z.ZodMiniType<PlaywrightSuite> = z.object({
  specs: z.array(PlaywrightSpec),
  get suites() {
    return z.optional(z.array(PlaywrightSuite))
  },
})

const PlaywrightReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
  errors: z.array(z.unknown()),
  suites: z._default(z.array(PlaywrightSuite), []),
})

/** A skipped test counts as failed: here every test runs. So does a file that could not be loaded. */
export function vitestCounts(report: unknown): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
    VitestReport.parse(report)
  const unreadable = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ status, fullName }) =>
      status === 'passed' || fullName === undefined ? [] : [`${status}: ${fullName}`],
    ),
  )
  return {
    passed: numPassedTests,
    failed: numFailedTests + numPendingTests + numTodoTests + unreadable.length,
    names: [...failed, ...unreadable.map(({ name }) => `not loaded: ${name ?? 'a file'}`)],
  }
}

/** A skipped test counts as failed. One that passed on retry has passed, and is named. */
export function playwrightCounts(report: unknown): Counts {
  const { stats, errors, suites } = PlaywrightReport.parse(report)
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + stats.skipped + errors.length,
    names: suites.flatMap(playwrightNames),
  }
}

function playwrightNames({ specs, suites = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.flatMap(({ projectName, status }) =>
      status === 'expected' ? [] : [`${status}: [${projectName}] ${file} › ${title}`],
    ),
  )
  return [...own, ...suites.flatMap(playwrightNames)]
}

/**
 * Reads a runner's JSON report. A missing, invalid or empty report, or an error exit without a failed test,
 * counts as one failure.
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
