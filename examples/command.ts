import { parseArgs } from 'node:util'
import { ApiError, type Client, createClient } from 'apposite/client'
import Papa from 'papaparse'

/** The environment of a script, so that tests can run it as well. */
export type ScriptContext = {
  env: Readonly<Record<string, string | undefined>>
  print: (line: string) => void
  /** For error messages; stderr on a terminal. */
  printError: (line: string) => void
  fetch?: typeof fetch
}

/** Exit codes of a script. */
export const EXIT_OK = 0
export const EXIT_FAILED = 1
export const EXIT_USAGE = 2
/** Nothing was found, or a person has to confirm first. */
export const EXIT_STOPPED = 3

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
export function serverUrl({ env }: ScriptContext): string {
  return (env['APPOSITE_URL'] ?? 'http://localhost:3000').replace(/\/+$/, '')
}

/** A client of that server, with the token in `APPOSITE_TOKEN` where the script needs one. */
export function connect(context: ScriptContext, needs: 'a token' | 'no token'): Client {
  const token = context.env['APPOSITE_TOKEN']
  if (needs === 'a token' && !token) {
    throw new UsageError('Set APPOSITE_TOKEN to an access token; make one on your account page.')
  }
  return createClient({
    url: serverUrl(context),
    ...(token && needs === 'a token' ? { token } : {}),
    ...(context.fetch && { fetch: context.fetch }),
  })
}

type Script = (args: readonly string[], around: ScriptContext) => Promise<number>

/** Wraps a script: reports errors as a sentence with an exit code, and shows `help` when asked. */
export function command(help: string, script: Script): Script {
  return async (args, context) => {
    if (args.includes('--help') || args.includes('-h')) {
      context.print(help)
      return EXIT_OK
    }
    try {
      return await script(args, context)
    } catch (error) {
      if (error instanceof UsageError) {
        context.printError(error.message)
        context.printError(`\n${help}`)
        return EXIT_USAGE
      }
      if (!(error instanceof ApiError)) throw error
      context.printError(error.message)
      for (const { path, message } of error.issues) context.printError(`  ${path}: ${message}`)
      if (error.requestId !== '') context.printError(`  Reference: ${error.requestId}`)
      return EXIT_FAILED
    }
  }
}

/** Runs a script when its file is node's entry point. */
export async function runAsProgram(isMain: boolean, script: Script): Promise<void> {
  if (!isMain) return
  process.exitCode = await script(process.argv.slice(2), {
    env: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
    printError: (line) => void process.stderr.write(`${line}\n`),
  })
}

/** A row of a file with the number of its first line, counted from 1. */
export type CsvRow = { line: number; cells: string[] }

/** Reads a CSV file (RFC 4180), with or without a byte order mark. Blank lines are left out. */
export function readCsv(text: string): CsvRow[] {
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const rows: CsvRow[] = []
  let line = 1
  let start = 0
  Papa.parse<string[]>(source, {
    delimiter: ',',
    newline: '\n',
    step: ({ data: cells, meta }) => {
      if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells })
      line += source.slice(start, meta.cursor).split('\n').length - 1
      start = meta.cursor
    },
  })
  return rows
}

/** Prefixes that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** One line of a file, with its line ending. Texts that look like formulas are made harmless. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${Papa.unparse([[...cells]], { escapeFormulae: FORMULA })}\r\n`
}
