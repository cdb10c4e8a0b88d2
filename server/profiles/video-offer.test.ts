import { expect, test } from 'vitest'
import { UsState } from '#contract/base/us-states.ts'
import type { UpdateOfferInput } from '#contract/profiles-own.ts'
import { isPublicVideoServer, videoLinkProblem } from '#contract/visits-video.ts'
import { AppError } from '#server/kernel/errors.ts'
import { reindexProviders } from '#server/search/reindex.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { signInProvider } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestAppOptions } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'
import { withdrawVideo } from './video-offer.ts'

const LINK = 'https://meet.practice.example/okafor'
const withoutServer = { config: { demo: false, publicUrl: 'https://care.example' } }
const offer: UpdateOfferInput = {
  amount: 6_000,
  follow_amount: 4_000,
  consultation_minutes: 30,
  modes: ['in_person', 'video'],
  follow_up_policy: 'trust',
  free_cancel_hours: 24,
  late_cancel_percent: 50,
}

/** A provider with calls that change the offer; `issuesOf` returns the issues of a refused one. */
async function open(options: TestAppOptions = {}) {
  const testApp = await makeTestApp(options)
  const provider = await makeProvider(testApp)
  const { caller } = await signInProvider(testApp)
  const save = (change: Partial<UpdateOfferInput> = {}) =>
    caller.profiles.updateOffer({ ...offer, ...change })
  return {
    testApp,
    provider,
    save,
    issuesOf: async (change: Partial<UpdateOfferInput> = {}) => {
      const error = await save(change).catch((refusal: unknown) => refusal)
      const cause = error instanceof Error ? error.cause : null
      return cause instanceof AppError ? cause.issues : null
    },
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

test.each([
  ['https://meet.practice.example/room', null],
  ['http://meet.practice.example/room', 'Paste the full link, starting with https://.'],
  ['meet.practice.example/room', 'Paste the full link, starting with https://.'],
  ['ftp://meet.practice.example/room', 'Paste the full link, starting with https://.'],
  ['https://me:pw@meet.practice.example/', 'Leave out the name and password before the @.'],
  ['https://localhost/room', 'Enter a link to a public website, without a port.'],
  ['https://10.0.0.1/room', 'Enter a link to a public website, without a port.'],
  ['https://[::1]/room', 'Enter a link to a public website, without a port.'],
  ['https://meet.practice.example:8443/', 'Enter a link to a public website, without a port.'],
  ...[
    'https://meet.jit.si/DrOkafor',
    'https://MEET.JIT.SI/DrOkafor',
    'https://meet.jit.si./DrOkafor',
    'https://meet.jit.si:443/DrOkafor',
    'https://meet.jit.si:8443/DrOkafor',
    'https://8x8.beta.meet.jit.si/DrOkafor',
    'https://ｍeet.jit。si/DrOkafor',
    'https://rooms.framatalk.org/DrOkafor',
  ].map((link): [string, string] => [
    link,
    'Anyone who guesses a room’s name can walk in on this server. Use one where you let people in, or one of your own.',
  ]),
  ['https://jit.si.practice.example/room', null],
  ['https://meetjit.si/room', null],
  [`https://meet.practice.example/${'x'.repeat(500)}`, 'Use 500 characters or fewer.'],
])('%s as a video link: %s', (link, problem) => {
  expect(videoLinkProblem(link)).toBe(problem)
})

test('public Jitsi servers are recognized, whatever the room', () => {
  expect(isPublicVideoServer('https://meet.jit.si/DrOkafor')).toBe(true)
  expect(isPublicVideoServer('https://8x8.jit.si/DrOkafor')).toBe(true)
  expect(isPublicVideoServer('https://meet.practice.example/jit.si')).toBe(false)
})

test('video requires a link or a server of ours', async () => {
  await using at = await open(withoutServer)
  expect(await at.issuesOf()).toEqual([
    { path: 'video_link', message: 'Add the link to your video room, or leave video off.' },
  ])
  expect(await at.save({ video_link: LINK })).toMatchObject({
    modes: ['in_person', 'video'],
    video_link: LINK,
    videoServer: null,
  })
  await using own = await open({ config: { videoBaseUrl: 'https://video.care.example' } })
  expect(await own.save()).toMatchObject({
    modes: ['in_person', 'video'],
    video_link: null,
    videoServer: 'video.care.example',
  })
})

test('the link can be changed but not removed while video visits are booked', async () => {
  await using at = await open(withoutServer)
  await at.save({ video_link: LINK })
  const { no: patientNo } = await makeAccount(at.testApp)
  const startsAt = '2026-03-05T09:00:00Z'
  await insertVisit(at.testApp, at.provider, { patientNo, startsAt, mode: 'video' })
  const off: Partial<UpdateOfferInput> = { modes: ['in_person'] }
  expect(await at.issuesOf({ ...off, video_link: null })).toEqual([
    {
      path: 'video_link',
      message: 'Keep a link: patients have booked video visits with you (1).',
    },
  ])
  expect(await at.save(off)).toMatchObject({ modes: ['in_person'], video_link: LINK })
  const other = 'https://other.practice.example/'
  expect((await at.save({ ...off, video_link: other })).video_link).toBe(other)
})

describeEngines('a video offer without a room', (makeDatabase) => {
  test('is withdrawn at startup, and no longer found', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { db } = testApp.database
    const { provider: bare } = await makeProviderAccount(testApp)
    const { provider: linked } = await makeProviderAccount(testApp)
    await db.updateTable('providers').set({ offers_video: 1 }).execute()
    await db
      .updateTable('providers')
      .set({ video_link: LINK })
      .where('no', '=', linked.no)
      .execute()
    const now = testApp.services.now()
    await reindexProviders(db, now)
    const found = async () => {
      const point = { latitude: 51.4965, longitude: -0.0985, radius: 5 } as const
      const { results } = await testApp.caller().search.providers({ ...point, mode: 'video' })
      return results.map(({ id }) => id).toSorted()
    }
    expect(await found()).toEqual([bare.id, linked.id].toSorted())
    const changed = await withdrawVideo(db, now)
    expect(changed).toEqual([bare.no])
    await reindexProviders(db, now, changed)
    expect(await found()).toEqual([linked.id])
    expect((await testApp.caller().search.provider({ id: bare.id })).modes).toEqual(['in_person'])
    expect(await withdrawVideo(db, now)).toEqual([])
  })
})

describeEngines('the states a provider may practise in', (makeDatabase) => {
  test('are those of their places unless they name others', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { db } = at.testApp.database
    const point = { latitude: 30.24, longitude: -97.77, city: 'Austin', kind: 'zcta' as const }
    await db
      .insertInto('geo_us_zips')
      .values({ zip: '78704', state: 'TX', time_zone: 'America/Chicago', ...point })
      .execute()
    await db.updateTable('providers').set({ region: 'usa', currency: 'USD' }).execute()
    await db.updateTable('places').set({ postcode: '78704' }).execute()
    const kept = () => db.selectFrom('providers').select('licensed_states').executeTakeFirst()
    expect((await at.save()).licensed_states).toEqual(['TX'])
    expect(await at.issuesOf({ licensed_states: [] })).toEqual([
      { path: 'licensed_states', message: 'Choose at least one state.' },
    ])
    expect(UsState.safeParse('XX').success).toBe(false)
    const named = await at.save({ licensed_states: ['TX', 'LA', 'TX'] })
    expect(named.licensed_states).toEqual(['LA', 'TX'])
    // The same states as the places', so they follow the places again.
    await at.save({ licensed_states: ['TX'] })
    expect(await kept()).toEqual({ licensed_states: null })
  })
})
