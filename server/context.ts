import type { ProviderId } from '#contract/ids.ts'
import type { Database, Db } from '#db/engine.ts'
import type { MailGateway } from './gateways/mail.ts'
import { insertOutbox } from './jobs/store.ts'
import type { Config } from './kernel/config.ts'
import type { Log } from './kernel/log.ts'
import type { Outbox, OutboxSignal } from './kernel/outbox.ts'
import type { RateLimiter } from './kernel/rate-limit.ts'

/** What a process has one of. Nothing ambient: whoever needs one of these is given it. */
export type Services = {
  database: Database
  /** Epoch milliseconds. */
  now: () => number
  /** `prefix_` and 26 random characters. */
  newId: (prefix: string) => string
  /** A number from 0 up to 1; only for spreading load, never for secrets. */
  chance: () => number
  log: Log
  config: Config
  limiter: RateLimiter
  mail: MailGateway
  outbox: OutboxSignal
}

export type StaffRole = 'superuser' | 'admin' | 'editor' | 'author'

/** Who is asking. Until there are accounts everybody is a visitor. */
export type Viewer =
  | { kind: 'visitor' }
  | { kind: 'patient'; id: string }
  | { kind: 'provider'; id: ProviderId }
  | { kind: 'staff'; id: string; role: StaffRole }

export type Tx = { db: Db; outbox: Outbox }

/** What a use case gets first: the services, and who asked from where. */
export type Context = Services & {
  viewer: Viewer
  /** Also the reference number a person may quote. */
  requestId: string
  /** IPv4 address or IPv6 /64 the request came from; the key of rate limits. */
  network: string
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

type Asking = { viewer: Viewer; requestId: string; network: string }

function outboxIn(services: Services, db: Db, onAdd: () => void): Outbox {
  return {
    add: async (topic, payload) => {
      await insertOutbox(db, {
        id: services.newId('out'),
        topic,
        payload,
        now: services.now(),
      })
      onAdd()
    },
  }
}

/** Runs an act in one transaction; what it owes is delivered soon after the commit. */
async function transact<T>(services: Services, work: (tx: Tx) => Promise<T>): Promise<T> {
  let owes = false
  const result = await services.database.transaction((db) =>
    work({
      db,
      outbox: outboxIn(services, db, () => {
        owes = true
      }),
    }),
  )
  if (owes) services.outbox.wake()
  return result
}

/** The context of one request. Calls of one batch share it. */
export function makeContext(services: Services, asking: Asking): Context {
  return {
    ...services,
    ...asking,
    transaction: (work) => transact(services, work),
  }
}
