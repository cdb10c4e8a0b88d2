import type { TokenScope } from '#contract/access-tokens.ts'
import { AppError } from '#server/kernel/errors.ts'

/** Why an access token is invalid. */
export type TokenFault = 'unknown' | 'revoked' | 'expired' | 'role' | 'account'

/**
 * The access token of a request. An invalid one grants no identity; its owner is known for the audit log
 * only.
 */
export type TokenUse =
  | { id: string; scopes: readonly TokenScope[]; fault: null }
  | { id: string | null; fault: TokenFault; owner: TokenOwner | null }

type TokenOwner = { kind: 'patient' | 'provider' | 'staff'; id: string }

/** What every token may call: public reads and contact messages. */
const PUBLIC_CALLS: ReadonlySet<string> = new Set([
  'availability.freeTimes',
  'booking.checkSlot',
  'gallery.homepage',
  'messages.contact',
  'payments.options',
  'profiles.visitTypes',
  'search.map',
  'search.provider',
  'search.providers',
  'search.specialities',
  'search.suggest',
])

/**
 * The procedures each scope allows, always within the access matrix. Tokens may call nothing outside this
 * table: no sign-in, passwords, bank accounts, payments, staff writes, exports, erasure or creation of
 * calendar links (they would outlive the token), and nothing newly added to the matrix.
 */
export const scopeTable: Readonly<Record<TokenScope, readonly string[]>> = {
  'account:read': ['auth.me', 'profiles.details', 'profiles.own', 'verification.mine'],
  'visits:read': [
    'booking.calendar',
    'booking.current',
    'booking.desk',
    'booking.deskList',
    'booking.holds',
    'booking.today',
    'booking.week',
    'booking.visit',
    'booking.visits',
    'calendars.list',
    'visits.inTimeOff',
    'visits.moveTerms',
    'visits.providerTerms',
    'visits.terms',
    'visits.video',
  ],
  'visits:write': [
    'booking.addDesk',
    'booking.cancelDesk',
    'booking.describe',
    'booking.editDesk',
    'booking.hold',
    'booking.markDesk',
    'booking.moveDesk',
    'booking.renew',
    'calendars.revoke',
    'outcomes.contest',
    'outcomes.mark',
    'payments.leave',
    'visits.cancel',
    'visits.cancelMany',
    'visits.join',
    'visits.keepTime',
    'visits.move',
    'visits.moveAgreed',
    'visits.propose',
  ],
  'availability:read': [
    'imports.list',
    'outsideCalendars.list',
    'availability.explain',
    'availability.mine',
    'availability.preview',
    'availability.week',
  ],
  'favourites:read': ['profiles.favourites'],
  'favourites:write': ['profiles.removeFavourite', 'profiles.saveFavourite'],
  'reminders:read': ['reminders.settings'],
  'reminders:write': ['reminders.save'],
  'availability:write': [
    'imports.add',
    'imports.check',
    'imports.remove',
    'outsideCalendars.add',
    'outsideCalendars.change',
    'outsideCalendars.readNow',
    'outsideCalendars.remove',
    'availability.addAbsence',
    'availability.addBlock',
    'availability.addDates',
    'availability.removeAbsence',
    'availability.removeBlock',
    'availability.removeDate',
    'availability.saveHours',
    'profiles.archiveVisitType',
    'profiles.orderVisitTypes',
    'profiles.saveVisitType',
  ],
  'payments:read': ['payments.earnings', 'payments.providerHistory', 'payments.status'],
  'staff-payments:read': [
    'payments.differences',
    'payments.incomeByDay',
    'payments.reviewCount',
    'payments.reviews',
    'payments.staffHistory',
    'payments.staffPayment',
  ],
  'staff-providers:read': [
    'verification.counts',
    'verification.provider',
    'verification.providers',
    'verification.queue',
  ],
}

const scopeOf = new Map<string, string>(
  Object.entries(scopeTable).flatMap(([scope, paths]) => paths.map((path) => [path, scope])),
)

/** Whether any token may ever make a call. */
export function isForTokens(path: string): boolean {
  return PUBLIC_CALLS.has(path) || scopeOf.has(path)
}

/** Write access includes read access. */
function includes(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope) || scopes.includes(scope.replace(/:read$/, ':write'))
}

/** Refuses every call with an invalid token; does nothing for signed-in people. */
export function assertValidToken(token: TokenUse | null): void {
  if (token !== null && token.fault !== null) throw new AppError('access_token_invalid')
}

/** Refuses calls outside a token's scopes; does nothing for signed-in people. */
export function assertScope(token: TokenUse | null, path: string): void {
  if (token === null || PUBLIC_CALLS.has(path)) return
  assertValidToken(token)
  const scope = scopeOf.get(path)
  if (scope === undefined) throw new AppError('access_token_never')
  const mine = token.fault === null ? token.scopes : []
  if (!includes(mine, scope)) throw new AppError('access_token_scope', { scope })
}
