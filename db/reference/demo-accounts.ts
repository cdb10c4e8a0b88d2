import type { DemoAccount } from '#contract/auth.ts'

/** The sign-in password of all demo accounts. */
export const DEMO_PASSWORD = 'Apposite-demo-1'

/** The demo accounts, in the order they are printed at start and shown on `/`. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  {
    email: 'patient@demo.example',
    role: 'patient',
    who: 'A patient.',
  },
  {
    email: 'provider@demo.example',
    role: 'provider',
    who: 'A Verified GP in London with a full calendar.',
  },
  {
    email: 'provider-us@demo.example',
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
