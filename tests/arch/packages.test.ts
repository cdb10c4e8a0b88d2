import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { read } from './repository.ts'

const Versions = z.record(z.string(), z.string())
const Manifest = z.object({
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Versions,
})
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.optional(z.boolean()), license: z.optional(z.string()) }),
  ),
})

// These licences only require that their text stays with the code, which it does in node_modules.
const PERMISSIVE = /^(MIT|MIT-0|ISC|0BSD|BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0)$/

test('package.json names exact versions, so that two installs are the same', () => {
  const manifest = Manifest.parse(JSON.parse(read('package.json')))
  const named = Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })
  expect(named.length).toBeGreaterThan(40)
  const loose = named.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
  expect(loose).toEqual([])
})

/** One family for the builds of one package: `lightningcss-linux-x64-gnu` is `lightningcss`. */
function family(path: string): string {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return name.replace(/-(android|darwin|freebsd|linux|linuxmusl|wasm32|win32)(-.*)?$/, '')
}

test('NOTICE names every package we run on that asks for more than its licence text', () => {
  const { packages } = Lock.parse(JSON.parse(read('package-lock.json')))
  const running = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  expect(running.length).toBeGreaterThan(100)
  const asking = running.filter(([, { license }]) => !PERMISSIVE.test(license ?? 'none'))
  expect(asking.length).toBeGreaterThan(0)
  const notice = read('NOTICE').split(/[\s,;:()]+/)
  const unnamed = new Set(
    asking.map(([path]) => family(path)).filter((name) => !notice.includes(name)),
  )
  expect([...unnamed]).toEqual([])
})
