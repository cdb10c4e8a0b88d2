/**
 * Runs the whole installation (scripts/topology.ts) under load, search 90 % and booking 10 %, while
 * processes are killed, Postgres restarts, the standby falls behind, a new version with a migration is rolled
 * out and the primary is lost. Reports at the end what clients met and whether all records agree. Exits with
 * 1 when anything was wrong.
 *
 *     npm run drill -- [--minutes 10] [--clients 12] [--think 400] [--no-standby] [--no-pgbouncer]
 *         [--seed 1] [--keep]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stdout } from 'node:process'
import type { CommandLine } from './bootstrap/command-line.mjs'
import { TOOLS } from './commands.ts'
import { type DrillReport, runDrill } from './drill/run-drill.ts'
import { runCommand } from './run-command.ts'
import { endAll } from './topology/processes.ts'

const MINUTE_MS = 60_000

function printLine(line: string): void {
  stdout.write(`${line}\n`)
}

/** Prints the result; returns whether all went well. */
function printReport({ tally, wrong, hasPgbouncer, confirmed }: DrillReport): boolean {
  const doubles = wrong.filter((one) => one.startsWith('I2'))
  const charges = wrong.filter((one) => one.startsWith('I1:'))
  printLine(`\nWhat clients met${hasPgbouncer ? ', behind PgBouncer' : ''}:`)
  for (const line of tally.lines()) printLine(`  ${line}`)
  printLine('Tries that had to be repeated:')
  for (const [why, count] of tally.retries) printLine(`  ${count} times: ${why}`)
  for (const line of tally.spanLines()) printLine(line)
  printLine(`Told: ${tally.holds.length} holds, ${tally.payments.length} payments`)
  printLine(`Visits: ${confirmed} confirmed, ${tally.visits.length} seen by their patients`)
  const checks: [string, readonly string[]][] = [
    ['5xx other than 503 with Retry-After', tally.failures],
    ['Unanswered after retries', tally.unanswered],
    ['Double bookings', doubles],
    ['Charges without a visit', charges],
    ['Anything else in the books or processes', wrong.filter((one) => !/^I[12]:/.test(one))],
  ]
  for (const [what, found] of checks) {
    printLine(`${what}: ${found.length}`)
    for (const one of found.slice(0, 20)) printLine(`  ${one}`)
  }
  return checks.every(([, found]) => found.length === 0)
}

/** Set while a run is being aborted: errors that this causes are not reported. */
let stopping: Promise<never> | null = null

/** An aborted run leaves nothing behind: the processes it started end, then its folder is removed. */
function endWhenStopped(folder: string, isKept: boolean): void {
  const stop = async (): Promise<never> => {
    await endAll()
    if (!isKept) await rm(folder, { recursive: true, force: true, maxRetries: 20 })
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stopping = stop()
    })
}

async function main({ values }: CommandLine<typeof TOOLS.drill>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-drill-'))
  endWhenStopped(folder, values.keep)
  try {
    const report = await runDrill({
      folder,
      lengthMs: Number(values.minutes) * MINUTE_MS,
      clients: Number(values.clients),
      thinkMs: Number(values.think),
      hasStandby: values.standby,
      hasPgbouncer: values.pgbouncer,
      seed: Number(values.seed),
      say: printLine,
    })
    return printReport(report) ? 0 : 1
  } finally {
    if (values.keep) printLine(`Logs and data are in ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }
}

await runCommand(TOOLS.drill, (line) =>
  main(line).catch((error: unknown) => {
    if (stopping === null) throw error
    return stopping
  }),
)
