import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { TokenScope } from '#contract/access-tokens.ts'
import { Availability } from '#contract/availability.ts'
import { buildApiClient } from '#scripts/build/api-client.ts'
import { bareEnvironment } from '#scripts/test/run-script.ts'
import { listen } from '#server/http/listen.ts'
import { makeAccount, makeOwner, makePatient, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser, makeToken } from '#tests/harness/browser.ts'
import { addPlaces, type MadeProvider, makeProvider } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit, insertVisit } from '#tests/harness/visits.ts'
import type { ScriptContext } from './command.ts'
import { exportPayments } from './export-payments.ts'
import { hoursFromCsv } from './hours-from-csv.ts'
import { soonestDentist } from './soonest-dentist.ts'

/** Specialty of the providers the examples look for. */
const DENTIST = 2

/** Hours on two days in April, in the format an example imports. */
const APRIL_HOURS_CSV = `date,from,to,place
2026-04-06,09:00,12:30,Borough Practice
2026-04-06,13:30,17:00,borough practice
2026-04-07,09:00,12:30,
`

/** A temporary folder, deleted when the test finishes. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-examples-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A provider with an account and an access token. */
async function makeProviderWithToken(testApp: TestApp, scopes: TokenScope[], slots: number[] = []) {
  const provider = await makeProvider(testApp, { slots, specialty_no: DENTIST })
  const account = await makeOwner(testApp, provider)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  return { provider, browser, token: (await makeToken(browser, scopes)).secret }
}

/** Seven visits in March of a patient whose name a spreadsheet would run as a formula. */
async function insertMarchVisits(testApp: TestApp, provider: MadeProvider) {
  const { no } = await makeAccount(testApp, { first_name: '=1+1,"x"', last_name: 'Ellis' })
  for (let day = 2; day < 9; day += 1) {
    await insertVisit(testApp, provider, { patientNo: no, startsAt: `2026-03-0${day}T10:00:00Z` })
  }
}

/** Runs a script against a test app; returns its exit code and everything it printed. */
async function run(
  testApp: TestApp,
  script: (args: string[], around: ScriptContext) => Promise<number>,
  asked: { args: string[]; token?: string | undefined; fetch?: typeof fetch },
) {
  const said: string[] = []
  const { args, token } = asked
  const code = await script(args, {
    env: { APPOSITE_TOKEN: token },
    print: (line) => said.push(line),
    printError: (line) => said.push(`! ${line}`),
    fetch:
      asked.fetch ?? ((input, init) => testApp.app.fetch(new Request(input, init), '192.0.2.3')),
  })
  return { code, said: said.join('\n') }
}

async function makeStaffToken(testApp: TestApp, role: 'admin' | 'author'): Promise<string> {
  const { email } = await makeAccount(testApp, { kind: 'staff', role, date_of_birth: null })
  const browser = new Browser(testApp)
  await browser.act('auth.signInStaff', { email, password: PASSWORD })
  return (await makeToken(browser, ['staff-payments:read'])).secret
}

async function extraDates(browser: Browser) {
  const { data } = await browser.ask('availability.mine')
  const { extraDates: dates } = Availability.parse(data)
  return dates.map(({ date, from, to }) => [date, from, to])
}

const scripts = { soonestDentist, hoursFromCsv, exportPayments }

test.each(Object.entries(scripts))('%s prints its usage and the error', async (_, script) => {
  await using testApp = await makeTestApp()
  const help = await run(testApp, script, { args: ['--help'] })
  expect([help.code, help.said.split('\n').length > 8]).toEqual([0, true])
  expect(help.said.split('\n').every((line) => line.length <= 100)).toBe(true)
  const odd = await run(testApp, script, { args: ['--teeth'], token: 'x' })
  expect([odd.code, odd.said]).toEqual([2, expect.stringContaining("Unknown option '--teeth'")])
  const bare = await run(testApp, script, { args: [] })
  expect(bare.code).toBe(2)
})

