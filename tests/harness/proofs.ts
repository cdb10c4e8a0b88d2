import type { TestApp } from '#tests/harness/test-app.ts'

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
