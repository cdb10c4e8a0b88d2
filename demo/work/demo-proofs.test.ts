import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StaffProvider } from '#contract/verification-staff.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedProofs } from './demo-proofs.ts'
import { seedRegisters } from './demo-registers.ts'

describeEngines('the demo’s proofs of registrants', (makeDatabase) => {
  test('are accepted for Verified providers; others have a document and a code waiting; written once', async () => {
    const database = await makeDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'apposite-proofs-'))
    await using testApp = await makeTestApp({ database, config: { dataDir } })
    for (let at = 0; at < 20; at += 1) {
      await makeProvider(testApp, {
        email: `ann.lee${at}@demo.example`,
        membership_number: String(900_000 + at),
        ...(at < 3 ? {} : { verification_status: 'Unverified', verified_at: null }),
      })
    }
    const { documents } = testApp.services
    const now = testApp.services.now()
    await seedRegisters(database, { now })
    const seed = () => seedProofs(database, { now, keep: (paper) => documents.save(paper) })
    expect([await seed(), await seed()]).toEqual([true, false])
    const proofs = await database.db
      .selectFrom('registrant_proofs as r')
      .innerJoin('providers as p', 'p.no', 'r.provider_no')
      .select(['r.kind', 'r.state', 'p.id', 'p.verification_status as status'])
      .execute()
    const summaries = proofs.map(({ kind, state, status }) => `${status} ${kind} ${state}`)
    expect(summaries.toSorted()).toEqual([
      'Unverified code waiting',
      'Unverified document waiting',
      ...Array.from({ length: 3 }, () => 'Verified code accepted'),
    ])
    const admin = await signInDemoStaff(testApp, 'admin')
    const waiting = proofs.find(({ kind }) => kind === 'document')
    const { data } = await admin.ask('verification.provider', { providerId: waiting?.id })
    const [proof] = StaffProvider.parse(data).evidence?.proofs ?? []
    const file = await admin.fetch(`/download/company-document/${proof?.documentId}`)
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    await rm(dataDir, { recursive: true, force: true })
  })
})
