import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They start whole servers, wait for clocks, and take up to a minute and a half. */
const SLOW = /\/tests\/engines\/|\/server\/start\.test\.ts$/

/**
 * Starts the slowest files first, so that no worker is left alone with one at the end. Vitest itself knows how
 * long each takes only after a first run.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, not an array's
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
