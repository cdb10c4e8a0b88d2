import { stripVTControlCharacters } from 'node:util'
import type * as playwright from '@playwright/test/reporter'
import type * as vitest from 'vitest/node'
import * as z from 'zod/mini'

/**
 * A reporter's message about one finished test, over the IPC channel of its step. `again`: it failed and
 * passed on retry, and `why` is the failure.
 */
export const TestEnd = z.object({
  name: z.string(),
  end: z.enum(['passed', 'again', 'failed']),
  why: z.optional(z.string()),
})
type TestEnd = z.infer<typeof TestEnd>

/** Reports to `npm test` that a test has ended. Run by hand, without a channel, it does nothing. */
function reportTestEnd(end: TestEnd): void {
  process.send?.(end)
}

type TestError = {
  message?: string | undefined
  stack?: string | undefined
  diff?: string | undefined
}

/** Errors as people read them: what was expected, where, and the actual value. */
function errorText(errors: readonly TestError[]): string {
  const lines = errors.flatMap(({ message, stack, diff = '' }) => [stack ?? message, diff])
  return stripVTControlCharacters(lines.join('\n').trim())
}

/** Stops this test runner as soon as `npm test` is gone, however it ended. */
function stopWithParent(): void {
  if (process.channel === undefined) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGINT'))
  // The listener alone must not keep a finished runner alive.
  process.channel?.unref()
}

/** Reporter for Vitest and Playwright: tells `npm test` of every test as it ends. */
// oxlint-disable-next-line import/no-default-export -- what both load by path
export default class ProgressReporter implements vitest.Reporter, playwright.Reporter {
  /** The first call of Vitest. */
  onInit(): void {
    stopWithParent()
  }

  /** A test of Vitest, after its last retry. */
  onTestCaseResult(test: vitest.TestCase): void {
    const name = `${test.module.relativeModuleId} › ${test.fullName}`
    const { state, errors = [] } = test.result()
    if (state !== 'passed') reportTestEnd({ name, end: 'failed' })
    else if (errors.length === 0) reportTestEnd({ name, end: 'passed' })
    else reportTestEnd({ name, end: 'again', why: errorText(errors) })
  }

  /** The first call of Playwright. */
  onBegin(): void {
    stopWithParent()
  }

  /** A test of Playwright. */
  onTestEnd(test: playwright.TestCase, result: playwright.TestResult): void {
    // A test is not over before its last retry.
    if (result.status !== 'passed' && result.retry < test.retries) return
    const [, project, ...path] = test.titlePath()
    const name = `[${project}] ${path.join(' › ')}`
    if (result.status !== 'passed') reportTestEnd({ name, end: 'failed' })
    else if (result.retry === 0) reportTestEnd({ name, end: 'passed' })
    else
      reportTestEnd({
        name,
        end: 'again',
        why: errorText(test.results.flatMap(({ errors }) => errors)),
      })
  }

  /** Another reporter's list or dots are the visible output. */
  printsToStdio(): boolean {
    return false
  }
}