test('the soonest dentist near a postcode is printed with place, time and price', async () => {
  await using testApp = await makeTestApp()
  await addPlaces(testApp)
  const slots = [Date.parse('2026-03-04T15:00:00Z')]
  await makeProvider(testApp, { specialty_no: DENTIST, slots, last_name: 'Later' })
  const { id } = await makeProvider(testApp, { specialty_no: DENTIST })
  const { code, said } = await run(testApp, soonestDentist, { args: ['SE1', '6ET'] })
  expect(said.split('\n')).toEqual([
    'Dr Amara Okafor, Dentist',
    'Tuesday, 3 March 2026 at 09:00 (Europe/London), £60.00 for a first visit',
    'Borough Practice, London SE1 6ET, 0.0 miles',
    'Few are near, so everybody within 50 miles counts.',
    `http://localhost:3000/doctor-profile/${id}/0.0?region=uk`,
  ])
  expect(code).toBe(0)
  const json = await run(testApp, soonestDentist, { args: ['SE1 6ET', '--json'] })
  expect(JSON.parse(json.said)).toMatchObject({ id, nextFree: '2026-03-03T09:00:00.000Z' })
  const near = ['SE1 6ET', '--specialty', 'orthodontist', '--radius', '1']
  const nobody = await run(testApp, soonestDentist, { args: near })
  expect(nobody.code).toBe(3)
  expect(nobody.said).toMatch(/^! Nobody within .* is free\.$/)
  const unknown = await run(testApp, soonestDentist, { args: ['SW1A 1AA'] })
  expect(unknown.code).toBe(1)
  expect(unknown.said).toMatch(/SW1A 1AA[^]*Reference: \w+/)
})

test('a month of hours is shown first, then written once', async () => {
  await using testApp = await makeTestApp()
  const { browser, token } = await makeProviderWithToken(testApp, ['availability:write'])
  const file = join(await makeFolder(), 'april.csv')
  await writeFile(file, APRIL_HOURS_CSV)
  const dry = await run(testApp, hoursFromCsv, { args: [file], token })
  expect(dry).toEqual({
    code: 0,
    said: [
      '+ 2026-04-06 09:00 to 12:30, Borough Practice',
      '+ 2026-04-06 13:30 to 17:00, Borough Practice',
      '+ 2026-04-07 09:00 to 12:30, Borough Practice',
      '3 to add, 0 to remove, 0 as they are.',
      'Nothing was written. Add --write to do it.',
    ].join('\n'),
  })
  expect(await extraDates(browser)).toEqual([])
  const written = await run(testApp, hoursFromCsv, { args: [file, '--write'], token })
  expect(written.said).toMatch(/Done\.$/)
  expect(await extraDates(browser)).toEqual([
    ['2026-04-06', 540, 750],
    ['2026-04-06', 810, 1_020],
    ['2026-04-07', 540, 750],
  ])
  const again = await run(testApp, hoursFromCsv, { args: [file, '--write'], token })
  expect(again).toEqual({ code: 0, said: '0 to add, 0 to remove, 3 as they are.\nDone.' })
  await writeFile(file, 'date,from,to\n2026-04-07,09:00,12:30\n2026-04-30,10:00,24:00\n')
  await run(testApp, hoursFromCsv, { args: [file, '--write'], token })
  expect(await extraDates(browser)).toEqual([
    ['2026-04-07', 540, 750],
    ['2026-04-30', 600, 1_440],
  ])
})

