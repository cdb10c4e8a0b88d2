import { stderr, stdout } from 'node:process'
import {
  type Command,
  type CommandLine,
  readCommandLine,
  UsageError,
  usageOf,
} from './bootstrap/command-line.mjs'

/** What went wrong, as lines; loaded only then, so that the tests can be run whatever is broken in the server. */
async function linesOf(error: unknown): Promise<readonly string[]> {
  const { problemsOf } = await import('./problems.ts')
  return problemsOf(error)
}

/**
 * Reads the arguments of a command, runs it to its end and sets the exit code: the one `main` returns, or `failed`
 * after printing what went wrong. That is a sentence for whatever an operator can put right. With wrong arguments
 * nothing is run, and the code is 2.
 */
export async function runCommand<const C extends Command>(
  command: C,
  main: (line: CommandLine<C>) => Promise<number> | number,
  { failed }: { failed: number } = { failed: 1 },
): Promise<void> {
  try {
    const line = readCommandLine(command)
    if (line === null) stdout.write(usageOf(command))
    process.exitCode = line === null ? 0 : await main(line)
  } catch (error) {
    const isUsage = error instanceof UsageError
    const lines = isUsage ? [error.message, '', usageOf(command).trimEnd()] : await linesOf(error)
    stderr.write(`${lines.join('\n')}\n`)
    process.exitCode = isUsage ? 2 : failed
  }
}
