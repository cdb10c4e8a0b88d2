import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { errorText, reportTestEnd, stopWithParent } from '#scripts/test/messages.ts'

/** Playwright reporter: tells `npm test` of every test as it ends. */
// oxlint-disable-next-line import/no-default-export -- what Playwright loads by path
export default class ProgressReporter implements Reporter {
  onBegin(): void {
    stopWithParent()
  }

  onTestEnd(test: TestCase, result: TestResult): void {
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
