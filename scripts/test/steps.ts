import { join } from 'node:path'
import { type Counts, countReport, playwrightCounts, vitestCounts } from '#scripts/test/counts.ts'
import type { Command, Outcome } from '#scripts/test/run-step.ts'

/** A named part of `npm test`. */
export type Step = { name: string; run: Command; count: (outcome: Outcome) => Counts }

const bin = join(import.meta.dirname, '..', '..', 'node_modules', '.bin')
const node = process.execPath

function allOrNothing({ code }: Outcome): Counts {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** A check is one test: it holds or it does not. */
function check(name: string, run: Command): Step {
  return { name, run, count: allOrNothing }
}

function tool(name: string, args: string[], limitSeconds = 120): Command {
  return { command: join(bin, name), args, limitSeconds }
}

function script(path: string, args: string[] = [], limitSeconds = 120): Command {
  return { command: node, args: [path, ...args], limitSeconds }
}

function vitest(project: string, folder: string): Step {
  const report = join(folder, `vitest-${project}.json`)
  const args = ['run', '--project', project, '--reporter=default', '--reporter=json']
  return {
    name: `tests: ${project}`,
    run: tool('vitest', [...args, `--outputFile.json=${report}`], 600),
    count: ({ code }) => countReport(report, vitestCounts, code),
  }
}

function playwright(folder: string): Step {
  const report = join(folder, 'playwright.json')
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  return {
    name: 'tests: e2e',
    run: { ...tool('playwright', ['test'], 1_200), env },
    count: ({ code }) => countReport(report, playwrightCounts, code),
  }
}

/** Checks that only read: two of them at a time keep both cores busy. */
export function readingSteps(): Step[] {
  return [
    check('types', tool('tsc', ['--noEmit'])),
    check('lint', tool('oxlint', ['--type-aware'])),
    check('format', tool('biome', ['check', '.'])),
    check('rooms', script('scripts/check-rooms.ts')),
    check('imports', script('scripts/check-imports.ts')),
    check('dead code', tool('knip', ['--no-progress'])),
  ]
}

/**
 * One after the other: the build first, because the repo tests look inside the bundle and the browser
 * tests use it, and the benchmarks last and alone. Reports are written to `folder`.
 */
export function runningSteps(folder: string): Step[] {
  return [
    check('build', script('scripts/build.ts', [], 300)),
    vitest('server', folder),
    vitest('arch', folder),
    vitest('spa', folder),
    playwright(folder),
    check('benchmarks', script('bench/run.ts', ['--quick'], 420)),
  ]
}
