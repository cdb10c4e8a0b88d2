import * as z from 'zod/mini'
import { MessageId, ProviderId } from './ids.ts'

/** Letters of any script, marks, spaces, apostrophes, hyphens and full stops. */
const NAME = /^[\p{L}\p{M}][\p{L}\p{M}'’.\- ]*$/u

/** Format, control and private-use characters hide things; none belongs in a name or address. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u

/** Plain ASCII mailbox: look-alikes such as U+212A would fold into somebody else's address. */
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,62}\.)+[a-z]{2,63}$/

const notInvisible = (message: string) =>
  z.refine<string>((value) => !INVISIBLE.test(value), { error: message })

function nameField(missing: string) {
  return z
    .string({ error: missing })
    .check(
      z.trim(),
      z.minLength(1, { error: missing, abort: true }),
      z.maxLength(60, { error: 'Use 60 characters or fewer.' }),
      z.regex(NAME, { error: 'Use letters, spaces, apostrophes and hyphens only.' }),
      notInvisible('Use letters, spaces, apostrophes and hyphens only.'),
    )
}

/** Put in lower case once, here, so that every path stores and compares the same bytes. */
export const Email = z.string({ error: 'Enter your email address.' }).check(
  z.trim(),
  z.minLength(1, { error: 'Enter your email address.', abort: true }),
  z.maxLength(254, { error: 'Enter a valid email address.' }),
  // Before lower-casing: JavaScript folds the Kelvin sign into an ASCII k.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: printable ASCII is the point
  z.regex(/^[\x21-\x7e]+$/, { error: 'Enter a valid email address.', abort: true }),
  z.toLowerCase(),
  z.regex(EMAIL, { error: 'Enter a valid email address.' }),
)

/** Longest message in characters: of any script it stays within the 10 kB a contact call may have. */
export const MESSAGE_MAX = 3_000

/** A person fills the form in no less than this. */
export const CONTACT_MIN_MS = 3_000

/** Documented fields of POST /api/contact-us/, plus whom it is for and two traps for robots. */
export const ContactInput = z.strictObject({
  first_name: nameField('Enter your first name.'),
  last_name: nameField('Enter your last name.'),
  email: Email,
  message: z
    .string({ error: 'Enter your message.' })
    .check(
      z.trim(),
      z.minLength(1, { error: 'Enter your message.', abort: true }),
      z.minLength(10, { error: 'Tell us a little more: at least 10 characters.' }),
      z.maxLength(MESSAGE_MAX, { error: 'Use 3,000 characters or fewer.' }),
    ),
  /** Left out: the message is for the people who run the site. */
  providerId: z.optional(ProviderId),
  /** Hidden from people; whoever fills it in is a robot. */
  website: z.optional(z.string().check(z.maxLength(200))),
  /** Milliseconds between showing the form and sending it, as the page measured them. */
  elapsedMs: z.optional(z.int().check(z.nonnegative())),
})
export type ContactInput = z.infer<typeof ContactInput>

export const ContactReceipt = z.object({ reference: MessageId })
export type ContactReceipt = z.infer<typeof ContactReceipt>
