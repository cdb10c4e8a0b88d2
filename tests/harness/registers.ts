import type { ProfessionalBody } from '#contract/people.ts'
import { UpstreamError, UpstreamWords } from '#server/kernel/errors.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

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
