import * as z from 'zod/mini'
import { ConsentId, Terms } from './auth.ts'
import { NewPassword } from './auth-passwords.ts'
import { CaptchaValue } from './base/captcha.ts'
import { Email } from './base/emails.ts'
import { ProviderId } from './base/ids.ts'
import { noLink } from './base/links.ts'
import { Money } from './base/money.ts'
import { BirthDate, ProfessionalBody } from './base/people.ts'
import { nameFields, withNames } from './base/person-names.ts'
import { Phone } from './base/phones.ts'
import { aboutFields } from './base/provider.ts'
import { Region } from './base/region.ts'
import { requiredLine } from './base/required-line.ts'
import { IsoInstant } from './base/time.ts'
import { RADII, SpecialtySlug } from './search.ts'

/** Whole pence or cents between 1.00 and 10,000.00. */
const FeeMinor = z
  .int({ error: 'Enter a fee.' })
  .check(
    z.minimum(100, { error: 'Enter a fee of at least 1.00.' }),
    z.maximum(1_000_000, { error: 'Enter a fee of at most 10,000.00.' }),
  )

const MINUTES = 'Enter between 5 and 180 minutes.'

/** Where a practice is, as typed: its coordinates follow from the postcode. */
export const practiceFields = {
  hospital_name: requiredLine('Enter the name of your practice.', 120).check(noLink),
  address: requiredLine('Enter the street address.', 200).check(noLink),
  // As long as in a search: a whole address may be pasted, and its code counts.
  postcode: requiredLine('Enter a postcode or ZIP code.', 80),
}

/** What a visit costs, in pence or cents, and how long it takes. */
export const priceFields = {
  amount: FeeMinor,
  follow_amount: FeeMinor,
  consultation_minutes: z
    .int({ error: MINUTES })
    .check(z.minimum(5, { error: MINUTES }), z.maximum(180, { error: MINUTES })),
}

/** How each register writes its numbers, and whom it registers. */
export const bodyFacts = {
  GMC: { region: 'uk', number: /^[0-9]{7}$/, rule: 'A GMC number has 7 digits.' },
  GDC: { region: 'uk', number: /^[0-9]{4,6}$/, rule: 'A GDC number has 4 to 6 digits.' },
  NPI: { region: 'usa', number: /^[0-9]{10}$/, rule: 'An NPI has 10 digits.' },
} as const

/** Which registers a region has, for the message to those who chose another. */
export const bodiesOfRegion: Record<Region, string> = {
  uk: 'In the UK choose GMC or GDC.',
  usa: 'In the USA choose NPI.',
}

/** `registed_with` of the specification: the register, and the number in it. */
export const Registration = z
  .strictObject({
    professional_body_name: z.enum(ProfessionalBody.options, {
      error: 'Choose who you’re registered with.',
    }),
    membership_number: z
      .string({ error: 'Enter your registration number.' })
      .check(
        z.trim(),
        z.minLength(1, { error: 'Enter your registration number.', abort: true }),
        z.regex(/^[0-9]{1,10}$/, { error: 'Enter your registration number, digits only.' }),
      ),
  })
  .check((context) => {
    const { professional_body_name: body, membership_number: number } = context.value
    const facts = bodyFacts[body]
    if (facts.number.test(number)) return
    context.issues.push({
      code: 'custom',
      input: number,
      path: ['membership_number'],
      message: facts.rule,
    })
  })

/** Input of `profiles.registerProvider`: the whole public profile and the claim to be checked. */
export const RegisterProviderInput = withNames(
  z
    .strictObject({
      ...nameFields,
      email: Email,
      phone_number: Phone,
      password: NewPassword,
      region: Region,
      registed_with: Registration,
      specialty: SpecialtySlug,
      ...practiceFields,
      ...aboutFields,
      ...priceFields,
      /** Left out by older clients: the pages then ask for it. */
      terms: z.optional(Terms),
      captchaValue: z.optional(CaptchaValue),
      consentID: z.optional(ConsentId),
    })
    .check((context) => {
      const { region, registed_with: registration } = context.value
      if (bodyFacts[registration.professional_body_name].region === region) return
      context.issues.push({
        code: 'custom',
        input: registration.professional_body_name,
        path: ['registed_with', 'professional_body_name'],
        message: bodiesOfRegion[region],
      })
    }),
)
export type RegisterProviderInput = z.infer<typeof RegisterProviderInput>

