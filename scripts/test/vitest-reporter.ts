import type { Reporter, TestCase } from 'vitest/node'
import { stopWithParent, tellTestEnd } from '#scripts/test/messages.ts'

/** Vitest reporter: tells `npm test` of every test as it ends. */
// oxlint-disable-next-line import/no-default-export -- what Vitest loads by path
export default class ProgressReporter implements Reporter {
  onInit(): void {
    stopWithParent()
  }

  onTestCaseResult(test: TestCase): void {
    const name = `${test.module.relativeModuleId} › ${test.fullName}`
    const passed = test.diagnostic()?.flaky === true ? 'again' : 'passed'
    tellTestEnd({ name, end: test.result().state === 'passed' ? passed : 'failed' })
  }
}
