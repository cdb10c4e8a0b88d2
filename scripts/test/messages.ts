import { stripVTControlCharacters } from 'node:util'
import * as z from 'zod/mini'

/**
 * What a test runner's reporter says of one finished test, over the IPC channel of its step. `again`:
 * it failed and passed when tried once more, and `why` says of what it failed.
 */
export const TestEnd = z.object({
  name: z.string(),
  end: z.enum(['passed', 'again', 'failed']),
  why: z.optional(z.string()),
})
export type TestEnd = z.infer<typeof TestEnd>

/** Tells `npm test` that a test has ended. By hand, without a channel, it does nothing. */
export function tellTestEnd(end: TestEnd): void {
  process.send?.(end)
}

type TestError = {
  message?: string | undefined
  stack?: string | undefined
  diff?: string | undefined
}

/** Errors as people read them: what was expected, where, and what came instead. */
export function wordsOf(errors: readonly TestError[]): string {
  const lines = errors.flatMap(({ message, stack, diff = '' }) => [stack ?? message, diff])
  return stripVTControlCharacters(lines.join('\n').trim())
}

/** Stops this test runner as soon as `npm test` is gone, however it went. */
export function stopWithParent(): void {
  if (process.channel === undefined) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGINT'))
  // Listening alone must not keep a runner alive that has finished.
  process.channel?.unref()
}
