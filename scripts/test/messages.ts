import { stripVTControlCharacters } from 'node:util'
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
export type TestEnd = z.infer<typeof TestEnd>

/** Reports to `npm test` that a test has ended. Run by hand, without a channel, it does nothing. */
export function reportTestEnd(end: TestEnd): void {
  process.send?.(end)
}

type TestError = {
  message?: string | undefined
  stack?: string | undefined
  diff?: string | undefined
}

/** Errors as people read them: what was expected, where, and the actual value. */
export function errorText(errors: readonly TestError[]): string {
  const lines = errors.flatMap(({ message, stack, diff = '' }) => [stack ?? message, diff])
  return stripVTControlCharacters(lines.join('\n').trim())
}

/** Stops this test runner as soon as `npm test` is gone, however it ended. */
export function stopWithParent(): void {
  if (process.channel === undefined) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGINT'))
  // The listener alone must not keep a finished runner alive.
  process.channel?.unref()
}
