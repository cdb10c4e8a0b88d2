import * as z from 'zod/mini'
import { minorUnits } from '#app/lib/format.ts'
import { RegisterProviderInput } from '#contract/profiles.ts'
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

/** The parts of the provider's form in their order, and which values each asks for. */
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

/** One part as it stands: the path of its first field that is not right yet; null when none is. */
export type PartState = { title: string; firstOpen: string | null }

/** How far the form is, by what the server would say to it now. */
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
