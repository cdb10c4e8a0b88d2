import { spawnSync } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('every production package has a permissive licence or is named in NOTICE', () => {
  const script = fileURLToPath(new URL('./licences.ts', import.meta.url))
  const done = spawnSync(execPath, [script], { encoding: 'utf8' })
  expect(done).toMatchObject({ status: 0, stderr: '' })
  expect(done.stdout).toMatch(/^MIT: \d+ packages, \d+ of them run in production$/m)
})
