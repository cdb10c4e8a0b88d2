import type { Person } from '#tests/harness/principals.ts'
import { makeFakeGateways } from '#tests/harness/servers/fake-gateways.ts'
import { strangerDenials, type TestApp } from '#tests/harness/test-app.ts'

/** A server without demo mode, so that nobody can sign in as a demo user. */
export const real = {
  config: { demo: false, publicUrl: 'http://localhost:3000' },
  gateways: makeFakeGateways(),
}

/** The details logged for a refused call. */
export function denialDetails(code: string, { token }: Person): Record<string, string> {
  if (token === null) return { code }
  return { code, token: token.id, ...(token.fault === null ? {} : { fault: token.fault }) }
}

/** All refused calls in the log; refusals of strangers are repeated as often as they were counted. */
export async function listDenials(testApp: TestApp) {
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
  return sortDenials([...known, ...strangers])
}

/** Sorts refusals by network and path: strangers are only counted, so the order in time is unknown. */
export function sortDenials<T extends { entity: string | null; network: string }>(
  denials: T[],
): T[] {
  const keyOf = ({ entity, network }: T) => `${network} ${entity}`
  return denials.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)))
}