/** The account's own details as its owner edits them. */
export const PatientDetails = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  date_of_birth: z.nullable(z.string()),
  profile_image: z.nullable(z.string()),
  default_radius: z.literal(RADII),
})
export type PatientDetails = z.infer<typeof PatientDetails>

export const UpdateDetailsInput = withNames(
  z.strictObject({
    ...nameFields,
    phone_number: Phone,
    date_of_birth: z.optional(BirthDate),
    /** Where the person lives, for the minimum age. The UK when left out. */
    selectedRegion: z.optional(Region),
    default_radius: z.literal(RADII),
  }),
)
export type UpdateDetailsInput = z.infer<typeof UpdateDetailsInput>

/** POST the picture itself here as the body, with its own content type. At most `PHOTO_MAX_BYTES` bytes. */
export const PHOTO_PATH = '/upload/profile-photo'
export const PHOTO_MAX_BYTES = 5 * 1_024 * 1_024
/** Its response, status 201. Failures are `{status: false, error, code, request_id}`. */
export const PhotoResponse = z.object({ status: z.literal(true), profile_image: z.string() })
export type PhotoResponse = z.infer<typeof PhotoResponse>

/** Answer to the cookie banner, kept under its `consentID`. Necessary is always on. */
export const ConsentInput = z.strictObject({
  consentID: ConsentId.check(z.minLength(1)),
  preferences: z.boolean(),
  statistics: z.boolean(),
})
export type ConsentInput = z.infer<typeof ConsentInput>
export const ReadConsentInput = z.strictObject({ consentID: ConsentId })
/** Null when nothing is stored under that id. */
export const Consent = z.nullable(z.object({ preferences: z.boolean(), statistics: z.boolean() }))
export type Consent = z.infer<typeof Consent>

const Records = z.array(z.record(z.string(), z.unknown()))

/** Everything we hold about one person, for them to take away. */
export const DataExport = z.object({
  made_at: z.iso.datetime(),
  account: z.record(z.string(), z.unknown()),
  provider: z.nullable(z.record(z.string(), z.unknown())),
  /** Numbers masked: nobody gets them whole. */
  bank_accounts: Records,
  sessions: Records,
  /** Tokens for scripts, without their secrets. */
  access_tokens: Records,
  reminders: Records,
  calendar_feeds: Records,
  outside_calendars: Records,
  imports: Records,
  contested_visits: Records,
  consents: Records,
  /** Providers the person has saved. */
  favourites: Records,
  messages: Records,
  mails: Records,
  visits: Records,
  /**
   * Every cancellation and move of these visits, and every proposal of other times; for a provider, only
   * their own.
   */
  visit_changes: Records,
  payments: Records,
  /** Comparisons of a provider with the register, what staff asked for, and the companies. */
  verification: Records,
  asked_for: Records,
  /** Evidence that they are the person the register names. */
  registrant_proofs: Records,
  companies: Records,
  activity: Records,
})
export type DataExport = z.infer<typeof DataExport>

/** How many providers one account may save. */
export const MAX_FAVOURITES = 100

export const FavouriteRef = z.strictObject({ providerId: ProviderId })
export type FavouriteRef = z.infer<typeof FavouriteRef>

/** A saved provider; `provider` is null while patients cannot find them. */
export const Favourite = z.object({
  providerId: ProviderId,
  savedAt: IsoInstant,
  provider: z.nullable(
    z.object({
      name: z.string(),
      region: Region,
      specialty: z.string(),
      photo: z.nullable(z.string()),
      place: z.object({
        name: z.string(),
        locality: z.string(),
        postcode: z.string(),
        timeZone: z.string(),
      }),
      fee: Money,
      nextFree: z.nullable(IsoInstant),
    }),
  ),
})
export type Favourite = z.infer<typeof Favourite>
