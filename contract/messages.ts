import * as z from 'zod/mini'
import { CaptchaValue } from './base/captcha.ts'
import { Email } from './base/emails.ts'
import { MessageId, OutboxId, ProviderId } from './base/ids.ts'
import { Page } from './base/paging.ts'
import { stripInvisible } from './base/people.ts'
import { nameFields, withNames } from './base/person-names.ts'
import { IsoInstant } from './base/time.ts'

/** Longest message in characters: in any script it stays within the 10 kB limit of a contact call. */
export const MESSAGE_MAX = 3_000

/** Shortest time in which a person fills in the form. */
export const CONTACT_MIN_MS = 3_000

/** Documented fields of POST /api/contact-us/, plus the recipient and two traps for bots. */
export const ContactInput = withNames(
  z.strictObject({
    ...nameFields,
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
  }),
)
export type ContactInput = z.infer<typeof ContactInput>

export const ContactReceipt = z.object({ reference: MessageId })
export type ContactReceipt = z.infer<typeof ContactReceipt>

/** Path of the link that stops emails from strangers, before its token. */
export const STOP_MAIL_PATH = '/not-me'

export const StopMailInput = z.strictObject({
  token: z.string().check(z.maxLength(120, { error: 'stop_link_invalid' })),
})
export type StopMailInput = z.infer<typeof StopMailInput>

/** Rows on a page of failed deliveries. */
export const FAILED_PAGE_SIZE = 25

/** What was to be sent, or done without an email, named after the action it follows. */
export const FailedKind = z.enum([
  'contact',
  'confirm_email',
  'reset_password',
  'one_time_code',
  'account',
  'visit',
  'refund',
  'payment_alert',
  'differences',
  'bank_account',
  'access_token',
  'standing_lost',
  'decision',
  'request',
  'company',
  'clean_up',
])
export type FailedKind = z.infer<typeof FailedKind>

/** An outbox job that was retried until it was given up. */
export const FailedDelivery = z.object({
  id: OutboxId,
  kind: FailedKind,
  /** False when its contents are damaged, or encrypted with another key; `to` is then empty. */
  isReadable: z.boolean(),
  /** Recipients, each masked for roles that see no names; empty for jobs that send no email. */
  to: z.array(z.string()),
  writtenAt: IsoInstant,
  failedAt: IsoInstant,
  tries: z.int(),
  /** The kind of failure and its code, such as `Error ECONNREFUSED`; never what was in the email. */
  why: z.string(),
  /** It contains a code or a link that expires, and may have expired. */
  hasSecret: z.boolean(),
})
export type FailedDelivery = z.infer<typeof FailedDelivery>

export const FailedInput = z.strictObject({ page: z._default(Page, 1) })
export type FailedInput = z.infer<typeof FailedInput>

/** The newest first. */
export const FailedPage = z.object({
  deliveries: z.array(FailedDelivery),
  current_page: z.int(),
  total_pages: z.int(),
  total: z.int(),
})
export type FailedPage = z.infer<typeof FailedPage>

export const FailedCount = z.object({ failed: z.int() })
export type FailedCount = z.infer<typeof FailedCount>

export const RetryInput = z.strictObject({ id: OutboxId })
export type RetryInput = z.infer<typeof RetryInput>
