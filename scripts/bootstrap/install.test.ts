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

test('a tree with the test tools serves everything, one without them serves the product', () => {
  expect(checkInstalled(WANTED, { 'm/hono': hono, 'm/vitest': vitest })).toBe('all')
  expect(checkInstalled(WANTED, { 'm/hono': hono })).toBe('runtime')
})

test('what another platform would install is not missed', () => {
  expect(checkInstalled(WANTED, { 'm/hono': hono, 'm/vitest': vitest, 'm/mac': macOnly })).toBe(
    'all',
  )
})

test.each([
  ['another version', { ...hono, version: '4.13.18' }],
  ['other bytes under the same version', { ...hono, integrity: 'sha512-z' }],
])('%s of a package means installing again', (_what, installed) => {
  expect(checkInstalled(WANTED, { 'm/hono': installed, 'm/vitest': vitest })).toBeNull()
})

test('a package that is missing means installing again', () => {
  expect(checkInstalled(WANTED, { 'm/vitest': vitest })).toBeNull()
})

test('no tree, and a record that broke off half-way, mean installing', () => {
  using bare = makeTree({ 'package-lock.json': JSON.stringify({ packages: WANTED }) })
  expect(installedAs(bare.root)).toBeNull()
  using broken = makeTree({
    'package-lock.json': JSON.stringify({ packages: WANTED }),
    'node_modules/.package-lock.json': '{ "packages": { "m/ho',
  })
  expect(installedAs(broken.root)).toBeNull()
})
