import * as z from 'zod/mini'
import { CaptchaValue } from './captcha.ts'
import { MessageId, ProviderId } from './ids.ts'
import { Email, PersonName, stripInvisible } from './people.ts'

/** Longest message in characters: in any script it stays within the 10 kB limit of a contact call. */
export const MESSAGE_MAX = 3_000

/** Shortest time in which a person fills in the form. */
export const CONTACT_MIN_MS = 3_000

/** Documented fields of POST /api/contact-us/, plus the recipient and two traps for bots. */
export const ContactInput = z.strictObject({
  first_name: PersonName('Enter your first name.'),
  last_name: PersonName('Enter your last name.'),
  email: Email,
  message: z
    .string({ error: 'Enter your message.' })
    .check(
      stripInvisible,
      z.trim(),
      z.minLength(1, { error: 'Enter your message.', abort: true }),
      z.minLength(10, { error: 'Tell us a little more: at least 10 characters.' }),
      z.maxLength(MESSAGE_MAX, { error: 'Use 3,000 characters or fewer.' }),
    ),
  /** Left out: the message is for the people who run the site. */
  providerId: z.optional(ProviderId),
  captchaValue: z.optional(CaptchaValue),
  /** Hidden from people, so only bots fill it in. */
  website: z.optional(z.string().check(z.maxLength(200))),
  /** Milliseconds between showing the form and sending it, as the page measured them. */
  elapsedMs: z.optional(z.int().check(z.nonnegative())),
})
export type ContactInput = z.infer<typeof ContactInput>

export const ContactReceipt = z.object({ reference: MessageId })
export type ContactReceipt = z.infer<typeof ContactReceipt>
