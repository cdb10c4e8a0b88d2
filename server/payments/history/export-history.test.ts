import { expect, test } from 'vitest'
import { ExportFile, HistorySheet } from '#contract/payments-history.ts'
import { makeAccount, makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { writeBooked } from '#tests/harness/booked.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { enterStaff } from '#tests/harness/staff.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { type Part, readAllRows } from './all-rows.ts'

async function open() {
  const testApp = await makeTestApp()
  const { provider, account } = await makeProviderAccount(testApp)
  const patient = await makeAccount(testApp, { first_name: '=cmd|calc', last_name: 'O, "Neil"' })
  const visit = (startsAt: string, method: 'stripe' | 'paypal' = 'stripe') =>
    writeBooked(testApp, provider, { patientNo: patient.no, startsAt, method })
  return {
    testApp,
    visit,
    account,
    patient,
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

test('a superuser takes the filtered history away as a file, after a proof, and it is written down', async () => {
  await using at = await open()
  const { id } = await at.visit('2025-06-30T23:30:00Z', 'paypal')
  await at.visit('2025-06-30T09:00:00Z')
  const superuser = await enterStaff(at.testApp, 'superuser')
  await at.testApp.database.db.updateTable('sessions').set({ stepped_up_until: null }).execute()
  const input = { payment_method: 'paypal', year: 2025, month: '07' }
  expect((await superuser.act('payments.exportHistory', input)).code).toBe('step_up_required')
  await superuser.act('auth.stepUp', { password: PASSWORD })
  const { data } = await superuser.act('payments.exportHistory', input)
  const file = ExportFile.parse(data)
  expect(file).toMatchObject({ fileName: 'appointments-2026-03-02.csv', rows: 1, isCut: false })
  expect(file.text).toBe(
    '\uFEFF#,User name,Doctor name,Date,Time,Amount,Currency,Refunded,Payment method,Region,State,Reference,Appointment\r\n' +
      `1,"'=cmd|calc O, ""Neil""",Dr Amara Okafor,2025-07-01,00:30,60.00,GBP,0.00,paypal,uk,confirmed,AP-0000-05,${id}\r\n`,
  )
  const { details } = await at.testApp.database.db
    .selectFrom('audit')
    .select('details')
    .where('action', '=', 'payment.history_exported')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(details)).toMatchObject({ rows: 1, payment_method: 'paypal', year: 2025 })
})

test('all rows are there in the order asked for, over more than one stretch', async () => {
  await using at = await open()
  for (let n = 0; n < 505; n += 1) {
    await at.visit(new Date(Date.UTC(2024, 0, 1, n)).toISOString())
  }
  const superuser = await enterStaff(at.testApp, 'superuser')
  await superuser.act('auth.stepUp', { password: PASSWORD })
  const { data } = await superuser.act('payments.exportHistory', { sort: 'asc' })
  const { text, rows } = ExportFile.parse(data)
  const lines = text.trimEnd().split('\r\n').slice(1)
  expect(rows).toBe(505)
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(
    Array.from({ length: 505 }, (_, n) => n + 1),
  )
  const times = lines.map((line) => /(\d{4}-\d\d-\d\d),(\d\d:\d\d)/.exec(line)?.[0] ?? '')
  expect(times).toEqual(times.toSorted())
})

test('a provider takes all of their own history away that the filters leave, and nobody else’s', async () => {
  await using at = await open()
  for (let n = 0; n < 6; n += 1) {
    await at.visit(`2025-06-1${n}T09:00:00Z`, n === 5 ? 'paypal' : 'stripe')
  }
  const { provider: other } = await makeProviderAccount(at.testApp)
  await writeBooked(at.testApp, other, {
    patientNo: at.patient.no,
    startsAt: '2025-06-10T11:00:00Z',
  })
  const browser = new Browser(at.testApp)
  await browser.signIn(at.account)
  const input = { payment_method: 'stripe', sort: 'asc', year: 2025 }
  const file = ExportFile.parse((await browser.act('payments.exportOwnHistory', input)).data)
  const lines = file.text.trimEnd().split('\r\n')
  expect([file.rows, file.isCut, lines.length]).toEqual([5, false, 6])
  expect(lines.slice(1).map((line) => /2025-06-\d\d,\d\d:\d\d/.exec(line)?.[0])).toEqual(
    ['10', '11', '12', '13', '14'].map((day) => `2025-06-${day},10:00`),
  )
  const sheet = HistorySheet.parse((await browser.ask('payments.printOwnHistory', input)).data)
  expect([sheet.appointments.length, sheet.isCut]).toEqual([5, false])
  expect((await browser.act('payments.exportOwnHistory', { year: 1 })).data).toMatchObject({
    rows: 0,
  })
})

test('no more than the limit is read, and that there is more is said', async () => {
  const rows = Array.from({ length: 1_203 }, (_, id) => ({ id }))
  const parts: number[] = []
  const read = ({ skip, limit }: Part) => {
    parts.push(limit)
    return Promise.resolve(rows.slice(skip, skip + limit))
  }
  const cut = await readAllRows(read, 1_200)
  expect([cut.rows.length, cut.isCut]).toEqual([1_200, true])
  expect(parts).toEqual([500, 500, 201])
  const whole = await readAllRows(read, 1_203)
  expect([whole.rows.length, whole.isCut]).toEqual([1_203, false])
})
