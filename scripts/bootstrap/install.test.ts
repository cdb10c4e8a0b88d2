import { expect, test } from 'vitest'
import { installedAs } from '#scripts/bootstrap/install.mjs'
import { makeTree } from '#scripts/test/run-script.ts'

type Entry = {
  version: string
  integrity?: string
  dev?: true
  devOptional?: true
  optional?: true
}

const hono: Entry = { version: '4.13.19', integrity: 'sha512-a' }
const vitest: Entry = { version: '5.1.0', integrity: 'sha512-b', dev: true }
const macOnly: Entry = { version: '26.10.0', integrity: 'sha512-c', optional: true }

const WANTED = { '': { version: '0.1.0' }, 'm/hono': hono, 'm/vitest': vitest, 'm/mac': macOnly }

function checkInstalled(wanted: object, found: object): string | null {
  using tree = makeTree({
    'package-lock.json': JSON.stringify({ packages: wanted }),
    'node_modules/.package-lock.json': JSON.stringify({ packages: found }),
  })
  return installedAs(tree.root)
}

test('an install with the test tools satisfies all needs, one without them only the runtime', () => {
  expect(checkInstalled(WANTED, { 'm/hono': hono, 'm/vitest': vitest })).toBe('all')
  expect(checkInstalled(WANTED, { 'm/hono': hono })).toBe('runtime')
})

test('optional packages of other platforms are not required', () => {
  expect(checkInstalled(WANTED, { 'm/hono': hono, 'm/vitest': vitest, 'm/mac': macOnly })).toBe(
    'all',
  )
})

test.each([
  ['another version', { ...hono, version: '4.13.18' }],
  ['other bytes under the same version', { ...hono, integrity: 'sha512-z' }],
])('%s of a package requires an install', (_what, installed) => {
  expect(checkInstalled(WANTED, { 'm/hono': installed, 'm/vitest': vitest })).toBeNull()
})

test('a missing package requires an install', () => {
  expect(checkInstalled(WANTED, { 'm/vitest': vitest })).toBeNull()
})

test('a missing tree or a truncated record requires an install', () => {
  using bare = makeTree({ 'package-lock.json': JSON.stringify({ packages: WANTED }) })
  expect(installedAs(bare.root)).toBeNull()
  using broken = makeTree({
    'package-lock.json': JSON.stringify({ packages: WANTED }),
    'node_modules/.package-lock.json': '{ "packages": { "m/ho',
  })
  expect(installedAs(broken.root)).toBeNull()
})
