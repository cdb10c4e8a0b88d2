import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DOCUMENT_PATH, DocumentResponse } from '#contract/verification.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const company = {
  company_name: 'Harbour Surgery Ltd',
  registration_number: '01234567',
  address: '1 Harbour Street, London',
}

describeEngines('a company sent while another tab uploads its document', (makeDatabase) => {
  test('is sent with its own document or told to add one, and is never a failure of ours', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'apposite-documents-'))
    const testApp = await makeTestApp({ database: await makeDatabase(), config: { dataDir } })
    const { account } = await makeProviderAccount(testApp)
    const browser = new Browser(testApp)
    await browser.signIn(account)
    const upload = () =>
      browser.fetch(DOCUMENT_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/pdf' },
        body: '%PDF-1.7 %%EOF',
      })
    for (let round = 0; round < 6; round += 1) {
      const { document } = DocumentResponse.parse(await (await upload()).json())
      const [second, sent] = await Promise.all([
        upload(),
        browser.act('verification.sendCompany', { ...company, document }),
      ])
      expect([round, second.status]).toEqual([round, 201])
      expect([200, 404]).toContain(sent.status)
      await testApp.database.db.deleteFrom('company_claims').execute()
    }
    await rm(dataDir, { recursive: true, force: true })
  })
})
