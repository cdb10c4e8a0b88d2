import { expect, test } from 'vitest'
import type { SignedIn } from '#server/context.ts'
import { at, type Clinician, makeClinician } from '#tests/harness/hours.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { holdSlot } from './hold-slot.ts'

const TUESDAY = [{ weekday: 2, from: at('9:00'), to: at('12:00') }]
const NINE = '2026-03-03T09:00:00Z'

/** The same patient, whose transaction begins only once something else has happened. */
function runsAfter(ctx: SignedIn, first: () => Promise<unknown>): SignedIn {
  let isFirst = true
  return {
    ...ctx,
    transaction: async (work) => {
      if (isFirst) await first()
      isFirst = false
      return ctx.transaction(work)
    },
  }
}

async function leave(clinician: Clinician, date: string) {
  const { version } = await clinician.mine()
  const away = { version, placeId: null, from: date, to: date }
  return clinician.caller.availability.addAbsence(away)
}

describeEngines('a time its provider takes away while it is being taken', (makeDatabase) => {
  const begin = async (places?: { name?: string }[]) => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const clinician = await makeClinician(testApp, places === undefined ? {} : { places })
    await clinician.save(TUESDAY)
    const patient = await makePatient(testApp)
    const wanted = { providerId: clinician.id, startsAt: NINE }
    return { testApp, clinician, patient, wanted }
  }

  test('is not held: the provider was not asked about a visit on a day away', async () => {
    const { testApp, clinician, patient, wanted } = await begin()
    const late = runsAfter(patient.ctx, () => leave(clinician, '2026-03-03'))
    await expect(holdSlot(late, wanted)).rejects.toMatchObject({ code: 'slot_not_offered' })
    expect(await testApp.database.db.selectFrom('slot_claims').selectAll().execute()).toEqual([])
  })

  test('is not held where the provider no longer is then', async () => {
    const { testApp, clinician, patient, wanted } = await begin([{}, { name: 'Canal Clinic' }])
    const { places } = await clinician.mine()
    const other = places[1]?.id ?? ''
    const late = runsAfter(patient.ctx, () =>
      clinician.save(TUESDAY.map((range) => ({ ...range, placeId: other }))),
    )
    await expect(holdSlot(late, wanted)).rejects.toMatchObject({ code: 'slot_not_offered' })
    const hold = await holdSlot(patient.ctx, wanted)
    expect(hold.place.name).toBe('Canal Clinic')
    expect(await testApp.database.db.selectFrom('slot_claims').selectAll().execute()).toHaveLength(
      1,
    )
  })
})
