import { expect, test } from 'vitest'
import { ProvidersPage, VerificationQueue } from '#contract/verification-staff.ts'
import type { ProviderStandingRow } from '#db/tables/verification.ts'
import { type MadeProvider, makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { makeProviderWithCompany, makeTestAppWithFiles } from '#tests/harness/verification.ts'

const HOUR = 3_600_000
const unverified = { verification_status: 'Unverified', verified_at: null } as const

type Standing = Partial<ProviderStandingRow>

/** A provider who has waited for `hours`, with the given status. */
async function addWaitingProvider(
  testApp: TestApp,
  last_name: string,
  { hours, ...standing }: Standing & { hours: number },
): Promise<MadeProvider> {
  const made = await makeProvider(testApp, { ...unverified, first_name: 'Ann', last_name })
  const at = testApp.services.now() - hours * HOUR
  await testApp.database.db
    .insertInto('provider_standings')
    .values({
      provider_no: made.no,
      state: 'waiting',
      since: at,
      reason: null,
      is_match: 0,
      asked_at: at,
      checked_at: at,
      due_at: null,
      doubt_since: null,
      ...standing,
    })
    .execute()
  return made
}

/** One provider of every kind, the queue first, in its order. */
async function addEveryKind(testApp: TestApp) {
  const match = await addWaitingProvider(testApp, 'Match', { hours: 1, is_match: 1 })
  const longest = await addWaitingProvider(testApp, 'Longest', { hours: 9 })
  const shorter = await addWaitingProvider(testApp, 'Shorter', { hours: 3 })
  const neverChecked = await makeProvider(testApp, {
    ...unverified,
    last_name: 'Untold',
    created_at: testApp.services.now() - 2 * HOUR,
  })
  const asked = await addWaitingProvider(testApp, 'Asked', { hours: 20, asked_again_at: 1 })
  const refused = await addWaitingProvider(testApp, 'Refused', {
    hours: 5,
    state: 'refused',
    reason: 'No.',
  })
  const suspended = await addWaitingProvider(testApp, 'Lost', {
    hours: 5,
    state: 'lost',
    reason: 'standing',
  })
  const verified = await makeProvider(testApp, {
    last_name: 'Verified',
    membership_number: '7654321',
    professional_body: 'GDC',
  })
  const american = await makeProvider(testApp, {
    last_name: 'O_Hara',
    region: 'usa',
    professional_body: 'NPI',
  })
  const erased = await makeProvider(testApp, { ...unverified, email: 'prv_x@erased.invalid' })
  return {
    match,
    longest,
    shorter,
    untold: neverChecked,
    asked,
    refused,
    lost: suspended,
    verified,
    american,
    erased,
  }
}

function idsOf(...made: MadeProvider[]): string[] {
  return made.map(({ id }) => id)
}

describeEngines('the lists of providers', (makeDatabase) => {
  test('list everybody, and each state in working order', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const all = await addEveryKind(testApp)
    const admin = await signInDemoStaff(testApp, 'admin')
    const list = async (input: object) => {
      const { data } = await admin.ask('verification.providers', input)
      return ProvidersPage.parse(data).providers.map(({ providerId }) => providerId)
    }
    expect(await list({ list: 'waiting' })).toEqual(
      idsOf(all.match, all.longest, all.shorter, all.untold, all.asked),
    )
    expect(await list({ list: 'refused' })).toEqual(idsOf(all.refused))
    expect(await list({ list: 'lost' })).toEqual(idsOf(all.lost))
    expect(new Set(await list({ list: 'verified' }))).toEqual(
      new Set(idsOf(all.verified, all.american)),
    )
    // Erased accounts are not listed.
    expect(await list({})).toHaveLength(9)
    expect(await list({ list: 'waiting', sort: 'newest' })).toEqual(
      idsOf(all.match, all.untold, all.shorter, all.longest, all.asked),
    )
    expect((await list({ list: 'waiting', sort: 'name' }))[0]).toBe(all.asked.id)
  })

  test('can be searched by name, number and address, and filtered', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const all = await addEveryKind(testApp)
    const accented = await makeProvider(testApp, { first_name: 'Émile', last_name: 'Dūra' })
    const admin = await signInDemoStaff(testApp, 'admin')
    const list = async (input: object) => {
      const { data } = await admin.ask('verification.providers', input)
      return ProvidersPage.parse(data).providers.map(({ providerId }) => providerId)
    }
    expect(await list({ search: ' ann  LONG ' })).toEqual(idsOf(all.longest))
    expect(await list({ search: '76543' })).toEqual(idsOf(all.verified))
    expect(await list({ search: all.match.email.toUpperCase() })).toEqual(idsOf(all.match))
    expect(await list({ search: 'émile' })).toEqual(idsOf(accented))
    // Wildcard characters match literally.
    expect(await list({ search: 'o_h' })).toEqual(idsOf(all.american))
    expect(await list({ search: 'o%h' })).toEqual([])
    expect(await list({ search: "' or 1=1 --" })).toEqual([])
    expect(await list({ region: 'usa' })).toEqual(idsOf(all.american))
    expect(await list({ body: 'GDC' })).toEqual(idsOf(all.verified))
    const day = { from: '2026-03-02', to: '2026-03-02' }
    expect(await list({ list: 'waiting', ...day })).toEqual(
      idsOf(all.match, all.longest, all.shorter, all.untold),
    )
    expect(await list({ list: 'waiting', to: '2026-03-01' })).toEqual(idsOf(all.asked))
  })

  test('have pages of 25 with the total, and are empty past the end', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    for (let at = 0; at < 27; at += 1) await makeProvider(testApp)
    const admin = await signInDemoStaff(testApp, 'admin')
    const page = async (number: number) =>
      ProvidersPage.parse((await admin.ask('verification.providers', { page: number })).data)
    expect(await page(1)).toMatchObject({ current_page: 1, total_pages: 2, total: 27 })
    expect((await page(1)).providers).toHaveLength(25)
    expect((await page(2)).providers).toHaveLength(2)
    expect(await page(9_999)).toMatchObject({ providers: [], total: 27 })
    for (const wrong of [0, -1, 'abc', 1e9]) {
      const { status, code } = await admin.ask('verification.providers', { page: wrong })
      expect([wrong, status, code]).toEqual([wrong, 400, 'page_invalid'])
    }
    const sorted = await admin.ask('verification.providers', { sort: 'password' })
    expect([sorted.status, sorted.message]).toEqual([400, 'Unknown sort field.'])
  })

  test('show what a verifier needs', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { provider } = await makeProviderWithCompany(testApp)
    const admin = await signInDemoStaff(testApp, 'admin')
    const { data } = await admin.ask('verification.providers', { list: 'company' })
    expect(data).toMatchObject({
      total: 1,
      providers: [
        {
          providerId: provider.id,
          name: 'Dr Amara Okafor',
          specialty: 'GP',
          locality: 'London',
          membership_number: '7000001',
          email: provider.email,
          state: 'verified',
          at: '2026-03-02T09:00:00.000Z',
          hasCompanyInReview: true,
        },
      ],
    })
  })

  test('show editors and authors public data only', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const all = await addEveryKind(testApp)
    for (const role of ['editor', 'author'] as const) {
      const browser = await signInDemoStaff(testApp, role)
      const page = await browser.ask('verification.providers', { search: 'Match' })
      const rows = ProvidersPage.parse(page.data).providers
      expect(rows).toEqual([
        {
          providerId: all.match.id,
          region: 'uk',
          name: 'Dr Ann Match',
          photo: null,
          specialty: 'GP',
          locality: 'London',
          professional_body_name: 'GMC',
          membership_number: null,
          verification_status: 'Unverified',
          verifiedAt: null,
          at: null,
          email: null,
          state: null,
          isMatch: false,
          isCompared: false,
          isNumberShared: false,
          isProofWaiting: false,
          askedAgainAt: null,
          answeredAt: null,
          hasCompanyInReview: false,
        },
      ])
      // Searching must not reveal it either.
      const byMail = await browser.ask('verification.providers', { search: all.match.email })
      expect(byMail.data).toMatchObject({ total: 0 })
      const byNumber = await browser.ask('verification.providers', { search: '7000001' })
      expect(byNumber.data).toMatchObject({
        total: 1,
        providers: [{ providerId: all.american.id }],
      })
      for (const list of ['waiting', 'refused', 'lost', 'company']) {
        const { status, code } = await browser.ask('verification.providers', { list })
        expect([list, status, code]).toEqual([list, 403, 'admins_only'])
      }
      const one = await browser.ask('verification.provider', { providerId: all.match.id })
      expect(one.data).toMatchObject({ evidence: null, membership_number: null })
    }
  })
})

