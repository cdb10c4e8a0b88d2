import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { isDatabaseDown } from '#db/failures.ts'
import type { IdempotencyKeyRow } from '#db/tables.ts'
import type { Context, Session } from './context.ts'
import { deleteKey, findKey, insertKey, setAnswer, takeOverKey } from './jobs/keys-store.ts'
import { AppError } from './kernel/errors.ts'

/** The longest that a gateway or a phone without reception may sensibly keep retrying. */
const KEY_LIFE_MS = 24 * 60 * 60_000

/** Lease on a request in progress; longer than any request of ours may run. */
const KEY_LEASE_MS = 60_000

/** Retry-After for a request that repeats one still in progress. */
const KEY_RETRY_SECONDS = 2

/** Accepts a UUID and the keys of other services; the quotes come from the header's draft standard. */
const KEY = /^"?([\w.:~+/=-]{8,200})"?$/

/** The key without its quotes. Throws `invalid_input` when it is malformed. */
function readKey(header: string): string {
  const key = KEY.exec(header)?.[1]
  if (key !== undefined) return key
  const message = 'Use 8 to 200 letters, digits or signs, such as a UUID.'
  throw new AppError('invalid_input', {}, { issues: [{ path: 'Idempotency-Key', message }] })
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Canonical text of a request, independent of field order and JSON formatting. */
function requestText(path: string, input: unknown): string {
  return JSON.stringify([path, input ?? null], sortKeys)
}

/** Pause between retries while the database is unavailable. */
const RETRY_MS = 500

/** The account a key belongs to. */
export type KeyOwner = Pick<Session, 'accountNo' | 'userId'>

/** A write as its key identifies it: the procedure, and the input before validation. */
type Write = {
  path: string
  getRawInput: () => Promise<unknown>
  /** The owner of the key when it is not the signed-in account: a link identifies its patient. */
  owner?: KeyOwner
}

/** The outcome of a write. */
type Ended = { ok: boolean; data?: unknown }

/** A write that runs for the first time under its key; `end` stores its response. */
export type FirstRun = { end(result: Ended): Promise<void> }

/**
 * Thrown to replay the first response. tRPC offers a middleware no other way to end a call early; the
 * outermost middleware turns it into a success.
 */
export class Replay extends Error {
  override readonly name = 'Replay'
  readonly data: unknown

  constructor(data: unknown) {
    super('The answer of an earlier request with the same key.')
    this.data = data
  }
}

const StoredAnswer = z.object({ data: z.optional(z.unknown()) })

type KeyRow = Omit<IdempotencyKeyRow, 'answer'>

type KeyedInput = { path: string; input: unknown }

function rowOf(ctx: Context, owner: KeyOwner, { path, input }: KeyedInput): KeyRow {
  const key = readKey(ctx.client.idempotencyKey ?? '')
  const now = ctx.now()
  return {
    account_no: owner.accountNo,
    key_hash: ctx.secrets.mac('idempotency', `key ${owner.userId} ${key}`),
    body_hash: ctx.secrets.mac('idempotency', `body ${requestText(path, input)}`),
    lease_until: now + KEY_LEASE_MS,
    expires_at: now + KEY_LIFE_MS,
  }
}

/** Responses that are wrong without the cookies they set are not stored. */
function isReplayable(ctx: Context, { ok }: Ended): boolean {
  return ok && !ctx.reply.needsHeaders
}

/**
 * Retries an update of a key until the database is back or the key's lease expires; until then every repeated
 * request is told to wait. A late update never affects another holder of the key.
 */
async function retryUntilBack(work: () => Promise<void>): Promise<void> {
  for (let left = KEY_LEASE_MS / RETRY_MS; left > 0; left -= 1) {
    await sleep(RETRY_MS, undefined, { ref: false })
    try {
      await work()
      return
    } catch (error) {
      // Other errors were logged the first time, or the process has closed its database.
      if (!isDatabaseDown(error)) return
    }
  }
}

function firstRun(ctx: Context, row: KeyRow): FirstRun {
  const { db } = ctx.database
  return {
    async end(result) {
      const storeAnswer = () => {
        // A refusal changed nothing and may soon be outdated, so it is not replayed.
        if (!isReplayable(ctx, result)) return deleteKey(db, row)
        const answer = JSON.stringify({ data: result.data })
        return setAnswer(db, row, ctx.secrets.seal('idempotency', answer))
      }
      try {
        await storeAnswer()
      } catch (error) {
        // The write is done or refused; repeated requests wait until that is recorded.
        ctx.log.warn({ err: error, requestId: ctx.requestId }, 'a response could not be stored')
        if (isDatabaseDown(error)) void retryUntilBack(storeAnswer)
      }
    },
  }
}

/**
 * Claims a key. If the database fails so that the outcome is unknown, the key is released and the write does not run.
 */
async function takeKey(ctx: Context, row: KeyRow, claim: () => Promise<boolean>): Promise<boolean> {
  try {
    return await claim()
  } catch (error) {
    if (isDatabaseDown(error)) void retryUntilBack(() => deleteKey(ctx.database.db, row))
    throw error
  }
}

/** Resolves an existing key: replays, refuses or takes it over; null when another request was faster. */
async function resolveKey(ctx: Context, row: KeyRow): Promise<FirstRun | null> {
  const { db } = ctx.database
  const seen = await findKey(db, row)
  if (seen === undefined) return null
  const isOver = seen.expires_at <= ctx.now()
  if (!isOver && seen.body_hash !== row.body_hash) throw new AppError('key_reused')
  if (!isOver && seen.answer !== null) {
    ctx.reply.header('idempotency-replayed', 'true')
    throw new Replay(
      StoredAnswer.parse(JSON.parse(ctx.secrets.open('idempotency', seen.answer))).data,
    )
  }
  if (!isOver && seen.lease_until > ctx.now()) {
    throw new AppError('key_running', { retryAfterSeconds: KEY_RETRY_SECONDS })
  }
  return (await takeKey(ctx, row, () => takeOverKey(db, seen, row))) ? firstRun(ctx, row) : null
}

/**
 * Begins an idempotent request. Returns null when an `Idempotency-Key` has no effect: for visitors, who
 * cannot be told apart. Throws `Replay` (already done), `key_reused`
 * (same key with different details) or `key_running` (the first request is still in progress).
 */
export async function beginIdempotent(ctx: Context, write: Write): Promise<FirstRun | null> {
  const { path, getRawInput, owner = ctx.session } = write
  if (ctx.client.idempotencyKey === null || owner === null) return null
  const row = rowOf(ctx, owner, { path, input: await getRawInput() })
  const { db } = ctx.database
  if (await takeKey(ctx, row, () => insertKey(db, row))) return firstRun(ctx, row)
  const first = await resolveKey(ctx, row)
  if (first !== null) return first
  throw new AppError('key_running', { retryAfterSeconds: KEY_RETRY_SECONDS })
}
