import type { ProfessionalBody } from '#contract/people.ts'

/**
 * Numbers about which the demo's registers do not answer, as registers at times do not: of nobody, above
 * those that are drawn. They are to the registers what a card that is always declined is to a sandbox.
 */
export const SILENT_NUMBERS: Readonly<Record<ProfessionalBody, string>> = {
  GMC: '9999998',
  GDC: '999998',
  NPI: '2999999982',
}
