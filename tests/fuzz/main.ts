/**
 * Sends generated requests, 100,000 by default, a quarter of them to a server on Postgres.
 * The printed seed repeats a run.
 *
 *     npm run fuzz
 *     FUZZ_SEED=4711 FUZZ_COUNT=5000 npm run fuzz
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { TOOLS } from '#scripts/commands.ts'
import { runCommand } from '#scripts/run-command.ts'

function main(): Promise<number> {
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'server', 'tests/fuzz'], {
    stdio: 'inherit',
    env: { FUZZ_COUNT: '100000', ...process.env },
  })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

await runCommand(TOOLS.fuzz, main)
