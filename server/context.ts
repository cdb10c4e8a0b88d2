import { ProviderId, type SessionId, type UserId } from '#contract/base/ids.ts'
import type { StaffRole } from '#contract/base/staff.ts'
import type { Instant } from '#db/columns.ts'
import { type Database, type Db, lockOpenAccount } from '#db/engine.ts'
import type { Config } from '#server/kernel/config/config.ts'
import {
  type AttemptName,
  type Attempts,
  oldestSlice,
  secondsToWait,
  sliceAt,
  sliceEnd,
} from '#server/kernel/limits/attempts.ts'
import type { RateLimiter } from '#server/kernel/limits/rate-limit.ts'
import type { Passwords } from '#server/kernel/security/passwords.ts'
import type { SetupStep } from '#server/kernel/security/setup-steps.ts'
import type { TokenUse } from '#server/kernel/security/token-scopes.ts'
import type { DocumentGateway } from './gateways/documents.ts'
import type { MailGateway } from './gateways/mail.ts'
import type { OutsideCalendarGateway } from './gateways/outside-calendars.ts'
import type { PaymentGateways } from './gateways/payment-gateways.ts'
import type { PictureGateway } from './gateways/pictures.ts'
import type { Registers } from './gateways/registers.ts'
import { countAttempt, findExpiry, saveExpiry, uncountAttempt } from './jobs/attempts-store.ts'
import { insertAudit } from './jobs/audit-store.ts'
import { insertStopped, isProviderVerified, isStopped } from './jobs/email-admission-store.ts'
import { insertOutbox } from './jobs/store.ts'
import type { Audit, AuditEvent } from './kernel/audit.ts'
import { EmailAdmission } from './kernel/email-admission.ts'
import { ruleOf } from './kernel/email-rules.ts'
import { AppError } from './kernel/errors.ts'
import type { Background } from './kernel/limits/semaphore.ts'
import type { Log } from './kernel/log.ts'
import type { Outbox, OutboxSignal, Recipient } from './kernel/outbox.ts'
import type { Secrets, Vault } from './kernel/security/secrets.ts'
import type { Metrics, Tracing } from './kernel/telemetry.ts'
import { type Client, NO_CLIENT, Reply } from './kernel/wire/client.ts'

/** The singletons of a process. Nothing is global: they are passed to all code that needs them. */
export type Services = {
  database: Database
  /** Epoch milliseconds. */
  now: () => number
  /** `prefix_` and 26 random characters. */
  newId: (prefix: string) => string
  /** A random number in [0, 1); only for spreading load, never for secrets. */
  chance: () => number
  log: Log
  config: Config
  limiter: RateLimiter
  background: Background
  mail: MailGateway
  gateways: PaymentGateways
  outbox: OutboxSignal
  secrets: Secrets
  vault: Vault
  passwords: Passwords
  pictures: PictureGateway
  documents: DocumentGateway
  registers: Registers
  metrics: Metrics
  outsideCalendars: OutsideCalendarGateway
  tracing: Tracing
}

/** The caller. A provider is identified by the id of their profile. */
export type Viewer =
  | { kind: 'visitor' }
  | { kind: 'patient'; id: string }
  | { kind: 'provider'; id: ProviderId }
  | { kind: 'staff'; id: string; role: StaffRole }

type Caller = {
  kind: Session['kind']
  user_id: string
  /** Null unless it is a provider. */
  provider_id: string | null
  /** Null unless it is a member of staff. */
  role: StaffRole | null
}

/** The viewer that a row of an account makes. */
export function viewerOf({ kind, user_id: id, provider_id: providerId, role }: Caller): Viewer {
  if (kind === 'patient') return { kind, id }
  if (kind === 'provider') return { kind, id: ProviderId.parse(providerId) }
  if (role === null) throw new Error('A staff account has no role.')
  return { kind, id, role }
}

/** The session of a request, read from the database for each request. */
export type Session = {
  id: SessionId
  /** Internal number of the account. */
  accountNo: number
  userId: UserId
  kind: 'patient' | 'provider' | 'staff'
  /** Until when sensitive changes need no further proof. */
  steppedUpUntil: Instant | null
  /** What must be done before anything else. */
  setupStep: SetupStep | null
}

/** Mailboxes whose owners have stopped emails that strangers cause. */
type StoppedMail = {
  has(address: string): Promise<boolean>
  /** By its `stoppedKey`; false where that was done before. */
  add(key: string): Promise<boolean>
}

export type Tx = {
  db: Db
  outbox: Outbox
  audit: Audit
  attempts: Attempts
  stopped: StoppedMail
}

/**
 * The request context, first parameter of every use case: the services, the caller and the origin of the
 * request.
 */
export type Context = Services & {
  viewer: Viewer
  /** Also shown to users as the reference number. */
  requestId: string
  /** IPv4 address or IPv6 /64 the request came from; the key of rate limits. */
  network: string
  /** Null for visitors, and for viewers outside HTTP. */
  session: Session | null
  /** The access token, if the request came with one. */
  token: TokenUse | null
  client: Client
  reply: Reply
  /** Endpoints this request was admitted to before its body was read; each call removes its own. */
  admitted: Set<string>
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Audits an event that belongs to no other transaction, such as a refusal. */
  record(event: AuditEvent): Promise<void>
}

/** The context of a signed-in caller. */
export type SignedIn = Context & { session: Session }

