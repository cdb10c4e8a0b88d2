import { minorUnits } from '#app/lib/format.ts'
import type { Region } from '#contract/region.ts'

/** What is typed into the provider's registration, as it is typed. */
export const blankProvider = {
  first_name: '',
  last_name: '',
  email: '',
  phone_number: '',
  password: '',
  region: 'uk' as Region,
  registed_with: { professional_body_name: '', membership_number: '' },
  specialty: '',
  qualifications: [''] as readonly string[],
  hospital_name: '',
  address: '',
  postcode: '',
  amount: '',
  follow_amount: '',
  consultation_minutes: '30',
  languages: ['en'] as readonly string[],
  gender: '',
  about: '',
  terms: false,
}
export type ProviderValues = typeof blankProvider

/** The values in the shape of `RegisterProviderInput`, whose schema then says what is wrong. */
export function toProviderInput(values: ProviderValues): Record<string, unknown> {
  const { gender, ...rest } = values
  return {
    ...rest,
    amount: minorUnits(values.amount),
    follow_amount: minorUnits(values.follow_amount),
    consultation_minutes: Number(values.consultation_minutes.trim() || Number.NaN),
    ...(gender !== '' && { gender }),
  }
}
