import type { DemoAccount } from '#contract/auth.ts'
import type { ProfessionalBody } from '#contract/base/people.ts'

/** The sign-in password of all demo accounts. */
export const DEMO_PASSWORD = 'Apposite-demo-1'

/** The demo accounts meant to be tried first. */
export const DEMO_PATIENT = 'patient@demo.example'
export const DEMO_PROVIDER = 'provider@demo.example'
export const DEMO_US_PROVIDER = 'provider-us@demo.example'

/** The demo accounts, in the order they are printed at start and shown on `/`. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  {
    email: DEMO_PATIENT,
    role: 'patient',
    who: 'A patient.',
  },
  {
    email: DEMO_PROVIDER,
    role: 'provider',
    who: 'A Verified GP in London with a full calendar.',
  },
  {
    email: DEMO_US_PROVIDER,
    role: 'provider',
    who: 'A Verified family doctor in Austin, Texas.',
  },
  {
    email: 'unverified@demo.example',
    role: 'provider',
    who: 'A dermatologist in Manchester who is waiting to be verified.',
  },
  { email: 'superuser@demo.example', role: 'superuser', who: 'Staff who manage staff.' },
  { email: 'admin@demo.example', role: 'admin', who: 'Staff who verify providers.' },
  { email: 'editor@demo.example', role: 'editor', who: 'Staff who look after the homepage.' },
  { email: 'author@demo.example', role: 'author', who: 'Staff who add pictures to the gallery.' },
]

/**
 * Numbers for which the demo registers never respond, like a sandbox's card that is always declined. They belong to
 * nobody and lie above those that are generated.
 */
export const OUTAGE_NUMBERS: Readonly<Record<ProfessionalBody, string>> = {
  GMC: '9999998',
  GDC: '999998',
  NPI: '2999999982',
}