test('with one invalid line nothing is written; each is reported by number', async () => {
  await using testApp = await makeTestApp()
  const { browser, token } = await makeProviderWithToken(testApp, ['availability:write'])
  const { data } = await browser.ask('availability.mine')
  const mine = Availability.parse(data)
  const placeId = mine.places[0]?.id
  await browser.act('availability.saveHours', {
    version: mine.version,
    settings: mine.settings,
    hours: [{ placeId, week: 1, weekday: 1, from: 540, to: 720 }],
  })
  const file = join(await makeFolder(), 'wrong.csv')
  const lines = [
    'date,from,to,place',
    '2026-04-31,09:00,12:00,',
    '2026-02-27,09:00,12:00,',
    '2026-04-08,9am,12:00,',
    '2026-04-08,12:00,09:00,',
    '2026-04-08,09:00,09:10,',
    '',
    '2026-04-08,09:00,12:00,"The ""Other"" place"',
    '2026-04-08,09:00,12:00,',
    '2026-04-08,11:00,13:00,',
    '2026-05-01,09:00,12:00,',
  ]
  await writeFile(file, `\uFEFF${lines.join('\r\n')}`)
  const wrong = await run(testApp, hoursFromCsv, { args: [file, '--write'], token })
  expect(wrong).toEqual({
    code: 2,
    said: [
      "! line 2: '2026-04-31' is no real date; write it like 2026-04-06.",
      '! line 3: 2026-02-27 is over.',
      "! line 4: '9am' is no time; write it like 09:00.",
      '! line 5: The end 09:00 is not after the start 12:00.',
      '! line 6: 09:00 to 09:10 is shorter than a visit of 30 minutes.',
      `! line 8: You have no place called 'The "Other" place'.`,
      '! line 10: Overlaps with line 9.',
      '! line 11: 2026-05-01 is in another month than line 9.',
      '! Nothing was written.',
    ].join('\n'),
  })
  await writeFile(file, 'date,from,to\n2026-04-06,09:00,12:00\n2026-04-13,11:00,13:00\n')
  const weekly = await run(testApp, hoursFromCsv, { args: [file, '--write'], token })
  expect(weekly.said).toBe(
    '! line 3: Your weekly hours on 2026-04-13 are 09:00 to 12:00 already.\n! Nothing was written.',
  )
  await writeFile(file, 'day;from;to\n')
  expect((await run(testApp, hoursFromCsv, { args: [file], token })).said).toContain('! line 1: ')
  expect(await extraDates(browser)).toEqual([])
  const unread = await run(testApp, hoursFromCsv, { args: [`${file}.gone`], token })
  expect([unread.code, unread.said]).toEqual([2, expect.stringContaining('could not be read.')])
})

test('hours with booked visits are removed only with --confirm, and the visits stay', async () => {
  await using testApp = await makeTestApp()
  const { browser, provider, token } = await makeProviderWithToken(testApp, ['availability:write'])
  const file = join(await makeFolder(), 'april.csv')
  await writeFile(file, APRIL_HOURS_CSV)
  await run(testApp, hoursFromCsv, { args: [file, '--write'], token })
  const { ctx } = await makePatient(testApp)
  await bookVisit(ctx, { providerId: provider.id, startsAt: '2026-04-06T08:00:00.000Z' })
  await writeFile(file, 'date,from,to\n2026-04-07,09:00,12:30\n')
  const stopped = await run(testApp, hoursFromCsv, { args: [file, '--write'], token })
  expect(stopped.code).toBe(3)
  expect(stopped.said.split('\n').slice(-2)).toEqual([
    '1 visit is booked on 2026-04-06.',
    '! Nothing was written. Add --confirm to go on; booked visits stay booked.',
  ])
  expect(await extraDates(browser)).toHaveLength(3)
  const args = [file, '--write', '--confirm']
  const confirmed = await run(testApp, hoursFromCsv, { args, token })
  expect(confirmed.code).toBe(0)
  expect(await extraDates(browser)).toEqual([['2026-04-07', 540, 750]])
  const visits = testApp.database.db.selectFrom('bookings').select('state')
  expect(await visits.execute()).toEqual([{ state: 'confirmed' }])
})

test('a visit booked meanwhile stops the script, and nothing is lost', async () => {
  await using testApp = await makeTestApp()
  const { browser, provider, token } = await makeProviderWithToken(testApp, ['availability:write'])
  const file = join(await makeFolder(), 'april.csv')
  await writeFile(file, APRIL_HOURS_CSV)
  await run(testApp, hoursFromCsv, { args: [file, '--write'], token })
  await writeFile(file, 'date,from,to\n2026-04-07,09:00,12:30\n')
  const { ctx } = await makePatient(testApp)
  let visits = 0
  const stopped = await run(testApp, hoursFromCsv, {
    args: [file, '--write'],
    token,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (request.url.endsWith('availability.removeDate') && visits === 0) {
        visits += 1
        const wanted = { providerId: provider.id, startsAt: '2026-04-06T08:00:00.000Z' }
        await bookVisit(ctx, wanted)
      }
      return testApp.app.fetch(request, '192.0.2.3')
    },
  })
  expect(stopped.code).toBe(3)
  expect(stopped.said).toContain('! Stopped after 0 changes: a visit was booked meanwhile.')
  expect(await extraDates(browser)).toHaveLength(3)
})

