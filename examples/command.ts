import { parseArgs } from 'node:util'
import { ApiError, type Client, createClient } from 'apposite/client'

/** The environment of a script, so that tests can run it as well. */
export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>
  print: (line: string) => void
  /** For error messages; stderr on a terminal. */
  complain: (line: string) => void
  fetch?: typeof fetch
}

/** Exit codes of a script. */
export const DONE = 0
export const FAILED = 1
export const WRONG_USE = 2
/** Nothing was found, or a person has to confirm first. */
export const STOPPED = 3

/** The script was called wrongly; shown together with its usage. */
export class UsageError extends Error {}

type Options = Record<string, { type: 'string' | 'boolean' }>

/** Parses the options and words of a command line. Throws `UsageError` for anything unknown. */
export function readArgs(args: readonly string[], options: Options) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean' } },
      allowPositionals: true,
    })
    const given = new Map<string, unknown>(Object.entries(values))
    const text = (name: string): string | undefined => {
      const value = given.get(name)
      return typeof value === 'string' ? value : undefined
    }
    return { text, has: (name: string) => given.get(name) === true, words: positionals }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Where the server is: `APPOSITE_URL`, or a demo on this machine. */
export function siteOf({ env }: Surroundings): string {
  return (env['APPOSITE_URL'] ?? 'http://localhost:3000').replace(/\/+$/, '')
}

/** A client of that server, with the token in `APPOSITE_TOKEN` where the script needs one. */
export function connect(around: Surroundings, needs: 'a token' | 'no token'): Client {
  const token = around.env['APPOSITE_TOKEN']
  if (needs === 'a token' && !token) {
    throw new UsageError('Set APPOSITE_TOKEN to an access token; make one on your account page.')
  }
  return createClient({
    url: siteOf(around),
    ...(token && needs === 'a token' ? { token } : {}),
    ...(around.fetch && { fetch: around.fetch }),
  })
}

type Script = (args: readonly string[], around: Surroundings) => Promise<number>

/** Wraps a script: reports errors as a sentence with an exit code, and shows `help` when asked. */
export function command(help: string, script: Script): Script {
  return async (args, around) => {
    if (args.includes('--help')) {
      around.print(help)
      return DONE
    }
    try {
      return await script(args, around)
    } catch (error) {
      if (error instanceof UsageError) {
        around.complain(error.message)
        around.complain(`\n${help}`)
        return WRONG_USE
      }
      if (!(error instanceof ApiError)) throw error
      around.complain(error.message)
      for (const { path, message } of error.issues) around.complain(`  ${path}: ${message}`)
      if (error.requestId !== '') around.complain(`  Reference: ${error.requestId}`)
      return FAILED
    }
  }
}

/** Runs a script when its file is node's entry point. */
export async function runAsProgram(isMain: boolean, script: Script): Promise<void> {
  if (!isMain) return
  process.exitCode = await script(process.argv.slice(2), {
    env: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
  })
}
