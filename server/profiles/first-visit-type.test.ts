import { expect, test } from 'vitest'
import { makeClinician, makeVisitTypeEditor } from '#tests/harness/clinician.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

async function open() {
  const testApp = await makeTestApp()
  const clinician = await makeClinician(testApp)
  const desk = await makeVisitTypeEditor(testApp, clinician)
  const { id: providerId } = clinician
  return {
    testApp,
    clinician,
    desk,
    offered: () => testApp.caller().profiles.visitTypes({ providerId }),
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

test('a change of the conditions without fees leaves the first type’s fees and length as they are', async () => {
  await using at = await open()
  const { desk, offered } = at
  const before = await offered()
  const { status } = await desk.browser.act('profiles.updateOffer', {
    modes: ['in_person'],
    follow_up_policy: 'trust',
    free_cancel_hours: 12,
    late_cancel_percent: 50,
  })
  expect(status).toBe(200)
  expect(await offered()).toEqual(before)
})

test('the first can be booked in a mode the provider offers: modes and order are refused otherwise', async () => {
  await using at = await open()
  const { testApp, clinician, desk, offered } = at
  const change = { offers_video: 1, video_link: 'https://video.example/room' } as const
  await testApp.database.db
    .updateTable('providers')
    .set(change)
    .where('no', '=', clinician.no)
    .execute()
  await desk.save({ name: 'Call', mode: 'video', amount: 9_000 })
  const [call, first] = [await desk.idOf('Call'), await desk.idOf('Consultation')]
  const order = (...typeIds: string[]) => desk.browser.act('profiles.orderVisitTypes', { typeIds })
  const offer = (...modes: string[]) =>
    desk.browser.act('profiles.updateOffer', {
      modes,
      follow_up_policy: 'trust',
      free_cancel_hours: 24,
      late_cancel_percent: 50,
    })
  await order(call, first)
  expect(await offer('in_person')).toMatchObject({
    status: 400,
    issues: [{ path: 'modes' }],
  })
  await order(first, call)
  expect(await offer('in_person')).toMatchObject({ status: 200 })
  expect((await offered()).map(({ name, modes }) => [name, modes])).toEqual([
    ['Consultation', ['in_person']],
    ['Call', []],
  ])
  expect(await order(call, first)).toMatchObject({ code: 'visit_type_unfit' })
  const archived = await desk.browser.act('profiles.archiveVisitType', { typeId: first })
  expect(archived).toMatchObject({ code: 'visit_type_unfit' })
})
