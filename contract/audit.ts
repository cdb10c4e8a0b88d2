import * as z from 'zod/mini'
import { IsoDate, IsoInstant } from './base/time.ts'

/** Rows on a page of the audit log. */
export const AUDIT_PAGE_SIZE = 25

/**
 * POST `AuditFilters` here to download the matching part of the log as CSV (RFC 4180), newest first,
 * streamed.
 */
export const AUDIT_EXPORT_PATH = '/download/audit-log'

export const AuditOutcome = z.enum(['ok', 'denied', 'failed'])
export type AuditOutcome = z.infer<typeof AuditOutcome>
export const AuditActorKind = z.enum(['visitor', 'patient', 'provider', 'staff', 'system'])
export type AuditActorKind = z.infer<typeof AuditActorKind>

/** Longest account or entity to filter by, in characters. */
export const FILTER_TEXT_MAX = 200

const FilterText = z.string().check(z.trim(), z.minLength(1), z.maxLength(FILTER_TEXT_MAX))

const filters = {
  /** Such as `session.began`: the kind of entity and what was done to it. */
  action: z.optional(
    z.string().check(z.regex(/^[a-z_]{1,40}\.[a-z_]{1,40}$/, { error: 'Choose an action.' })),
  ),
  outcome: z.optional(AuditOutcome),
  kind: z.optional(AuditActorKind),
  /** The id of an account, or the email address of a staff member. */
  actor: z.optional(FilterText),
  /** The id of the entity, the email address of a staff member, or the name of a call. */
  entity: z.optional(FilterText),
  /** Days in UTC, both included. */
  from: z.optional(IsoDate),
  to: z.optional(IsoDate),
  /** Includes read-only actions. Left out, they are excluded unless one of them is the action. */
  reads: z.optional(z.enum(['show'])),
}

/** Which part of the log. */
export const AuditFilters = z.strictObject(filters)
export type AuditFilters = z.infer<typeof AuditFilters>

export const AuditInput = z.strictObject({
  ...filters,
  /** Continues after the page whose `next` this is. */
  before: z.optional(z.string().check(z.regex(/^\d{1,15}-\d{1,15}$/, { error: 'page_invalid' }))),
})
export type AuditInput = z.infer<typeof AuditInput>

export const AuditEntry = z.object({
  id: z.string(),
  at: IsoInstant,
  action: z.string(),
  outcome: AuditOutcome,
  actor: z.object({
    kind: AuditActorKind,
    id: z.nullable(z.string()),
    /** Staff only, while they still have an account; everybody else is identified by id. */
    email: z.nullable(z.string()),
    /** A provider's name at the time; null once they have erased their account. */
    name: z.nullable(z.string()),
  }),
  network: z.string(),
  requestId: z.string(),
  entity: z.nullable(z.string()),
  entityEmail: z.nullable(z.string()),
  /** A provider's name and number, or their company, at the time; the reference of a visit or payment. */
  entityName: z.nullable(z.string()),
  /** Codes and numbers. */
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Position in the hash chain; null until the sealing job has processed it. */
  position: z.nullable(z.int()),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** Newest first. `next` is the cursor of the following page; null on the last. */
export const AuditPage = z.object({ entries: z.array(AuditEntry), next: z.nullable(z.string()) })
export type AuditPage = z.infer<typeof AuditPage>

const Head = z.object({
  position: z.int().check(z.minimum(1)),
  seal: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
})

/** An earlier head of the chain, recorded elsewhere: shows whether anything after it was cut off. */
export const VerifyAuditInput = z.strictObject({
  known: z.optional(z.strictObject({ position: Head.shape.position, seal: Head.shape.seal })),
})
export type VerifyAuditInput = z.infer<typeof VerifyAuditInput>

export const AuditVerdict = z.object({
  /** Rows with valid seals, from the first on. */
  sealed: z.int(),
  /** Where the chain breaks: the position of the first row that is wrong or missing. */
  brokenAt: z.nullable(z.int()),
  /** Id of the row found at or after that position; null when the rest is gone. */
  brokenRow: z.nullable(z.string()),
  /** Rows not sealed yet, and how long the oldest has been waiting. */
  unsealed: z.int(),
  unsealedSince: z.nullable(IsoInstant),
  /** The head of the chain, to be recorded elsewhere; null when nothing is sealed or the chain breaks. */
  head: z.nullable(Head),
})
export type AuditVerdict = z.infer<typeof AuditVerdict>
