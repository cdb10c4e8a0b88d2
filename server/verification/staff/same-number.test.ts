import { expect, test } from 'vitest'
import { StaffProvider } from '#contract/verification-staff.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { addPlaces } from '#tests/harness/places.ts'
import { addProof } from '#tests/harness/proofs.ts'
import { setRegister } from '#tests/harness/registers.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

/** Two accounts with the number of one registrant, both waiting. */
async function open(testApp: TestApp) {
  await addPlaces(testApp)
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
  const { provider: first } = await makeProviderAccount(testApp)
  const { provider: second } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Unverified', verified_at: null })
    .execute()
  for (const { id } of [first, second]) await addProof(testApp, id)
  const admin = await signInDemoStaff(testApp, 'admin')
  const verify = (providerId: string, seen = 'waiting') =>
    admin.act('verification.decide', { providerId, seen, verification_status: 'Verified' })
  const read = async (providerId: string) =>
    StaffProvider.parse((await admin.ask('verification.provider', { providerId })).data)
  return { first, second, admin, verify, read }
}

async function verified({ database: { db } }: TestApp): Promise<string[]> {
  const rows = await db
    .selectFrom('providers')
    .select('id')
    .where('verification_status', '=', 'Verified')
    .execute()
  return rows.map(({ id }) => id)
}

describeEngines('two accounts with one registration number', (makeDatabase) => {
  test('each is flagged to staff before anything is decided', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { first, second, admin, read } = await open(testApp)
    expect((await read(second.id)).evidence?.sameNumber).toEqual([
      {
        providerId: first.id,
        name: 'Dr Amara Okafor',
        verification_status: 'Unverified',
        registeredOn: '2026-03-02',
      },
    ])
    const { data } = await admin.ask('verification.providers', { list: 'waiting' })
    expect(data).toMatchObject({ providers: [{ isNumberShared: true }, { isNumberShared: true }] })
    // The number of an erased account is no longer claimed.
    await testApp.database.db
      .updateTable('providers')
      .set({ email: `${first.id}@erased.invalid` })
      .where('no', '=', first.no)
      .execute()
    expect((await read(second.id)).evidence?.sameNumber).toEqual([])
    const left = await admin.ask('verification.providers', { list: 'waiting' })
    expect(left.data).toMatchObject({ providers: [{ isNumberShared: false }] })
  })

  test('the second cannot become Verified while the first is, and the evidence says so', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { first, second, admin, verify, read } = await open(testApp)
    expect((await verify(first.id)).status).toBe(200)
    const refused = await verify(second.id)
    expect([refused.status, refused.code]).toEqual([409, 'number_taken'])
    expect(await verified(testApp)).toEqual([first.id])
    const { evidence } = await read(second.id)
    expect(evidence?.history).toMatchObject([
      {
        kind: 'decision',
        outcome: 'match',
        decision: null,
        reason: 'The number belongs to another account, which is Verified.',
      },
    ])
    const denied = await testApp.database.db
      .selectFrom('audit')
      .select(['entity', 'details'])
      .where('action', '=', 'verification.decided')
      .where('outcome', '=', 'failed')
      .execute()
    expect(denied).toEqual([
      { entity: second.id, details: '{"body":"GMC","outcome":"match","code":"number_taken"}' },
    ])
    await admin.act('verification.decide', {
      providerId: first.id,
      seen: 'verified',
      verification_status: 'Unverified',
      reason: 'Not the registrant.',
    })
    expect((await verify(second.id)).status).toBe(200)
    expect(await verified(testApp)).toEqual([second.id])
  })

  test('of two decisions at once one holds', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { first, second, verify } = await open(testApp)
    const outcomes = await Promise.all([verify(first.id), verify(second.id)])
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await verified(testApp)).toHaveLength(1)
  })
})
