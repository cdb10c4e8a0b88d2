import { OwnProfile } from '#contract/profiles-own.ts'
import type { OwnVisitType, SaveVisitTypeInput } from '#contract/profiles-types.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import type { MadeProvider } from '#tests/harness/people.ts'
import { Browser, type Outcome } from '#tests/harness/spa/browser.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

type VisitTypeOverrides = Partial<SaveVisitTypeInput>

/** A signed-in provider who edits their types of visit. */
export type VisitTypeEditor = {
  browser: Browser
  /** Adds a type, or changes the one named. */
  save(type: VisitTypeOverrides): Promise<Outcome>
  own(): Promise<OwnVisitType[]>
  /** The id of the type with this name. */
  idOf(name: string): Promise<string>
}

/** Signs in a provider's owner with a new account. */
export async function makeVisitTypeEditor(
  testApp: TestApp,
  provider: Pick<MadeProvider, 'no'>,
): Promise<VisitTypeEditor> {
  const account = await makeAccount(testApp, {
    kind: 'provider',
    date_of_birth: null,
    provider_no: provider.no,
  })
  const browser = new Browser(testApp, '10.0.8.1')
  await browser.signIn(account)
  const own = async () => {
    return OwnProfile.parse((await browser.ask('profiles.own', {})).data).visitTypes
  }
  return {
    browser,
    own,
    save: (type) =>
      browser.act('profiles.saveVisitType', {
        name: 'Hygienist',
        minutes: 30,
        amount: 6_000,
        follow_amount: 4_000,
        mode: 'both',
        placeId: null,
        ...type,
      }),
    idOf: async (name) => (await own()).find((type) => type.name === name)?.id ?? '',
  }
}
