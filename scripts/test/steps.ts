import { join } from 'node:path'
import { type Counts, countReport, playwrightCounts, vitestCounts } from '#scripts/test/counts.ts'
import type { Command, Outcome } from './run-step.ts'

/** A named part of `npm test`. */
export type Step = {
  name: string
  run: Command
  /** Whether its reporter reports every test as it ends. */
  tells: boolean
  count: (outcome: Outcome) => Counts
}

const modules = join(import.meta.dirname, '..', '..', 'node_modules')
const node = process.execPath

function allOrNothing({ code }: Outcome): Counts {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** A check is one test: it holds or it does not. */
function check(name: string, run: Command): Step {
  return { name, run, tells: false, count: allOrNothing }
}

function tool(name: string, ...args: string[]): Command {
  return { command: join(modules, '.bin', name), args }
}

function script(path: string): Command {
  return { command: node, args: [path] }
}

function vitest(name: string, projects: string[], folder: string): Step {
  const report = join(folder, `${name}.json`)
  const args = [
    join(modules, 'vitest', 'vitest.mjs'),
    'run',
    ...projects.map((project) => `--project=${project}`),
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
    `--reporter=${join(import.meta.dirname, 'vitest-reporter.ts')}`,
  ]
  return {
    name,
    run: { command: node, args, env: { NO_COLOR: '1' } },
    tells: true,
    count: ({ code }) => countReport(report, vitestCounts, code),
  }
}

function playwright(folder: string): Step {
  const report = join(folder, 'playwright.json')
  const env = {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    FORCE_COLOR: '0',
    // Kept between runs: Playwright's own place for it is the temporary folder, which is new every time.
    PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(modules, '.cache', 'playwright'),
    NODE_COMPILE_CACHE: join(modules, '.cache', 'compile'),
  }
  return {
    name: 'browser',
    run: { command: node, args: [join(modules, '@playwright', 'test', 'cli.js'), 'test'], env },
    tells: true,
    count: ({ code }) => countReport(report, playwrightCounts, code),
  }
}

/** `npm run check`: everything that can be checked without running the product, the longest first. */
export function checks(): Step[] {
  return [
    check('lint', tool('oxlint', '--type-aware')),
    // One checker does everything once; several would repeat shared work, on cores that lint uses.
    check('types', tool('tsc', '--noEmit', '--checkers', '1')),
    check('dead code', tool('knip', '--no-progress')),
    check('format', tool('biome', 'check', '.')),
    check('imports', tool('oxlint', '-c', 'imports.config.ts')),
    check('rooms', script('scripts/check-rooms.ts')),
  ]
}

/** The build: the repository tests look inside the bundle, and the browser tests use it. */
export function build(): Step {
  return check('build', script('scripts/build.ts'))
}

/** The tests; each step keeps two cores busy. Reports are written to `folder`. */
export function tests(folder: string): Step[] {
  return [
    vitest('server', ['server', 'arch'], folder),
    vitest('components', ['spa'], folder),
    playwright(folder),
  ]
}
