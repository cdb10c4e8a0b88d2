import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProfessionalBody } from '#contract/base/people.ts'
import type { Database } from '#db/engine.ts'
import { UpstreamError, UpstreamWords } from '#server/kernel/errors.ts'
import { makeOwner, makeProviderAccount } from './accounts.ts'
import { Browser } from './browser.ts'
import { makeProvider } from './people.ts'
import { signInDemoStaff } from './staff.ts'
import { makeTestApp, type TestApp } from './test-app.ts'

type Entry = { number: string; name: string; status?: string }

/** Replaces the list of a register, as an import does. */
export async function setRegister(
  testApp: TestApp,
  body: ProfessionalBody,
  entries: readonly Entry[],
): Promise<void> {
  const now = testApp.services.now()
  await testApp.database.transaction(async (db) => {
    await db
      .updateTable('register_loads')
      .set({ state: 'old' })
      .where('body', '=', body)
      .where('state', '=', 'current')
      .execute()
    const { no } = await db
      .insertInto('register_loads')
      .values({
        body,
        state: 'current',
        source: 'test',
        entries: entries.length,
        started_at: now,
        finished_at: now,
      })
      .returning('no')
      .executeTakeFirstOrThrow()
    if (entries.length === 0) return
    const rows = entries.map(
      ({ number, name, status = 'Registered with licence to practise' }) => ({
        load_no: no,
        registration_number: number,
        name,
        status_text: status,
      }),
    )
    await db.insertInto('register_entries').values(rows).execute()
  })
}

type CompanyDecision = { state: 'accepted' | 'refused'; reason?: string }

/** Decides on the one company in review, as staff do. */
export async function decideCompany(
  testApp: TestApp,
  { state, reason }: CompanyDecision,
): Promise<void> {
  await testApp.database.db
    .updateTable('company_claims')
    .set({ state, reason: reason ?? null, decided_at: testApp.services.now() })
    .where('state', '=', 'in_review')
    .execute()
}

/**
 * Makes every lookup in the registers fail from now on, with `words` as their message; null means that they
 * are down.
 */
export function failRegisters({ services }: TestApp, words: string | null): void {
  const cause = words === null ? null : new UpstreamWords(words)
  services.registers = {
    ...services.registers,
    lookUp: (body) => Promise.reject(new UpstreamError(`The ${body} register`, cause)),
  }
}

/**
 * Adds an accepted proof, by code, that a provider is the person in the register, for the number they claim
 * now.
 */
export async function addProof(testApp: TestApp, providerId: string): Promise<string> {
  const { db } = testApp.database
  const now = testApp.services.now()
  const provider = await db
    .selectFrom('providers')
    .select(['no', 'first_name', 'last_name', 'professional_body', 'membership_number'])
    .where('id', '=', providerId)
    .executeTakeFirstOrThrow()
  const id = testApp.services.newId('prf')
  await db
    .insertInto('registrant_proofs')
    .values({
      id,
      provider_no: provider.no,
      kind: 'code',
      state: 'accepted',
      body: provider.professional_body,
      claimed_number: provider.membership_number,
      claimed_name: `${provider.first_name} ${provider.last_name}`,
      document_no: null,
      email: 'reception@practice.example',
      source: 'Website of the practice',
      created_at: now,
      created_by: null,
      decided_at: now,
      decided_by: null,
      reason: null,
    })
    .execute()
  return id
}

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

const colleagues = new WeakMap<TestApp, Promise<Browser>>()

/** Calls a procedure as another member of staff, always the same one, from a browser of their own. */
export async function actAsColleague(testApp: TestApp, path: string, input: object): Promise<void> {
  const colleague = colleagues.get(testApp) ?? signInDemoStaff(testApp, 'superuser')
  colleagues.set(testApp, colleague)
  const { code } = await (await colleague).act(path, input)
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
  const account = await makeOwner(testApp, provider)
  const browser = new Browser(testApp, address)
  await browser.signIn(account)
  return { provider, account, browser }
}
