import type { ProfessionalBody } from '#contract/people.ts'

/**
 * Numbers for which the demo registers never respond, as real ones sometimes do not. They belong to nobody
 * and lie above those that are generated. They are like a sandbox's card that is always declined.
 */
export const OUTAGE_NUMBERS: Readonly<Record<ProfessionalBody, string>> = {
  GMC: '9999998',
  GDC: '999998',
  NPI: '2999999982',
}
