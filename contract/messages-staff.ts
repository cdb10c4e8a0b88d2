import * as z from 'zod/mini'
import { OutboxId } from './ids.ts'
import { Page } from './paging.ts'
import { IsoInstant } from './time.ts'

// Apart from the rest of the room: only staff's pages carry this.

/** Rows on a page of what could not be delivered. */
export const FAILED_PAGE_SIZE = 25

/** What was to be sent, or to be done without an email, in the words of the act it follows. */
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

/** Something owed that was tried until it was given up. */
export const FailedDelivery = z.object({
  id: OutboxId,
  kind: FailedKind,
  /** Whom it was for, each masked for roles that see no names; empty for work that mails nobody. */
  to: z.array(z.string()),
  writtenAt: IsoInstant,
  failedAt: IsoInstant,
  tries: z.int(),
  /** The kind of failure and its code, such as `Error ECONNREFUSED`; never what was in the email. */
  why: z.string(),
  /** It holds a code or a link that has a time of its own, and may have run out. */
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
