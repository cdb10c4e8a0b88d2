import * as z from 'zod/mini'

/** Verification status values of the specification. */
export const VerificationStatus = z.enum(['Verified', 'Unverified'])
export type VerificationStatus = z.infer<typeof VerificationStatus>

/** Who keeps the register: GMC and GDC for the UK, NPI for the USA. */
export const ProfessionalBody = z.enum(['GMC', 'GDC', 'NPI'])
export type ProfessionalBody = z.infer<typeof ProfessionalBody>

export const Gender = z.enum(['female', 'male', 'non_binary'])
export type Gender = z.infer<typeof Gender>
