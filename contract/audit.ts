import * as z from 'zod/mini'
import { IsoDate, IsoInstant } from './time.ts'

/** Rows on a page of the audit log. */
export const AUDIT_PAGE_SIZE = 25

/**
 * POST `AuditFilters` here for what they leave of the log as a file of comma-separated values (RFC 4180),
 * the newest first, which is sent while it is read.
 */
export const AUDIT_EXPORT_PATH = '/download/audit-log'

export const AuditOutcome = z.enum(['ok', 'denied', 'failed'])
export type AuditOutcome = z.infer<typeof AuditOutcome>
export const AuditActorKind = z.enum(['visitor', 'patient', 'provider', 'staff', 'system'])
export type AuditActorKind = z.infer<typeof AuditActorKind>

/**
 * Acts that only looked at something. A page of the log leaves them out unless they are asked for: each
 * list that staff open would be a line of it.
 */
export const READS = [
  'audit.verified',
  'bank.viewed',
  'claim.read',
  'company.document_viewed',
  'payment.names_read',
  'visit.opened',
  'visit.purpose_read',
] as const

const Word = z.string().check(z.trim(), z.minLength(1), z.maxLength(200))

const filters = {
  /** `session.began`: the thing and what was done to it. */
  action: z.optional(
    z.string().check(z.regex(/^[a-z_]{1,40}\.[a-z_]{1,40}$/, { error: 'Choose an action.' })),
  ),
  outcome: z.optional(AuditOutcome),
  kind: z.optional(AuditActorKind),
  /** The id of an account, or the email address of somebody on the staff. */
  actor: z.optional(Word),
  /** The id of the very thing, the address of somebody on the staff, or the name of a call. */
  entity: z.optional(Word),
  /** Days in UTC, both included. */
  from: z.optional(IsoDate),
  to: z.optional(IsoDate),
  /** Whether acts that only looked are among them; left out, they are not, unless one is the action. */
  reads: z.optional(z.enum(['show'])),
}

/** Which part of the log. */
export const AuditFilters = z.strictObject(filters)
export type AuditFilters = z.infer<typeof AuditFilters>

export const AuditInput = z.strictObject({
  ...filters,
  /** Continues where a page ended: its `next`. */
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
    /** Of staff only, while they are here; everybody else goes by their id. */
    email: z.nullable(z.string()),
    /** What a provider was called then; null once they have erased their account. */
    name: z.nullable(z.string()),
  }),
  network: z.string(),
  requestId: z.string(),
  entity: z.nullable(z.string()),
  entityEmail: z.nullable(z.string()),
  /** A provider by name and number, or their company, as it was then; a visit or payment by its reference. */
  entityName: z.nullable(z.string()),
  /** Codes and numbers. */
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Place in the sealed chain; null until the sealing job has been there. */
  position: z.nullable(z.int()),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** The newest first. `next` asks for the page after; null at the end. */
export const AuditPage = z.object({ entries: z.array(AuditEntry), next: z.nullable(z.string()) })
export type AuditPage = z.infer<typeof AuditPage>

const Head = z.object({
  position: z.int().check(z.minimum(1)),
  seal: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
})

/** A head that was noted down earlier, to find out whether anything after it was cut off. */
export const VerifyAuditInput = z.strictObject({
  known: z.optional(z.strictObject({ position: Head.shape.position, seal: Head.shape.seal })),
})
export type VerifyAuditInput = z.infer<typeof VerifyAuditInput>

export const AuditVerdict = z.object({
  /** Rows whose seals are right, from the first on. */
  sealed: z.int(),
  /** Where the chain breaks, as the place of the first row that is wrong or missing. */
  brokenAt: z.nullable(z.int()),
  /** Id of the row found at that place or after it; null when the rest is gone. */
  brokenRow: z.nullable(z.string()),
  /** Rows the sealing job has yet to see, and since when the oldest waits. */
  unsealed: z.int(),
  unsealedSince: z.nullable(IsoInstant),
  /** The end of the chain, to be noted down elsewhere; null when nothing is sealed, or it breaks. */
  head: z.nullable(Head),
})
export type AuditVerdict = z.infer<typeof AuditVerdict>
