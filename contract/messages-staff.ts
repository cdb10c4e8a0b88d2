import * as z from 'zod/mini'
import { OutboxId } from './ids.ts'
import { Page } from './paging.ts'
import { IsoInstant } from './time.ts'

// Separate from the rest of the module: only staff pages load this.

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
