import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { bareEnvironment } from '#scripts/test/run-script.ts'
import { inRoot } from './repository.ts'

const CLOCK = new URL('../harness/clock/run-clock.ts', import.meta.url).href

// The clock of the program that runs the tests must not matter here.
const { PATH, NODE_COMPILE_CACHE } = bareEnvironment

/** What a program prints that imports the clock first, as the test runners do. */
function run(program: string, at: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--import', CLOCK, '-e', program], {
    cwd: inRoot(),
    env: { PATH, NODE_COMPILE_CACHE, TZ: 'UTC', TEST_AT: at },
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim()
}

const READ = `[
  new Date().toISOString(), new Date(Date.now()).toISOString(), new Date(Date()).toISOString(),
  Temporal.Now.instant().toString(), Temporal.Now.zonedDateTimeISO('Europe/London').toPlainDateTime().toString(),
].map((text) => text.slice(0, 15))`

test('every clock of a program, and of those it starts, is at TEST_AT in London', () => {
  const shown = Array.from({ length: 4 }, () => '2027-07-04T22:3')
  const clocks = [...shown, '2027-07-04T23:3']
  expect(JSON.parse(run(`console.log(JSON.stringify(${READ}))`, '2027-07-04T23:30'))).toEqual(
    clocks,
  )
  const child = `
    import { execFileSync } from 'node:child_process'
    const program = 'console.log(JSON.stringify(' + ${JSON.stringify(READ)} + '))'
    console.log(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }))`
  expect(JSON.parse(run(child, '2027-07-04T23:30'))).toEqual(clocks)
})

test('dates that a program names itself are what they are', () => {
  const program = `console.log([
    new Date(0).toISOString(), new Date(2020, 1, 29).getDate(), new Date() instanceof Date,
    new Date().constructor === Date, Date.UTC(1970, 0, 2), Date.parse('1970-01-01T00:00Z'),
  ].join())`
  expect(run(program, '2028-02-29T19:00')).toBe('1970-01-01T00:00:00.000Z,29,true,true,86400000,0')
})

test('a server says the moved time in its responses', () => {
  const program = `
    import { createServer } from 'node:http'
    const server = createServer((request, response) => response.end())
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { headers } = await fetch('http://127.0.0.1:' + server.address().port)
    console.log(headers.get('date'))
    server.close()`
  expect(run(program, '2028-02-29T19:00')).toMatch(/^Tue, 29 Feb 2028 19:0/)
})

test('without TEST_AT nothing is moved', () => {
  expect(run("console.log('movedClock' in globalThis)", '')).toBe('false')
})

test('a text that is no date and time is refused', () => {
  expect(() => run('', 'tomorrow')).toThrow(/RangeError/)
})
