import { stripVTControlCharacters } from 'node:util'
import type * as playwright from '@playwright/test/reporter'
import type * as vitest from 'vitest/node'
import * as z from 'zod/mini'

/**
 * A reporter's message about one finished test, or about an error outside of any, over the IPC channel of its step.
 * `again`: it failed and passed on retry, and `why` is the failure. A skipped test has failed: here every test runs.
 */
export const TestEnd = z.object({
  name: z.string(),
  end: z.enum(['passed', 'again', 'failed']),
  why: z.optional(z.string()),
})
export type TestEnd = z.infer<typeof TestEnd>

/** Reports to `npm test` that a test has ended. Run by hand, without a channel, it does nothing. */
function tell(end: TestEnd): void {
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

/** Reports a test that has passed, with the errors of earlier tries. */
function tellPassed(name: string, errors: readonly TestError[]): void {
  tell(
    errors.length === 0 ? { name, end: 'passed' } : { name, end: 'again', why: errorText(errors) },
  )
}

/** Stops this test runner as soon as `npm test` is gone, however it ended. */
function stopWithParent(): void {
  if (process.channel === undefined) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGINT'))
  // The listener alone must not keep a finished runner alive.
  process.channel?.unref()
}

/** Waits until everything told has been sent: the runner ends its process right after its last call. */
async function flush(): Promise<void> {
  await new Promise<void>((resolve) => {
    if (process.send === undefined) resolve()
    else process.send(null, () => resolve())
  })
}

type VitestTest = Pick<vitest.TestCase, 'fullName'> & {
  module: Pick<vitest.TestModule, 'relativeModuleId'>
  result: () => { state: string; errors?: readonly TestError[] | undefined }
}
type PlaywrightTest = Pick<playwright.TestCase, 'retries' | 'titlePath'> & {
  results: readonly Pick<playwright.TestResult, 'errors'>[]
}
type PlaywrightSuite = {
  allTests: () => readonly Pick<playwright.TestCase, 'titlePath' | 'outcome'>[]
}
type PlaywrightTry = Pick<playwright.TestResult, 'status' | 'retry'>

function playwrightName(test: Pick<playwright.TestCase, 'titlePath'>): string {
  const [, project, ...path] = test.titlePath()
  return `[${project}] ${path.join(' › ')}`
}

/** Reporter for Vitest and Playwright: tells `npm test` of every test as it ends. */
// oxlint-disable-next-line import/no-default-export -- what both load by path
export default class ProgressReporter implements vitest.Reporter, playwright.Reporter {
  /** The first call of Vitest. */
  onInit(): void {
    stopWithParent()
  }

  /** A test of Vitest, after its last retry. */
  onTestCaseResult(test: VitestTest): void {
    const name = `${test.module.relativeModuleId} › ${test.fullName}`
    const { state, errors = [] } = test.result()
    if (state === 'passed') tellPassed(name, errors)
    else tell({ name, end: 'failed' })
  }

  /** A file of Vitest; one that could not be loaded has errors of its own. */
  onTestModuleEnd(file: Pick<vitest.TestModule, 'errors' | 'relativeModuleId'>): void {
    if (file.errors().length > 0) tell({ name: file.relativeModuleId, end: 'failed' })
  }

  /** The last call of Vitest. */
  onTestRunEnd(_files: unknown, errors: readonly TestError[]): Promise<void> {
    for (const error of errors) tell({ name: errorText([error]), end: 'failed' })
    return flush()
  }

  #all: PlaywrightSuite = { allTests: () => [] }

  /** The first call of Playwright. */
  onBegin(_config: unknown, all: PlaywrightSuite): void {
    this.#all = all
    stopWithParent()
  }

  /** A test of Playwright. */
  onTestEnd(test: PlaywrightTest, { status, retry }: PlaywrightTry): void {
    // A test that failed is not over before its last retry; for those skipped see `onEnd`.
    if (status === 'skipped' || (status !== 'passed' && retry < test.retries)) return
    const name = playwrightName(test)
    if (status === 'passed')
      tellPassed(
        name,
        test.results.flatMap(({ errors }) => errors),
      )
    else tell({ name, end: 'failed' })
  }

  /** An error of Playwright outside of any test. */
  onError(error: TestError): void {
    tell({ name: errorText([error]), end: 'failed' })
  }

  /** The last call of Playwright: only now is known which tests never ran, after all retries of their group. */
  onEnd(): Promise<void> {
    for (const test of this.#all.allTests()) {
      if (test.outcome() === 'skipped') tell({ name: playwrightName(test), end: 'failed' })
    }
    return flush()
  }

  /** Another reporter's list or dots are the visible output. */
  printsToStdio(): boolean {
    return false
  }
}
