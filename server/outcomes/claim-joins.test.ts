import { expect, test } from 'vitest'
import { OutcomeClaims } from '#contract/outcomes.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const START = Date.parse('2026-03-02T08:00:00Z')
const MINUTE = 60_000
const at = (minutes: number) => START + minutes * MINUTE

describeEngines('what staff read of a contested video visit', (makeDatabase) => {
  test('says who joined and when, earliest first; of one in person nothing', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider } = await makeProviderAccount(testApp)
    const { no: patientNo } = await makeAccount(testApp)
    const contested = { patientNo, isMissed: true, contested: 'I was there.' }
    const joins = [
      { by: 'provider' as const, at: at(9) },
      { by: 'patient' as const, at: at(-2) },
      { by: 'patient' as const, at: at(4) },
    ]
    const seen = { ...contested, startsAt: new Date(START).toISOString(), mode: 'video' as const }
    const { id } = await insertVisit(testApp, provider, { ...seen, joins })
    const empty = { ...seen, startsAt: new Date(at(60)).toISOString() }
    const { id: emptyId } = await insertVisit(testApp, provider, empty)
    const inPerson = { ...contested, startsAt: new Date(at(-60)).toISOString() }
    const { id: inPersonId } = await insertVisit(testApp, provider, inPerson)
    const admin = await signInDemoStaff(testApp, 'admin')
    const claims = OutcomeClaims.parse((await admin.ask('outcomes.claims', {})).data)
    const joinsOf = (visitId: string) => claims.find((claim) => claim.visitId === visitId)?.joins
    expect(joinsOf(id)).toEqual([
      { by: 'patient', at: new Date(at(-2)).toISOString() },
      { by: 'patient', at: new Date(at(4)).toISOString() },
      { by: 'provider', at: new Date(at(9)).toISOString() },
    ])
    expect(joinsOf(emptyId)).toEqual([])
    expect(joinsOf(inPersonId)).toBeNull()
  })
})
