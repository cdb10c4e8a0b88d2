import type { Person } from '#tests/harness/principals.ts'
import { makeFakeGateways } from '#tests/harness/servers/fake-gateways.ts'
import { strangerDenials, type TestApp } from '#tests/harness/test-app.ts'

/** A server that is no demo, so that nobody is let in as somebody of it. */
export const real = {
  config: { demo: false, publicUrl: 'http://localhost:3000' },
  gateways: makeFakeGateways(),
}

/** What is written down of a refusal. */
export function denial(code: string, { token }: Person): Record<string, string> {
  if (token === null) return { code }
  return { code, token: token.id, ...(token.fault === null ? {} : { fault: token.fault }) }
}

/** The refusals that are written down, those of strangers as often as they were counted. */
export async function denialsIn(testApp: TestApp) {
  const rows = await testApp.database.db
    .selectFrom('audit')
    .select(['entity', 'outcome', 'details', 'network'])
    .where('action', '=', 'call.denied')
    .orderBy('no')
    .execute()
  const known = rows.map(({ details, ...rest }) => ({
    ...rest,
    details: JSON.parse(details) as unknown,
  }))
  const strangers = (await strangerDenials(testApp)).flatMap(({ network, path, code, count }) =>
    Array.from({ length: count }, () => {
      return { entity: path, outcome: 'denied', network, details: { code } }
    }),
  )
  return inOrder([...known, ...strangers])
}

/** Strangers are counted and others written down one by one: only what was refused whom is compared. */
export function inOrder<T extends { entity: string | null; network: string }>(denials: T[]): T[] {
  const keyOf = ({ entity, network }: T) => `${network} ${entity}`
  return denials.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)))
}
