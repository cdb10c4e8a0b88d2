import type { Instant } from './columns.ts'
import type { AuditTables } from './tables/audit.ts'
import type { AuthTables } from './tables/auth.ts'
import type { AvailabilityTables } from './tables/availability.ts'
import type { BookingTables } from './tables/booking.ts'
import type { CalendarsTables } from './tables/calendars.ts'
import type { GalleryTables } from './tables/gallery.ts'
import type { GeoTables } from './tables/geo.ts'
import type { MessagesTables } from './tables/messages.ts'
import type { PaymentsTables } from './tables/payments.ts'
import type { ProfilesTables } from './tables/profiles.ts'
import type { SearchTables } from './tables/search.ts'
import type { VerificationTables } from './tables/verification.ts'

/** A write with an idempotency key chosen by the client, and its stored response. */
export interface IdempotencyKeyRow {
  account_no: number
  /** Keyed hash of the key. */
  key_hash: string
  /** Keyed hash of the procedure and its input. */
  body_hash: string
  /** Encrypted JSON; null while the first request is in progress. */
  answer: string | null
  /** End of the current attempt's lease; also identifies the attempt. */
  lease_until: Instant
  expires_at: Instant
}

interface IdempotencyTables {
  idempotency_keys: IdempotencyKeyRow
}

/** Facts about this database itself, such as which demo data it holds. */
export interface AppMetaRow {
  key: string
  value: string
}

/** All tables, by subject: those of a small feature module are beside the tables they belong to. */
export type Tables = { app_meta: AppMetaRow } & AuditTables &
  AuthTables &
  AvailabilityTables &
  BookingTables &
  CalendarsTables &
  GalleryTables &
  GeoTables &
  IdempotencyTables &
  MessagesTables &
  PaymentsTables &
  ProfilesTables &
  SearchTables &
  VerificationTables
