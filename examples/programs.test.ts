import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildApiClient } from '#scripts/build/api-client.ts'
import { listen } from '#server/http/listen.ts'
import {
  APRIL_HOURS_CSV,
  insertMarchVisits,
  makeFolder,
  makeProviderWithToken,
} from '#tests/harness/example-scripts.ts'
import { addPlaces } from '#tests/harness/places.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const ROOT = join(import.meta.dirname, '..')

/** Runs a script as a separate process. */
function runProgram(file: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join('examples', file), ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  return new Promise<{ code: number | null; said: string }>((resolve) => {
    child.once('exit', (code) => resolve({ code, said }))
  })
}

test('all three run as programs, with the client as it is built, over a real socket', async () => {
  await buildApiClient(join(ROOT, 'client'), join(ROOT, 'dist', 'api-client'))
  await using testApp = await makeTestApp()
  await addPlaces(testApp)
  const slots = [Date.parse('2026-03-04T15:00:00Z')]
  const { provider, token } = await makeProviderWithToken(
    testApp,
    ['availability:write', 'payments:read'],
    slots,
  )
  await insertMarchVisits(testApp, provider)
  const server = await listen(testApp.app, {
    ...testApp.services.config,
    host: '127.0.0.1',
    port: 0,
  })
  onTestFinished(() => server.stop())
  const folder = await makeFolder()
  const env = { APPOSITE_URL: `http://127.0.0.1:${server.port}`, APPOSITE_TOKEN: token }
  await writeFile(join(folder, 'april.csv'), APRIL_HOURS_CSV)
  const out = join(folder, 'march.csv')
  const ended = await Promise.all([
    runProgram('soonest-dentist.ts', ['SE1', '6ET'], env),
    runProgram('hours-from-csv.ts', [join(folder, 'april.csv'), '--write'], env),
    runProgram('export-payments.ts', ['--month', '2026-03', '--out', out], env),
    runProgram('export-payments.ts', [], { APPOSITE_URL: env.APPOSITE_URL }),
  ])
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 2])
  expect(ended.map(({ said }) => said)).toEqual([
    expect.stringContaining('Dr Amara Okafor, Dentist'),
    expect.stringContaining('Done.'),
    expect.stringContaining('7 payments of 2026-03'),
    expect.stringContaining('Set APPOSITE_TOKEN'),
  ])
})