describeEngines('the verification queue', (makeDatabase) => {
  test('gives the number waiting, and a provider’s neighbours', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const all = await addEveryKind(testApp)
    const admin = await signInDemoStaff(testApp, 'admin')
    const queue = async (providerId?: string) =>
      VerificationQueue.parse((await admin.ask('verification.queue', { providerId })).data)
    expect(await queue()).toEqual({
      waiting: 5,
      matching: 1,
      lost: 1,
      companies: 0,
      position: null,
      previous: null,
      next: { providerId: all.match.id, region: 'uk', name: 'Dr Ann Match' },
    })
    expect(await queue(all.longest.id)).toMatchObject({
      position: 2,
      previous: { providerId: all.match.id },
      next: { providerId: all.shorter.id },
    })
    expect(await queue(all.asked.id)).toMatchObject({ position: 5, next: null })
    expect(await queue(all.american.id)).toMatchObject({ waiting: 5, position: null })
  })

  test('continues after a provider who was just decided', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const all = await addEveryKind(testApp)
    await testApp.database.db
      .updateTable('provider_standings')
      .set({ state: 'refused', reason: 'No.' })
      .where('provider_no', '=', all.longest.no)
      .execute()
    const admin = await signInDemoStaff(testApp, 'admin')
    const { data } = await admin.ask('verification.queue', { providerId: all.longest.id })
    expect(data).toMatchObject({
      waiting: 4,
      position: null,
      previous: { providerId: all.match.id },
      next: { providerId: all.shorter.id },
    })
  })

  test('is empty when nobody waits', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const admin = await signInDemoStaff(testApp, 'admin')
    const { data } = await admin.ask('verification.queue')
    expect(data).toMatchObject({ waiting: 0, matching: 0, position: null, next: null })
  })
})
