import type { Access } from '#server/kernel/access.ts'
import { setupSteps } from '#server/kernel/security/setup-steps.ts'
import type { Person, PersonToken } from './principals.ts'
import { makeFakeGateways } from './servers/fake-gateways.ts'
import { strangerDenials, type TestApp } from './test-app.ts'

/** The verdict for a call that was authorized, whatever its result. */
export const ALLOWED = 'allowed'

/** Codes that refuse the caller. Any other code means that the call was authorized. */
const DENIALS = new Set([
  'sign_in_required',
  'forbidden',
  'second_factor_setup_required',
  'password_change_required',
  'step_up_required',
  'patients_only',
  'superusers_only',
  'admins_only',
  'editors_only',
  'access_token_invalid',
  'access_token_scope',
  'access_token_never',
])

/** Codes for callers without a valid session or token. */
export const UNAUTHENTICATED = new Set(['sign_in_required', 'access_token_invalid'])

/** The expected verdict for a token's scopes on one call. */
function expectedTokenVerdict({ scope: needed }: Access, { scopes }: PersonToken): string {
  if (scopes === null) return 'access_token_invalid'
  if (needed === undefined) return 'access_token_never'
  const enough = [needed, needed.replace('read', 'write')]
  return needed === 'any' || scopes.some((scope) => enough.includes(scope))
    ? ALLOWED
    : 'access_token_scope'
}

/** The expected verdict for one cell of the matrix. */
export function expectedVerdict(row: Access, person: Person): string {
  if (person.token?.fault) return 'access_token_invalid'
  if (!row.may.includes(person.as)) {
    return person.as === 'visitor' ? 'sign_in_required' : (row.refusal ?? 'forbidden')
  }
  const byToken = person.token === null ? ALLOWED : expectedTokenVerdict(row, person.token)
  if (byToken !== ALLOWED) return byToken
  const { setupStep: step } = person
  const isOpen = row.may.includes('visitor') || (step !== null && row.during?.includes(step))
  if (step !== null && !isOpen) return setupSteps[step]
  return row.stepUp !== undefined && !person.isSteppedUp ? 'step_up_required' : ALLOWED
}

/** `ALLOWED` when the call was authorized, otherwise the code of the refusal. */
export function verdict({ code }: { code: string | null }): string {
  return code !== null && DENIALS.has(code) ? code : ALLOWED
}

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
