import * as z from 'zod/mini'
import { parseMinorUnits } from '#app/lib/format.ts'
import { RegisterProviderInput } from '#contract/profiles.ts'
import type { Region } from '#contract/region.ts'

/** Values of the provider's registration form, as typed. */
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

/** Maps the values to `RegisterProviderInput`, whose schema then validates them. */
export function toProviderInput(values: ProviderValues): Record<string, unknown> {
  const { gender, ...rest } = values
  return {
    ...rest,
    amount: parseMinorUnits(values.amount),
    follow_amount: parseMinorUnits(values.follow_amount),
    consultation_minutes: Number(values.consultation_minutes.trim() || Number.NaN),
    ...(gender !== '' && { gender }),
  }
}

/** Sections of the provider's form in order, with the values each one asks for. */
export const providerParts = [
  { title: 'You', fields: ['first_name', 'last_name', 'email', 'phone_number', 'password'] },
  {
    title: 'Your registration',
    fields: ['region', 'registed_with', 'specialty', 'qualifications'],
  },
  { title: 'Your practice', fields: ['hospital_name', 'address', 'postcode'] },
  { title: 'Fees and visits', fields: ['amount', 'follow_amount', 'consultation_minutes'] },
  { title: 'About you', fields: ['languages', 'gender', 'about'] },
] as const

/** State of one section. `firstOpen` is the path of its first invalid field, null when all are valid. */
export type PartState = { title: string; firstOpen: string | null }

/** Progress of each section, by the same schema that the server validates with. */
export function partStates(values: ProviderValues): PartState[] {
  const { error } = z.safeParse(RegisterProviderInput, toProviderInput(values))
  const paths = (error?.issues ?? []).map((issue) => issue.path.join('.'))
  const names = Object.keys(values)
  const rank = (path: string) => Math.max(...path.split('.').map((part) => names.indexOf(part)))
  const open = paths.toSorted((a, b) => rank(a) - rank(b))
  return providerParts.map(({ title, fields }) => ({
    title,
    firstOpen: open.find((path) => fields.some((field) => path.split('.')[0] === field)) ?? null,
  }))
}
