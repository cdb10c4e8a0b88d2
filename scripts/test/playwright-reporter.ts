import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { stopWithParent, tellTestEnd } from '#scripts/test/messages.ts'

/** Playwright reporter: tells `npm test` of every test as it ends. */
// oxlint-disable-next-line import/no-default-export -- what Playwright loads by path
export default class ProgressReporter implements Reporter {
  onBegin(): void {
    stopWithParent()
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const passed = result.retry > 0 ? 'again' : 'passed'
    // It is not over before its last try.
    if (result.status !== 'passed' && result.retry < test.retries) return
    const [, project, ...path] = test.titlePath()
    const name = `[${project}] ${path.join(' › ')}`
    tellTestEnd({ name, end: result.status === 'passed' ? passed : 'failed' })
  }

  /** The list or dots of another reporter are what people read. */
  printsToStdio(): boolean {
    return false
  }
}
