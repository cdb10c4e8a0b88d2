import type { Availability, SaveHoursInput } from '#contract/availability.ts'
import { OwnProfile, type OwnVisitType, type SaveVisitTypeInput } from '#contract/profiles-own.ts'
import type { createCaller } from '#server/app-router.ts'
import { makeOwner, signInProviderCaller } from './accounts.ts'
import { Browser, type Outcome } from './browser.ts'
import { type MadeProvider, makeProvider } from './people.ts'
import type { TestApp } from './test-app.ts'

type Caller = ReturnType<typeof createCaller>
type Range = { weekday: number; from: number; to: number; week?: number; placeId?: string }

/** Minutes after midnight of a time such as `9:30`. */
export function at(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}

/** Nine to twelve and one to five, Monday to Friday. */
export const DEFAULT_HOURS: readonly Range[] = [1, 2, 3, 4, 5].flatMap((weekday) => [
  { weekday, from: at('9:00'), to: at('12:00') },
  { weekday, from: at('13:00'), to: at('17:00') },
])

export type Clinician = {
  no: number
  id: string
  placeNos: number[]
  caller: Caller
  /** The main place. */
  placeId: string
  mine(): Promise<Availability>
  save(
    hours: readonly Range[],
    settings?: Partial<Availability['settings']>,
    more?: Partial<SaveHoursInput>,
  ): ReturnType<Caller['availability']['saveHours']>
  /** Instants of free times as the profile shows them, ISO. */
  free(from?: string, days?: number): Promise<string[]>
}

/** A Verified provider without any slots, who can set hours. */
export async function makeClinician(
  testApp: TestApp,
  overrides: Parameters<typeof makeProvider>[1] = {},
): Promise<Clinician> {
  const { no, id, placeNos } = await makeProvider(testApp, { slots: [], ...overrides })
  const caller = await signInProviderCaller(testApp, { no, id })
  const mine = () => caller.availability.mine({})
  const placeId = (await mine()).places[0]?.id ?? ''
  return {
    no,
    id,
    placeNos,
    caller,
    placeId,
    mine,
    save: async (hours, settings = {}, more = {}) => {
      const now = await mine()
      return caller.availability.saveHours({
        version: now.version,
        settings: { ...now.settings, ...settings },
        hours: hours.map((range) => ({ placeId, week: 1, ...range })),
        ...more,
      })
    },
    free: async (from, days = 7) => {
      const { days: found } = await testApp
        .caller()
        .availability.freeTimes({ providerId: id, days, ...(from === undefined ? {} : { from }) })
      return found.flatMap(({ slots }) => slots.map(({ startsAt }) => startsAt.slice(0, 16)))
    },
  }
}

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
  const account = await makeOwner(testApp, { no: provider.no })
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
