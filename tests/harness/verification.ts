import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#db/engine.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

/** A test app with a document folder of its own, which is deleted with it. */
export async function makeTestAppWithFiles(database?: Database): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'apposite-verifiers-'))
  const testApp = await makeTestApp({ config: { dataDir }, ...(database && { database }) })
  return {
    ...testApp,
    [Symbol.asyncDispose]: async () => {
      await testApp[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj <</Type/Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n',
)

/** A provider with an account who has submitted a company with this very PDF, signed in in a browser. */
export async function makeProviderWithCompany(testApp: TestApp, address = '192.0.2.9') {
  const { provider } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp, address)
  await browser.signIn({ email: provider.email, kind: 'provider' })
  const response = await browser.fetch('/upload/company-document', {
    method: 'POST',
    headers: { 'content-type': 'application/pdf' },
    body: PDF,
  })
  const answer: unknown = await response.json()
  const document =
    typeof answer === 'object' && answer !== null && 'document' in answer
      ? String(answer.document)
      : ''
  const sent = await browser.act('verification.sendCompany', {
    company_name: 'Borough Care Ltd',
    registration_number: '01234567',
    address: '12 Harper Road\nLondon SE1 6ET',
    document,
  })
  if (sent.status !== 200) throw new Error(`the company was not sent: ${sent.code}`)
  const { id: claimId } = await testApp.database.db
    .selectFrom('company_claims')
    .select('id')
    .where('provider_no', '=', provider.no)
    .executeTakeFirstOrThrow()
  return { provider, browser, document, claimId, pdf: PDF }
}

/** Calls a procedure as another member of staff, from a browser of their own. */
export async function actAsColleague(testApp: TestApp, path: string, input: object): Promise<void> {
  const { code } = await (await signInDemoStaff(testApp, 'superuser')).act(path, input)
  if (code !== null) throw new Error(`${path} was refused: ${code}`)
}

/** A provider nobody has checked yet, signed in in a browser. */
export async function makeUnverifiedProvider(
  testApp: TestApp,
  address = '192.0.2.1',
  number = '7000001',
) {
  const provider = await makeProvider(testApp, {
    verification_status: 'Unverified',
    verified_at: null,
    membership_number: number,
  })
  const account = await makeAccount(testApp, {
    kind: 'provider',
    email: provider.email,
    date_of_birth: null,
    provider_no: provider.no,
  })
  const browser = new Browser(testApp, address)
  await browser.signIn(account)
  return { provider, account, browser }
}