test('a month of payments is written without formulas, and resumed after an interruption', async () => {
  await using testApp = await makeTestApp()
  const { provider, token } = await makeProviderWithToken(testApp, ['payments:read'])
  await insertMarchVisits(testApp, provider)
  const out = join(await makeFolder(), 'march.csv')
  const args = ['--month', '2026-03', '--out', out]
  let pages = 0
  const cut = await run(testApp, exportPayments, {
    args,
    token,
    fetch: async (input, init) => {
      pages += 1
      if (pages === 2) return Response.json({}, { status: 500 })
      return testApp.app.fetch(new Request(input, init), '192.0.2.3')
    },
  })
  expect([cut.code, pages]).toEqual([1, 2])
  const kept = await readFile(`${out}.part`, 'utf8')
  expect(kept.split('\r\n')).toHaveLength(7)
  // As after a power cut in the middle of a line.
  await writeFile(`${out}.part`, `${kept}apt_00`)
  const done = await run(testApp, exportPayments, { args, token })
  const lines = ['Going on after 5 payments fetched before.', `7 payments of 2026-03 in ${out}.`]
  expect(done.said).toBe(lines.join('\n'))
  const text = await readFile(out, 'utf8')
  const [header, first, ...rest] = text.split('\r\n')
  expect(header).toBe(
    'id,date,start_time,patient,provider,amount,currency,payment_method,state,refunded',
  )
  expect(first).toMatch(
    /^apt_\w{26},2026-03-02,10:00,"'=1\+1,""x"" Ellis",Dr Amara Okafor,60\.00,GBP,stripe,confirmed,$/,
  )
  expect(rest).toHaveLength(7)
  expect(new Set(text.match(/apt_\w+/g)).size).toBe(7)
})

test('pages that changed, or are from yesterday, are fetched again', async () => {
  await using testApp = await makeTestApp()
  const { provider, token } = await makeProviderWithToken(testApp, ['payments:read'])
  await insertMarchVisits(testApp, provider)
  const folder = await makeFolder()
  const out = join(folder, 'march.csv')
  const args = ['--month', '2026-03', '--out', out]
  await run(testApp, exportPayments, { args, token })
  const whole = await readFile(out, 'utf8')
  const [header] = whole.split('\r\n')
  // Rows of visits that no longer exist.
  await writeFile(`${out}.part`, `${header}\r\n${'apt_gone,,,,,,,,,\r\n'.repeat(1)}`)
  await run(testApp, exportPayments, { args, token })
  expect(await readFile(out, 'utf8')).toBe(whole)
  await writeFile(`${out}.part`, `${header}\r\napt_old,,,,,,,,,\r\n`)
  const yesterday = Date.now() / 1_000 - 24 * 3_600
  await utimes(`${out}.part`, yesterday, yesterday)
  const { said } = await run(testApp, exportPayments, { args, token })
  expect(said).toBe(`7 payments of 2026-03 in ${out}.`)
  const february = ['--month', '2026-02', '--out', join(folder, 'february.csv')]
  const empty = await run(testApp, exportPayments, { args: february, token })
  expect(empty.said).toMatch(/^0 payments of 2026-02/)
  expect((await readdir(folder)).toSorted()).toEqual(['february.csv', 'march.csv'])
})

test('staff export everybody’s payments, with names if their role sees them', async () => {
  await using testApp = await makeTestApp()
  const { provider } = await makeProviderWithToken(testApp, ['payments:read'])
  await insertMarchVisits(testApp, provider)
  const out = join(await makeFolder(), 'all.csv')
  const args = ['--staff', '--month', '2026-03', '--out', out]
  const admin = await makeStaffToken(testApp, 'admin')
  expect((await run(testApp, exportPayments, { args, token: admin })).code).toBe(0)
  expect(await readFile(out, 'utf8')).toContain('Ellis",Dr Amara Okafor,60.00')
  const author = await makeStaffToken(testApp, 'author')
  await run(testApp, exportPayments, { args, token: author })
  expect(await readFile(out, 'utf8')).not.toContain('Ellis')
  const theirs = await run(testApp, exportPayments, { args: args.slice(1), token: admin })
  expect(theirs.code).toBe(1)
  expect(theirs.said).toContain('! Your account can’t do this.')
})

const ROOT = join(import.meta.dirname, '..')

/** Runs a script as a separate process. */
function runProgram(file: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join('examples', file), ...args], {
    cwd: ROOT,
    env: { ...bareEnvironment, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  }
  return new Promise<{ code: number | null; said: string }>((resolve) => {
    child.once('exit', (code) => resolve({ code, said }))
  })
}

test('all three run as programs, with the built client, over a real socket', async () => {
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