/** The context of a signed-in provider. */
export type AsProvider = SignedIn & { viewer: Extract<Viewer, { kind: 'provider' }> }

/** Narrows a context that may also be a patient's. */
export function isProvider(ctx: SignedIn): ctx is AsProvider {
  return ctx.viewer.kind === 'provider'
}

/** The context of signed-in staff. */
export type AsStaff = Context & { viewer: Extract<Viewer, { kind: 'staff' }> }

/** The caller, and how the request arrived. */
type RequestFacts = {
  viewer: Viewer
  requestId: string
  network: string
  session?: Session | null
  token?: TokenUse | null
  client?: Client
  reply?: Reply
  admitted?: Set<string>
}

type OutboxParts = { db: Db; emails: EmailAdmission; onAdd: () => void }

function outboxIn(services: Services, { db, emails, onAdd }: OutboxParts): Outbox {
  return {
    add: async (topic, payload, ...[more = 0]: [(Recipient | number)?]) => {
      const recipient = typeof more === 'number' ? null : more
      const rule = ruleOf(topic, payload, recipient?.insteadOf)
      const fate = rule === null ? 'queued' : await emails.admit(rule, recipient?.to ?? null)
      if (fate !== 'queued') return fate
      await insertOutbox(db, {
        id: services.newId('out'),
        topic,
        payload,
        now: services.now(),
        afterMs: typeof more === 'number' ? more : 0,
      })
      onAdd()
      return fate
    },
  }
}

function actorOf({ viewer, session }: RequestFacts, event: AuditEvent) {
  if (event.actor !== undefined) return { actorKind: event.actor.kind, actorId: event.actor.id }
  const id = viewer.kind === 'visitor' ? null : viewer.id
  return { actorKind: viewer.kind, actorId: session?.userId ?? id }
}

function auditIn(services: Services, facts: RequestFacts, db: Db): Audit {
  return {
    add: (event) =>
      insertAudit(db, {
        id: services.newId('aud'),
        at: services.now(),
        event,
        ...actorOf(facts, event),
        network: facts.network,
        requestId: facts.requestId,
      }),
  }
}

function attemptsIn({ now, secrets }: Services, db: Db): Attempts {
  const keyOf = (name: AttemptName, subject: string) => `${name}:${secrets.mac('attempt', subject)}`
  const proofOf = (network: string) => `search_proof:${secrets.mac('attempt', network)}`
  const countOne = async (name: AttemptName, subject: string, share: number) => {
    const at = now()
    const slice = sliceAt(name, at)
    const slices = await countAttempt(db, {
      key: keyOf(name, subject),
      slice,
      expiresAt: sliceEnd(name, slice),
      oldest: oldestSlice(name, at),
    })
    return secondsToWait(name, slices, { now: at, share })
  }
  return {
    async take(name, subject, share = 1) {
      const retryAfterSeconds = await countOne(name, subject, share)
      if (retryAfterSeconds !== null) throw new AppError('rate_limited', { retryAfterSeconds })
    },
    count: async (name, subject) => (await countOne(name, subject, 1)) === null,
    uncount: (name, subject) => uncountAttempt(db, keyOf(name, subject)),
    keepProof: (network, until) => saveExpiry(db, proofOf(network), until),
    findProof: (network) => findExpiry(db, proofOf(network), now()),
  }
}

/** Runs a use case in one transaction; what it adds to the outbox is delivered soon after the commit. */
async function transact<T>(
  services: Services,
  facts: RequestFacts,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let hasEnqueued = false
  const { viewer, network, session } = facts
  const causer = { viewer, userId: session?.userId ?? null, network }
  const result = await services.database.transaction(async (db) => {
    const attempts = attemptsIn(services, db)
    const emails = new EmailAdmission(causer, {
      attempts,
      secrets: services.secrets,
      isVerified: (providerId) => isProviderVerified(db, providerId),
      isStoppedKey: (key) => isStopped(db, key),
    })
    const onAdd = () => {
      hasEnqueued = true
    }
    const outbox = outboxIn(services, { db, emails, onAdd })
    const audit = auditIn(services, facts, db)
    const stopped = {
      has: (address: string) => emails.isStopped(address),
      add: (key: string) => insertStopped(db, key, services.now()),
    }
    const done = await work({ db, audit, attempts, outbox, stopped })
    await emails.settle()
    return done
  })
  if (hasEnqueued) services.outbox.wake()
  return result
}

/** The context of a job: without a request, and audited as the system. */
export function systemContext(services: Services, job: string): Context {
  return makeContext(services, { viewer: { kind: 'visitor' }, requestId: job, network: '' })
}

/** The context of one request. Calls of one batch share it. */
export function makeContext(services: Services, facts: RequestFacts): Context {
  return {
    ...services,
    session: null,
    token: null,
    client: NO_CLIENT,
    reply: new Reply(),
    admitted: new Set(),
    ...facts,
    transaction: (work) => transact(services, facts, work),
    record: (event) => transact(services, facts, (tx) => tx.audit.add(event)),
  }
}

/**
 * Locks the viewer's account until the transaction ends, before any other lock. Throws `session_ended` if it was erased
 * since the request began: the clean-up of the erasure would miss what is written now.
 */
export async function lockOwnAccount({ session }: Context, tx: Tx): Promise<void> {
  const isOpen = session === null || (await lockOpenAccount(tx.db, session.accountNo))
  if (!isOpen) throw new AppError('session_ended')
}
