import * as z from 'zod/mini'
import { ProviderId } from './ids.ts'
import { Gender, Language } from './people.ts'
import { Region } from './region.ts'
import { requiredLine } from './required-line.ts'

/** What patients and staff read about a provider's training, societies and languages, each a list of lines. */
export const backgroundFields = {
  qualifications: z.array(z.string()),
  affiliations: z.array(z.string()),
  languages: z.array(z.string()),
}
export const Background = z.object(backgroundFields)
export type Background = z.infer<typeof Background>

/** What anybody may see of a Verified provider, the same in the own profile and in the public one. */
export const publicFields = {
  id: ProviderId,
  region: Region,
  photo: z.nullable(z.string()),
  gender: z.nullable(Gender),
  about: z.string(),
  ...backgroundFields,
}
export type PublicPart = z.infer<z.ZodMiniObject<typeof publicFields>>

/** What a row of the results shows of it. */
export const cardFields = {
  id: publicFields.id,
  photo: publicFields.photo,
  languages: publicFields.languages,
}
export type CardPart = z.infer<z.ZodMiniObject<typeof cardFields>>

export const MAX_ABOUT_LENGTH = 1_500

/** What providers say about themselves, as they enter it. */
export const aboutFields = {
  gender: z.optional(Gender),
  about: z
    .string({ error: 'Write a few words about how you work.' })
    .check(
      z.trim(),
      z.minLength(40, { error: 'Write at least 40 characters about how you work.' }),
      z.maxLength(MAX_ABOUT_LENGTH, { error: 'Use 1,500 characters or fewer.' }),
      z.regex(/^[^\p{Co}\p{Cf}]*$/u, { error: 'Use only letters, numbers and punctuation.' }),
    ),
  qualifications: z
    .array(requiredLine('Enter a qualification.', 120))
    .check(
      z.minLength(1, { error: 'Enter at least one qualification.' }),
      z.maxLength(12, { error: 'Enter at most 12 qualifications.' }),
    ),
  /** Unchanged when left out; none in a new profile. */
  affiliations: z.optional(
    z
      .array(requiredLine('Enter a society.', 120))
      .check(z.maxLength(12, { error: 'Enter at most 12 societies.' })),
  ),
  languages: z.array(Language).check(z.minLength(1, { error: 'Choose at least one language.' })),
}
export const UpdateAboutInput = z.strictObject(aboutFields)
export type UpdateAboutInput = z.infer<typeof UpdateAboutInput>
