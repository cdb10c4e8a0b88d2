import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandLine } from '#scripts/bootstrap/command-line.mjs'
import { TOOLS } from '#scripts/commands.ts'
import { runCommand } from '#scripts/run-command.ts'
import { type Bar, type Measure, meetsLimit, ratioOf } from './bar.ts'

/** A quick run is small and shares the machine with tests: only clear misses count. */
const QUICK_SLACK = 1.25

/** Load from another process must not fail a quick run: a miss counts only when it recurs. */
const QUICK_ATTEMPTS = 4
const PAUSE_MS = 3_000

const here = import.meta.dirname

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function isBar(value: unknown): value is Bar {
  return typeof value === 'object' && value !== null && 'no' in value && 'run' in value
}

function barOf(module: unknown): Bar {
  if (typeof module === 'object' && module !== null && 'bar' in module && isBar(module.bar)) {
    return module.bar
  }
  throw new Error('A file of bench/bars exports no bar.')
}

async function loadBars(only: ReadonlySet<number>): Promise<Bar[]> {
  const names = (await readdir(join(here, 'bars'))).filter((name) => /^\d\d-.*\.ts$/.test(name))
  const wanted = names.filter((name) => only.size === 0 || only.has(Number(name.slice(0, 2))))
  const modules = await Promise.all(
    wanted.toSorted().map((name): Promise<unknown> => import(join(here, 'bars', name))),
  )
  return modules.map(barOf)
}

function shown(value: number): string {
  if (value === 0) return '0'
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(3)
}

function barText({ bar }: Measure): string {
  if (bar === null) return 'for information'
  return 'atMost' in bar ? `at most ${bar.atMost}` : `at least ${bar.atLeast}`
}

type Line = Measure & { no: number; ok: boolean }

function printTable(lines: readonly Line[]): void {
  const width = Math.max(4, ...lines.map(({ name }) => name.length)) + 4
  print(
    `\n${'name'.padEnd(width)}${'ours'.padStart(12)}${'limit'.padStart(12)}${'ratio'.padStart(9)}  ${'bar'.padEnd(16)} ok`,
  )
  for (const line of lines) {
    const { no, name, ours, limit, unit, ok } = line
    const cells = [ours, limit].map((value) => `${shown(value)} ${unit}`.padStart(12)).join('')
    const verdict = line.bar === null ? '' : ok ? 'yes' : 'NO'
    print(
      `${`${String(no).padStart(2)}  ${name}`.padEnd(width)}${cells}${shown(ratioOf(line)).padStart(9)}  ${barText(line).padEnd(16)} ${verdict}`,
    )
  }
}

/** Measures a bar. A quick run pauses and measures again while a line misses; the last try counts. */
async function measure(bar: Bar, quick: boolean): Promise<Line[]> {
  const slack = quick ? QUICK_SLACK : 1
  for (let left = quick ? QUICK_ATTEMPTS : 1; ; left--) {
    const measures = await bar.run({ quick, say: (line) => print(`    ${line}`) })
    const lines = measures.map((one) => ({ ...one, no: bar.no, ok: meetsLimit(one, slack) }))
    const missed = lines.filter(({ ok }) => !ok)
    if (missed.length === 0 || left === 1) return lines
    for (const line of missed) print(`    ${line.name}: ${shown(ratioOf(line))}, once more`)
    await sleep(PAUSE_MS)
  }
}

async function main({ values }: CommandLine<typeof TOOLS.bench>): Promise<number> {
  const only = new Set(values.only.split(',').filter(Boolean).map(Number))
  const bars = await loadBars(only)
  if (bars.length === 0) throw new Error('There is no such bar.')
  const lines: Line[] = []
  for (const bar of bars) {
    print(`${bar.no}  ${bar.title}`)
    lines.push(...(await measure(bar, values.quick)))
  }
  printTable(lines)
  const results = lines.map((line) => ({ ...line, ratio: ratioOf(line) }))
  const report = { quick: values.quick, node: process.version, results }
  await writeFile(join(here, 'results.json'), `${JSON.stringify(report, null, 2)}\n`)
  const missed = lines.filter(({ ok }) => !ok)
  if (missed.length > 0) {
    print(`\n${missed.length} missed.`)
    return 1
  }
  return 0
}

await runCommand(TOOLS.bench, main)
