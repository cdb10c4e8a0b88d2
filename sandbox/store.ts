import Sqlite from 'better-sqlite3'
import * as z from 'zod/mini'

/** The sandbox's stored records; the wire formats of both protocols are derived from them. */
export type SessionRecord = {
  id: string
  /** Follows the session's id in the client secret. */
  secret: string
  status: 'open' | 'complete' | 'expired'
  amount: number
  /** Lower case, as Stripe writes it. */
  currency: string
  product: string
  quantity: number
  reference: string | null
  email: string | null
  metadata: Record<string, string>
  intentMetadata: Record<string, string>
  transferGroup: string | null
  returnUrl: string | null
  redirect: 'always' | 'if_required' | 'never'
  hasAdaptivePricing: boolean
  /** Seconds, as everywhere in this protocol. */
  created: number
  expiresAt: number
  /** Created at the first payment attempt. */
  intent: string | null
  payer: { name: string; country: string; postcode: string } | null
}

export type CardFacts = { brand: string; last4: string; month: number; year: number }

export type IntentRecord = {
  id: string
  session: string
  amount: number
  currency: string
  metadata: Record<string, string>
  transferGroup: string | null
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
  created: number
  canceledAt: number | null
  charge: string | null
  failure: CardRefusal | null
  /** The card that awaits its holder's authentication; only while action is required. */
  waiting: { card: CardFacts; outcome: string; name: string } | null
}

export type CardRefusal = { code: string; declineCode: string | null; message: string }

export type ChargeRecord = {
  id: string
  intent: string
  amount: number
  currency: string
  refunded: number
  metadata: Record<string, string>
  transferGroup: string | null
  created: number
  card: CardFacts
  name: string
  email: string | null
  isDisputed: boolean
  /** Taken from the card: its refunds fail later. */
  failsRefunds: boolean
  failure: CardRefusal | null
  with3ds: boolean
}

export type RefundRecord = {
  id: string
  charge: string
  intent: string
  amount: number
  currency: string
  reason: string | null
  metadata: Record<string, string>
  status: 'pending' | 'succeeded' | 'failed'
  created: number
  /** Seconds; a refund that will fail does so then. */
  failsAt: number | null
}

export type DisputeRecord = {
  id: string
  charge: string
  intent: string
  amount: number
  currency: string
  created: number
  reason: string
  status: 'needs_response' | 'won' | 'lost'
}

export type EndpointRecord = {
  id: string
  url: string
  secret: string
  events: string[]
  created: number
}

export type WalletOutcome = 'pay' | 'decline' | 'pending_complete' | 'pending_deny'

export type OrderRecord = {
  /** 17 capital letters and digits. */
  id: string
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED'
  referenceId: string
  customId: string | null
  invoiceId: string | null
  description: string | null
  currency: string
  /** As sent: `50.00`. */
  value: string
  returnUrl: string | null
  cancelUrl: string | null
  /** Epoch milliseconds. */
  created: number
  updated: number
  payer: { id: string; email: string; given: string; family: string; country: string } | null
  outcome: WalletOutcome
  capture: string | null
  /** GET answers 404, though its money may still move. */
  isForgotten?: boolean
}

export type CaptureRecord = {
  id: string
  order: string
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED'
  currency: string
  value: string
  refundedMinor: number
  customId: string | null
  invoiceId: string | null
  created: number
  updated: number
  /** When a pending one is decided, and how. */
  decideAt: number | null
  decision: 'COMPLETED' | 'DECLINED' | null
}

export type WalletRefundRecord = {
  id: string
  capture: string
  status: 'COMPLETED'
  currency: string
  value: string
  customId: string | null
  invoiceId: string | null
  created: number
}

export type WalletDisputeRecord = {
  /** `PP-D-` and digits. */
  id: string
  capture: string
  reason: string
  currency: string
  value: string
  created: number
  updated: number
  /** Null while it is open. */
  outcome: 'RESOLVED_BUYER_FAVOUR' | 'RESOLVED_SELLER_FAVOUR' | null
}

export type Protocol = 'stripe' | 'paypal'

/** An event in full, as it was created: every delivery of it is identical to the byte. */
export type EventRecord = {
  id: string
  protocol: Protocol
  type: string
  object: string
  body: string
  created: number
}

export type DeliveryRecord = {
  id: string
  event: string
  /** `app`, or the id of a registered endpoint. */
  endpoint: string
  tries: number
  /** Epoch milliseconds of the next try; null when delivered or given up. */
  nextAt: number | null
  /** HTTP status of the last try; 0 when there was no response. */
  status: number | null
}

export type Records = {
  session: SessionRecord
  intent: IntentRecord
  charge: ChargeRecord
  refund: RefundRecord
  dispute: DisputeRecord
  endpoint: EndpointRecord
  order: OrderRecord
  capture: CaptureRecord
  walletRefund: WalletRefundRecord
  walletDispute: WalletDisputeRecord
  event: EventRecord
  delivery: DeliveryRecord
}
export type Kind = keyof Records

