import type { Gender, ProfessionalBody } from '#contract/people.ts'

export const bodyNames: Record<ProfessionalBody, string> = {
  GMC: 'GMC, General Medical Council',
  GDC: 'GDC, General Dental Council',
  NPI: 'NPI, National Provider Identifier',
}

export const genderNames: Record<Gender, string> = {
  female: 'Female',
  male: 'Male',
  non_binary: 'Non-binary',
}
