import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from './commands.ts'
import { SETTINGS } from './config-check.ts'
import { makeTree, runScript } from './test/run-script.ts'

const scripts = import.meta.dirname

function run(args: string[], settings: Record<string, string> = {}) {
  return runScript('apposite', args, settings)
}

test('help lists every command, and each has its script', () => {
  const { code, out } = run(['help'])
  expect(code).toBe(0)
  for (const [name, { script }] of Object.entries(COMMANDS)) {
    expect(out).toContain(`  ${name} `)
    expect(existsSync(join(scripts, script))).toBe(true)
  }
})

test('an unknown command is refused with the list', () => {
  const { code, err } = run(['bakcup'])
  expect(code).toBe(2)
  expect(err).toMatch(/^There is no command bakcup\.\n\nnpm run apposite/)
})

test('arguments are passed to the command, and its exit code is returned', () => {
  using tree = makeTree({})
  const { code, err } = run(['audit:verify', 'one', 'two'], { DATA_DIR: tree.root })
  expect([code, err]).toEqual([2, expect.stringMatching(/^Give both POSITION and SEAL/)])
})

/** The settings named in the tables of a page, in order. */
function settingsIn(page: string): string[] {
  const rows = readFileSync(join(scripts, '..', page), 'utf8').matchAll(/^\| (`[^|]+)\|/gm)
  return [...rows].flatMap(([, names = '']) =>
    [...names.matchAll(/`([A-Z_]+)/g)].map(([, name = '']) => name),
  )
}

test('the settings match the documentation and the example file', () => {
  const names = settingsIn('docs/operating.md')
  expect(names).toEqual(Object.keys(SETTINGS))
  expect(names).toEqual(expect.arrayContaining(settingsIn('README.md')))
  const example = readFileSync(join(scripts, '../.env.example'), 'utf8')
  expect([...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)).toEqual(names)
})

test('the settings check tries the services, hides secrets and leaves nothing behind', () => {
  using tree = makeTree({})
  const good = run(['config'], { DATA_DIR: tree.root, SECRET_KEY: 's'.repeat(40) })
  expect(good).toMatchObject({ code: 0, err: '' })
  expect(good.out).toContain('set      SECRET_KEY\n')
  expect(good.out).toContain(`set      DATA_DIR=${tree.root}\n`)
  expect(good.out).toContain('not yet  database: the first start makes it\n')
  expect(good.out).toContain('not set  Stripe: no keys: the sandbox stands in\n')
  expect(good.out).toContain('off      tracing\n')
  expect(readdirSync(tree.root)).toEqual([])
  const bad = run(['config'], {
    DATA_DIR: tree.root,
    DATABASE_URL: 'postgres://nobody:secret-word@127.0.0.1:9/none',
    SMTP_URL: 'smtp://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  })
  expect(bad.code).toBe(1)
  expect(bad.out).toContain('on       tracing\n')
  expect(bad.out).toMatch(/^fails {4}database: .+$/m)
  expect(bad.out).toMatch(/^fails {4}mail: .+ECONNREFUSED.+$/m)
  expect(bad.out + bad.err).not.toContain('secret-word')
})

test('all settings that would prevent a start are listed', () => {
  const { code, err } = run(['config'], { DEMO_MODE: 'off' })
  expect(code).toBe(2)
  expect(err).toContain('SECRET_KEY is missing.\nPUBLIC_URL is missing.\n')
})
