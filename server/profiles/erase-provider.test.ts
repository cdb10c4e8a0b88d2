import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Availability } from '#contract/availability.ts'
import { DataExport } from '#contract/profiles.ts'
import { DOCUMENT_PATH, DocumentResponse } from '#contract/verification.ts'
import type { Database } from '#db/engine.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { newKey, ukAccount } from '#tests/harness/bank-accounts.ts'
import { addPlaces } from '#tests/harness/places.ts'
import { setRegister } from '#tests/harness/registers.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const own = { professional_body_name: 'GMC', membership_number: '7654321' }
const company = { company_name: 'Canary Care Ltd', registration_number: 'CANARY77' }
const Saved = z.object({ saved: z.literal(true), mine: Availability })

/** Every row of every table. */
async function dump({ database }: TestApp): Promise<string> {
  const rows: unknown[] = []
  for (const { name } of await database.db.introspection.getTables()) {
    const all = sql<Record<string, unknown>>`select * from ${sql.table(name)}`
    // Registers are public lists, so their tables are left out.
    if (!name.startsWith('register_')) rows.push((await all.execute(database.db)).rows)
  }
  return JSON.stringify(rows)
}

async function openProvider(database: Database) {
  const dataDir = await mkdtemp(join(tmpdir(), 'apposite-provider-'))
  const testApp = await makeTestApp({
    database,
    config: { dataDir },
    mail: { send: () => Promise.resolve('sent') },
  })
  await addPlaces(testApp)
  const { account, provider } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ first_name: 'Canary', membership_number: own.membership_number })
    .where('no', '=', provider.no)
    .execute()
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const act = async (path: string, input: object) => {
    const outcome = await browser.act(path, input, { 'idempotency-key': newKey() })
    expect([path, outcome.message, outcome.status]).toEqual([path, null, 200])
    return outcome.data
  }
  return {
    testApp,
    browser,
    act,
    files: () => readdir(join(dataDir, 'documents')).catch(() => [] as string[]),
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  }
}

type OpenedProvider = Awaited<ReturnType<typeof openProvider>>

/** Creates data in every feature module a provider uses. */
async function useEveryFeature({ testApp, browser, act }: OpenedProvider): Promise<void> {
  await act('profiles.addPlace', {
    hospital_name: 'Canary Clinic',
    address: '3 Canary Lane',
    postcode: 'se1 6et',
    phone: '020 7946 0777',
  })
  const { data } = await browser.ask('availability.mine')
  const { version, settings, places } = Availability.parse(data)
  const placeId = places[1]?.id ?? ''
  const hours = [{ placeId, week: 1, weekday: 3, from: 540, to: 720 }]
  const { mine } = Saved.parse(await act('availability.saveHours', { version, settings, hours }))
  const { mine: later } = Saved.parse(
    await act('availability.addDates', {
      version: mine.version,
      placeId,
      dates: ['2026-03-07'],
      from: 540,
      to: 720,
      note: 'Canary rota',
    }),
  )
  await act('availability.addAbsence', {
    version: later.version,
    placeId: null,
    from: '2026-03-09',
    to: '2026-03-13',
    note: 'Canary islands',
  })
  await act('bankAccounts.add', { ...ukAccount, key: newKey(), name: 'Canary Savings' })
  await setRegister(testApp, 'GMC', [{ number: own.membership_number, name: 'Canary Other' }])
  await act('verification.lookUpMine', own)
  const upload = async () => {
    const response = await browser.fetch(DOCUMENT_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/pdf' },
      body: '%PDF-1.7 canary %%EOF',
    })
    return DocumentResponse.parse(await response.json()).document
  }
  await act('verification.sendProof', { document: await upload() })
  const document = await upload()
  const address = '7 Canary Wharf, London'
  await act('verification.sendCompany', { ...company, address, document })
}

describeEngines('a provider who has used everything', (makeDatabase) => {
  test('takes everything away, and leaves nothing behind that names them', async () => {
    await using begun = await openProvider(await makeDatabase())
    const { testApp, browser, files } = begun
    await useEveryFeature(begun)
    await testApp.drainOutbox()
    expect(await files()).toHaveLength(2)
    const taken = JSON.stringify(
      DataExport.parse((await browser.act('profiles.exportData', {})).data),
    )
    for (const trace of [
      'Clinic',
      'Lane',
      'rota',
      'islands',
      'Savings',
      'Other',
      'Care Ltd',
      'Wharf',
    ])
      expect(taken).toContain(`Canary ${trace}`)
    expect(taken).toContain(company.registration_number)
    expect(taken).not.toContain(ukAccount.account_number)
    const { status } = await browser.act('erasure.erase', { confirm: true })
    expect(status).toBe(200)
    await testApp.drainOutbox()
    const kept = (await dump(testApp)).replaceAll(/"to_address":"[^"]*"/g, '')
    expect(kept.match(/.{0,200}(canary|okafor|7654321|7946 0777).{0,60}/gi)).toBeNull()
    expect(await files()).toEqual([])
  })
})