/** A response stored under an idempotency key. */
export type StoredResponse = { fingerprint: string; status: number; body: string; at: number }

/** Another process has the data folder's store open, and is the sandbox. */
export class TakenError extends Error {
  override readonly name = 'TakenError'
}

const SCHEMA = `
create table if not exists record (
  kind text not null, id text not null, seq integer not null, body text not null,
  primary key (kind, id)) without rowid;
create index if not exists record_newest on record (kind, seq);
create index if not exists delivery_due on record (json_extract(body, '$.nextAt'))
  where kind = 'delivery' and json_extract(body, '$.nextAt') is not null;
create index if not exists session_open on record (json_extract(body, '$.expiresAt'))
  where kind = 'session' and json_extract(body, '$.status') = 'open';
create table if not exists kept (key text primary key, body text not null) without rowid;
create table if not exists setting (name text primary key, body text not null) without rowid;
`

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('a text column that holds no text')
  return value
}

/** Trusts what this store wrote: its shape is not validated again. */
function parseBody<T>(body: unknown): T {
  return z.parse(z.custom<T>(), JSON.parse(textOf(body)))
}

/** The sandbox's database: one table of records, stored responses, and settings. Synchronous. */
export class Store {
  readonly #db: Sqlite.Database
  #seq: number

  /** Opens `file` (`:memory:` for a test) exclusively, or throws `TakenError`. */
  constructor(file: string) {
    this.#db = new Sqlite(file, { timeout: 0 })
    try {
      this.#db.pragma('locking_mode = EXCLUSIVE')
      this.#db.pragma('journal_mode = WAL')
      this.#db.pragma('synchronous = NORMAL')
      this.#db.exec('begin exclusive; commit')
    } catch (error) {
      this.#db.close()
      throw new TakenError('Another sandbox holds this file.', { cause: error })
    }
    this.#db.exec(SCHEMA)
    this.#seq = Number(this.#db.prepare('select coalesce(max(seq), 0) from record').pluck().get())
  }

  /** Runs `work` in a transaction; it must not await anything. */
  atomically<T>(work: () => T): T {
    return this.#db.inTransaction ? work() : this.#db.transaction(work).immediate()
  }

  put<K extends Kind>(kind: K, record: Records[K]): void {
    this.#seq += 1
    this.#db
      .prepare(
        `insert into record (kind, id, seq, body) values (?, ?, ?, ?)
         on conflict (kind, id) do update set body = excluded.body`,
      )
      .run(kind, record.id, this.#seq, JSON.stringify(record))
  }

  find<K extends Kind>(kind: K, id: string): Records[K] | undefined {
    const body = this.#db
      .prepare('select body from record where kind = ? and id = ?')
      .pluck()
      .get(kind, id)
    return body === undefined ? undefined : parseBody<Records[K]>(body)
  }

  /** Newest first. */
  list<K extends Kind>(kind: K, limit = 10_000): Records[K][] {
    return this.#db
      .prepare('select body from record where kind = ? order by seq desc limit ?')
      .pluck()
      .all(kind, limit)
      .map((body) => parseBody<Records[K]>(body))
  }

  /** Deliveries whose next try is due, the oldest first. Epoch milliseconds. */
  dueDeliveries(now: number): Records['delivery'][] {
    return this.#db
      .prepare(
        `select body from record where kind = 'delivery'
         and json_extract(body, '$.nextAt') is not null and json_extract(body, '$.nextAt') <= ?
         order by seq limit 500`,
      )
      .pluck()
      .all(now)
      .map((body) => parseBody<Records['delivery']>(body))
  }

  /** Ids of open sessions that have expired. Seconds. */
  overdueSessions(now: number): string[] {
    return this.#db
      .prepare(
        `select id from record where kind = 'session'
         and json_extract(body, '$.status') = 'open' and json_extract(body, '$.expiresAt') <= ?`,
      )
      .pluck()
      .all(now)
      .map(textOf)
  }

  keep(key: string, answer: StoredResponse): void {
    this.#db
      .prepare('insert or replace into kept (key, body) values (?, ?)')
      .run(key, JSON.stringify(answer))
  }

  kept(key: string): StoredResponse | undefined {
    const body = this.#db.prepare('select body from kept where key = ?').pluck().get(key)
    return body === undefined ? undefined : parseBody<StoredResponse>(body)
  }

  setting(name: string): string | undefined {
    const body = this.#db.prepare('select body from setting where name = ?').pluck().get(name)
    return body === undefined ? undefined : textOf(body)
  }

  set(name: string, body: string): void {
    this.#db.prepare('insert or replace into setting (name, body) values (?, ?)').run(name, body)
  }

  close(): void {
    this.#db.close()
  }
}
