import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Command, callOf, readCommandLine, UsageError } from './bootstrap/command-line.mjs'
import { COMMANDS, TOOLS } from './commands.ts'
import { bareEnvironment, makeTree } from './test/run-script.ts'

const root = join(import.meta.dirname, '..')
const Package = z.object({ scripts: z.record(z.string(), z.string()) })
const { scripts } = Package.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

type Run = { name: string; call: string; words: string[]; most: number }

/** Enough words for any command, and one more than it takes. */
const wordsOf = ({ args = [] }: Command, more: number) =>
  Array.from({ length: args.length + more }, (_, at) => `word-${at}`)

function toRun(name: string, command: Command, words: string[]): Run {
  const isOpenEnded = command.args?.at(-1)?.endsWith('…]') === true
  return {
    name,
    call: callOf(command),
    words,
    most: isOpenEnded ? Infinity : (command.args?.length ?? 0),
  }
}

/** What npm starts, without the part that installs and finds the right Node. */
function scriptOf(name: string): string[] {
  const [, start = '', ...rest] = (scripts[name] ?? '').split(' ')
  if (start === 'scripts/with-runtime.mjs') return rest
  return start === 'scripts/test.mjs' ? ['scripts/run-tests.ts'] : [start, ...rest]
}

const runs: Run[] = [
  ...Object.entries(COMMANDS).map(([name, one]) =>
    toRun(`apposite ${name}`, one, ['scripts/apposite.ts', name]),
  ),
  ...Object.entries(TOOLS).map(([name, one]) => toRun(name, one, scriptOf(name))),
  { name: 'start', call: 'npm start', words: scriptOf('start'), most: 0 },
  { name: 'dev', call: 'npm run dev', words: scriptOf('dev'), most: 0 },
]

type Ended = { code: number; out: string; err: string }

function run(words: readonly string[], folder: string): Promise<Ended> {
  const [script = '', ...args] = words
  const env = { ...bareEnvironment, DATA_DIR: folder, INIT_CWD: folder }
  return new Promise((resolve) => {
    const options = { cwd: folder, env }
    execFile(process.execPath, [join(root, script), ...args], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

/** What a command that runs would write besides data. */
const OUTPUTS = [
  'dist',
  'bench/results.json',
  'docs/pictures',
  'db/geo/uk-sectors.tsv',
  'migrations',
]

const changedAt = () =>
  OUTPUTS.map((path) => join(root, path)).map((path) =>
    existsSync(path) ? statSync(path).mtimeMs : null,
  )

test('every npm script of ours is among the commands', () => {
  const known = new Set([...runs.map(({ name }) => name), ...Object.keys(COMMANDS)])
  const others = new Set(['apposite', 'format', 'example'])
  const unknown = Object.entries(scripts)
    // Named steps of the tests.
    .filter(([name, line]) => !/test\.mjs \w/.test(line) && !others.has(name) && !known.has(name))
  expect(unknown).toEqual([])
})

test.each(runs)('$name shows its usage, and with wrong arguments does nothing', async (one) => {
  using tree = makeTree({})
  const { call, words, most } = one
  const before = changedAt()
  const wrong: string[][] = [['--no-such-option']]
  if (Number.isFinite(most)) wrong.push(Array.from({ length: most + 1 }, (_, at) => `word-${at}`))
  const asked = ['--help', '-h'].map(async (help) => {
    const { code, out, err } = await run([...words, help], tree.root)
    expect([code, err]).toEqual([0, ''])
    expect(out.startsWith(`${call}\n\n`)).toBe(true)
    expect(out).toContain('-h, --help')
  })
  const refused = wrong.map(async (args) => {
    const { code, out, err } = await run([...words, ...args], tree.root)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^\S.*\.\n\n/)
    expect(err).toContain(`\n\n${call}\n`)
  })
  await Promise.all([...asked, ...refused])
  expect(readdirSync(tree.root)).toEqual([])
  expect(changedAt()).toEqual(before)
})

const commands: [string, Command][] = Object.entries({ ...COMMANDS, ...TOOLS })
const needing = commands.filter(([, { asks }]) => asks !== undefined)

test.each(needing)('%s without its words asks for them', (_name, command) => {
  expect(() => readCommandLine(command, [])).toThrow(`${command.asks}: ${callOf(command)}`)
  const words = wordsOf(command, 0)
  for (const at of words.keys()) {
    expect(() => readCommandLine(command, words.with(at, ' '))).toThrow('is empty.')
  }
})

test.each([
  [['--minutes', 'ten'], '--minutes must be a number.'],
  [['--minutes='], '--minutes is empty.'],
  [['--minutes'], "Option '--minutes <value>' argument missing."],
  [['--keep=yes'], "Option '--keep' does not take an argument."],
  [['--minute', '1'], "Unknown option '--minute'."],
  [['-x'], "Unknown option '-x'."],
])('an option is given rightly or refused: %j', (args, sentence) => {
  expect(() => readCommandLine(TOOLS.drill, args)).toThrow(new UsageError(sentence))
})

test('what was not given has its default, and a flag that is on can be switched off', () => {
  const line = readCommandLine(TOOLS.drill, ['--no-standby', '--seed', '4'])
  expect(line?.values).toMatchObject({ standby: false, pgbouncer: true, seed: '4', minutes: '10' })
  expect(line?.words).toEqual([])
})

test('a value that begins with a dash is a value after two dashes, and a seal always is', () => {
  expect(readCommandLine(COMMANDS.backup, ['--', '--help'])?.words).toEqual(['--help'])
  const seal = `-${'A'.repeat(42)}`
  expect(readCommandLine(COMMANDS['audit:verify'], ['5', seal])?.words).toEqual(['5', seal])
})
