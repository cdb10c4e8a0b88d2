import * as z from 'zod/mini'
import { dropZeroWidth, foldSpaces } from './typed-text.ts'

/** A required line of text of at most `longest` characters; `missing` is the message without it. */
export function requiredLine(missing: string, longest: number) {
  return z.string({ error: missing }).check(
    z.overwrite((typed) => foldSpaces(dropZeroWidth(typed))),
    z.trim(),
    z.minLength(1, { error: missing, abort: true }),
    z.maxLength(longest, { error: `Use ${longest} characters or fewer.` }),
    z.regex(/^[^\p{Cc}\p{Cf}\p{Co}\p{DI}]*$/u, {
      error: 'Use only letters, numbers and punctuation.',
    }),
  )
}
