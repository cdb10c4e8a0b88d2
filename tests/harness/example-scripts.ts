import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { TokenScope } from '#contract/access-tokens.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { makeAccount, makeOwner } from './accounts.ts'
import { Browser, makeToken } from './browser.ts'
import { type MadeProvider, makeProvider } from './people.ts'
import { insertVisit } from './visits.ts'

/** Specialty of the providers the examples look for. */
export const DENTIST = 2

/** Hours on two days in April, in the format an example imports. */
export const APRIL_HOURS_CSV = `date,from,to,place
2026-04-06,09:00,12:30,Borough Practice
2026-04-06,13:30,17:00,borough practice
2026-04-07,09:00,12:30,
`

/** A temporary folder, deleted when the test finishes. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-examples-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A provider with an account and an access token. */
export async function makeProviderWithToken(
  testApp: TestApp,
  scopes: TokenScope[],
  slots: number[] = [],
) {
  const provider = await makeProvider(testApp, { slots, specialty_no: DENTIST })
  const account = await makeOwner(testApp, provider)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  return { provider, browser, token: (await makeToken(browser, scopes)).secret }
}

/** Seven visits in March of a patient whose name a spreadsheet would run as a formula. */
export async function insertMarchVisits(testApp: TestApp, provider: MadeProvider) {
  const { no } = await makeAccount(testApp, { first_name: '=1+1,"x"', last_name: 'Ellis' })
  for (let day = 2; day < 9; day += 1) {
    await insertVisit(testApp, provider, { patientNo: no, startsAt: `2026-03-0${day}T10:00:00Z` })
  }
}
