import { expect, test } from 'vitest'
import { makeProviderAccount, signInOwner } from '#tests/harness/accounts.ts'
import { makeClinician } from '#tests/harness/clinician.ts'
import {
  type FakeOutsideCalendars,
  makeFakeOutsideCalendars,
} from '#tests/harness/servers/fake-gateways.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { nextRetryAt, readOutsideCalendars } from './read-calendars.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ADDRESS = 'https://calendar.example/basic.ics'

async function later(testApp: TestApp, ms: number): Promise<void> {
  testApp.advance(ms)
  await readOutsideCalendars(testApp.services)
}

async function open(testApp: TestApp, outside: FakeOutsideCalendars) {
  const { provider, account } = await makeProviderAccount(testApp)
  const { outsideCalendars } = (await signInOwner(testApp, provider, account)).caller
  outside.setBusy('2026-03-10T09:00/10:00')
  const { id } = await outsideCalendars.add({ name: 'Family', address: ADDRESS })
  const show = async () => (await outsideCalendars.list({})).calendars[0]
  return { id, outsideCalendars, show }
}

test('each retry waits as long as the calendar has failed, within limits and with jitter', () => {
  const wait = (minutes: number, chance: number) =>
    nextRetryAt(minutes * MINUTE, 0, chance) / MINUTE - minutes
  expect([0, 15, 30, 60, 120, 240, 600].map((failed) => wait(failed, 0.5))).toEqual([
    15, 15, 30, 60, 120, 240, 240,
  ])
  expect([wait(60, 0), wait(60, 1)]).toEqual([54, 66])
})

test('a failing calendar is read ever more rarely, and not at all after a day', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { id, show, outsideCalendars } = await open(testApp, outside)
  outside.fail('slow')
  for (let minute = 0; minute < 3 * 24 * 60; minute += 5) await later(testApp, 5 * MINUTE)
  // At most: 0, 15, 30, 60, 120 and 240 minutes, then every four hours of a day.
  expect(outside.reads.length).toBeLessThan(18)
  const paused = await show()
  expect(paused).toMatchObject({ failure: 'slow', busy: 1 })
  expect(paused?.pausedAt).toMatch(/^2026-03-03T/)
  await testApp.drainOutbox()
  expect(testApp.mails).toHaveLength(1)
  expect(testApp.mails[0]?.text).toContain('so we’ve stopped trying')
  const reads = outside.reads.length
  await later(testApp, 24 * HOUR)
  expect(outside.reads).toHaveLength(reads)
  outside.setBusy('2026-03-10T09:00/10:00', '2026-03-11T09:00/10:00')
  const resumed = await outsideCalendars.readNow({ id })
  expect(resumed).toMatchObject({ pausedAt: null, failure: null, busy: 2 })
  await later(testApp, 16 * MINUTE)
  expect(outside.reads).toHaveLength(reads + 2)
})

test('a calendar that is resumed and still fails is tried for another day', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const { id, show, outsideCalendars } = await open(testApp, outside)
  outside.fail('refused')
  for (let hour = 0; hour < 40; hour += 1) await later(testApp, HOUR)
  expect((await show())?.pausedAt).not.toBeNull()
  const resumed = await outsideCalendars.readNow({ id })
  expect(resumed).toMatchObject({ pausedAt: null, failure: 'refused' })
  expect(resumed.failingSince).toBe(new Date(testApp.services.now()).toISOString())
  for (let hour = 0; hour < 40; hour += 1) await later(testApp, HOUR)
  expect((await show())?.pausedAt).not.toBeNull()
  await testApp.drainOutbox()
  expect(testApp.mails).toHaveLength(2)
})

test('slow servers of one provider, and failing ones, keep no others waiting', async () => {
  const outside = makeFakeOutsideCalendars()
  await using testApp = await makeTestApp({ outside })
  const providers = await Promise.all(Array.from({ length: 4 }, () => makeClinician(testApp)))
  const [slow, ...others] = providers
  const add = async (owner: typeof slow, name: string) =>
    owner?.caller.outsideCalendars.add({ name, address: `https://${name}.example/` })
  for (let no = 0; no < 5; no += 1) await add(slow, `slow${no}`)
  for (const [no, owner] of others.entries()) await add(owner, `quick${no}`)
  const answer = outside.read.bind(outside)
  const held = Promise.withResolvers<void>()
  const begun: string[] = []
  outside.read = async (address, ...asked) => {
    begun.push(address)
    if (address.includes('slow')) await held.promise
    return answer(address, ...asked)
  }
  testApp.advance(16 * MINUTE)
  const reading = readOutsideCalendars(testApp.services)
  const isQuick = (address: string) => address.includes('quick')
  await expect.poll(() => begun.filter(isQuick).length).toBe(3)
  // One calendar of a provider at a time.
  expect(begun.filter((address) => !isQuick(address))).toHaveLength(1)
  held.resolve()
  await reading
  expect(begun).toHaveLength(8)
})
