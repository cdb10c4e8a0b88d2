import type { Reporter, TestCase } from 'vitest/node'
import { errorText, reportTestEnd, stopWithParent } from '#scripts/test/messages.ts'

/** Vitest reporter: tells `npm test` of every test as it ends. */
// oxlint-disable-next-line import/no-default-export -- what Vitest loads by path
export default class ProgressReporter implements Reporter {
  onInit(): void {
    stopWithParent()
  }

  onTestCaseResult(test: TestCase): void {
    const name = `${test.module.relativeModuleId} › ${test.fullName}`
    const { state, errors = [] } = test.result()
    if (state !== 'passed') reportTestEnd({ name, end: 'failed' })
    else if (errors.length === 0) reportTestEnd({ name, end: 'passed' })
    else reportTestEnd({ name, end: 'again', why: errorText(errors) })
  }
}
