import { argv, stderr } from 'node:process'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { ImportProblem } from '#db/geo/import/report.ts'
import { ConfigError } from '#server/kernel/config/config.ts'

/** The message of an error, with that of its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  // Where every address of a host refuses, the error that sums them up has no message, only a code.
  const own = error.message === '' && 'code' in error ? String(error.code) : error.message
  return `${own}${cause}`
}

/** The options and other arguments of the command line; throws a `ConfigError` for an unknown option. */
export function parseOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
) {
  try {
    return parseArgs({ args: argv.slice(2), allowPositionals: true, options })
  } catch (error) {
    throw new ConfigError([reasonOf(error)])
  }
}

/** Whether an error comes from outside the program: the system, the network or the database. */
function isFromOutside(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  // Node's own errors, such as ERR_INVALID_ARG_TYPE, are faults of the program and need their stack trace.
  return !String(error.code).startsWith('ERR_')
}

function problemsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems
  if (error instanceof ImportProblem) return [error.message]
  if (isFromOutside(error)) return [reasonOf(error)]
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
}

/**
 * Runs a command to its end and sets the exit code: the one `main` returns, or `failed` after printing what
 * went wrong. That is a sentence for whatever an operator can put right.
 */
export async function runCommand(
  main: () => Promise<number> | number,
  { failed }: { failed: number },
): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    stderr.write(`${problemsOf(error).join('\n')}\n`)
    process.exitCode = failed
  }
}
