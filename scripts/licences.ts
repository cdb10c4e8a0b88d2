/**
 * Lists the licences of everything package-lock.json installs, with what runs in production marked.
 * Exits with 1 when a licence requires more than keeping its text and NOTICE does not name the package.
 *
 *     npm run licences
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stderr, stdout } from 'node:process'
import * as z from 'zod/mini'
import { TOOLS } from './commands.ts'
import { runCommand } from './run-command.ts'

const root = join(import.meta.dirname, '..')

/** Licences that only require their text to be kept, which node_modules does. */
const SIMPLE = /^(?:MIT(?:-0)?|ISC|0BSD|BSD(?:-[23]-Clause)?|Apache-2\.0)$/

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ license: z.optional(z.string()), dev: z.optional(z.boolean()) }),
  ),
})

/** Builds of a package for different platforms count under its name: `lightningcss-linux-x64-gnu` is `lightningcss`. */
function familyOf(name: string): string {
  return name.replace(/-(?:android|darwin|freebsd|linux|linuxmusl|wasm32|win32)(?:-.*)?$/, '')
}

function main(): number {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const notice = readFileSync(join(root, 'NOTICE'), 'utf8').split(/[\s,;:()]+/)
  const found = Object.entries(packages).flatMap(
    ([path, { license = 'none named', dev = false }]) => {
      const name = path.split('node_modules/').at(-1) ?? ''
      return name === '' ? [] : [{ name, licence: license, dev }]
    },
  )
  for (const [licence, all] of [...Map.groupBy(found, (one) => one.licence)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )) {
    const running = all.filter(({ dev }) => !dev).length
    stdout.write(`${licence}: ${all.length} packages, ${running} of them run in production\n`)
  }
  const unnamed = found.filter(
    ({ name, licence, dev }) => !dev && !SIMPLE.test(licence) && !notice.includes(familyOf(name)),
  )
  for (const { name, licence } of unnamed) {
    stderr.write(`${name} is under ${licence}, and NOTICE does not name it.\n`)
  }
  return unnamed.length === 0 ? 0 : 1
}

await runCommand(TOOLS.licences, main)
