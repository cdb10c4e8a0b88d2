import type { Me } from '#contract/auth.ts'

const PARTS = [
  { id: 'visits', name: 'Visits' },
  { id: 'details', name: 'Details' },
  { id: 'photo', name: 'Photo' },
  { id: 'email', name: 'Email' },
  { id: 'password', name: 'Password' },
  { id: 'second-factor', name: 'Second step' },
  { id: 'sessions', name: 'Devices' },
  { id: 'tokens', name: 'Access tokens' },
  { id: 'consent', name: 'Cookies' },
  { id: 'data', name: 'Your data' },
  { id: 'erase', name: 'Delete account' },
] as const
export type AccountPart = (typeof PARTS)[number]

const ONLY_PATIENTS = new Set<string>(['visits', 'details'])

/** Accounts of staff are made and ended by staff. */
const NOT_STAFF = new Set<string>(['photo', 'data', 'erase'])

/** The parts of somebody's account page in the order of the screen. */
export function partsOf(me: Me): readonly AccountPart[] {
  const { kind } = me
  return PARTS.filter(
    ({ id }) =>
      (kind === 'patient' || !ONLY_PATIENTS.has(id)) && (kind !== 'staff' || !NOT_STAFF.has(id)),
  )
}
