import * as z from 'zod/mini'
import type { IdempotencyKeyRow } from '#db/tables/idempotency.ts'
import type { Context, Session } from './context.ts'
import { deleteKey, findKey, insertKey, retakeKey, setAnswer } from './jobs/keys-store.ts'
import { AppError } from './kernel/errors.ts'
import {
  isRepeatable,
  KEY_LEASE_MS,
  KEY_LIFE_MS,
  KEY_RETRY_SECONDS,
  readKey,
  requestText,
} from './kernel/idempotency.ts'

/** A call as far as its key goes: the procedure and what it was sent, before any reading of it. */
type Keyed = { path: string; getRawInput: () => Promise<unknown> }

/** What the steps of a procedure end with. */
type Ended = { ok: boolean; data?: unknown }

/** Either the first answer again, or the right and the duty to do it. */
export type Turn =
  | { kind: 'repeat'; data: unknown }
  | { kind: 'first'; end(result: Ended): Promise<void> }

const Kept = z.object({ data: z.optional(z.unknown()) })

type Attempt = Omit<IdempotencyKeyRow, 'answer'>

type Named = { path: string; input: unknown }

function attemptOf(ctx: Context, session: Session, { path, input }: Named): Attempt {
  const key = readKey(ctx.client.idempotencyKey ?? '')
  const now = ctx.now()
  return {
    account_no: session.accountNo,
    key_hash: ctx.secrets.mac('idempotency', `key ${session.userId} ${key}`),
    body_hash: ctx.secrets.mac('idempotency', `body ${requestText(path, input)}`),
    lease_until: now + KEY_LEASE_MS,
    expires_at: now + KEY_LIFE_MS,
  }
}

/** Whose answers are cookies is kept nowhere but with them. */
function isWorthKeeping(ctx: Context, { ok }: Ended): boolean {
  return ok && ctx.reply.headers.length === 0
}

function firstTurn(ctx: Context, attempt: Attempt): Turn {
  const { db } = ctx.database
  return {
    kind: 'first',
    async end(result) {
      try {
        // A refusal changed nothing and may be out of date a moment later: it is not repeated.
        if (!isWorthKeeping(ctx, result)) return await deleteKey(db, attempt)
        const answer = JSON.stringify({ data: result.data })
        await setAnswer(db, attempt, ctx.secrets.seal('idempotency', answer))
      } catch (error) {
        // What was asked for is done; only a repeat will have to wait for the lease.
        ctx.log.warn({ err: error, requestId: ctx.requestId }, 'an answer could not be kept')
      }
    },
  }
}

/** What an earlier request with this key means for ours; null when another was faster again. */
async function follow(ctx: Context, attempt: Attempt): Promise<Turn | null> {
  const { db } = ctx.database
  const seen = await findKey(db, attempt)
  if (seen === undefined) return null
  const isOver = seen.expires_at <= ctx.now()
  if (!isOver && seen.body_hash !== attempt.body_hash) throw new AppError('key_reused')
  if (!isOver && seen.answer !== null) {
    ctx.reply.header('idempotency-replayed', 'true')
    const kept = Kept.parse(JSON.parse(ctx.secrets.open('idempotency', seen.answer)))
    return { kind: 'repeat', data: kept.data }
  }
  if (!isOver && seen.lease_until > ctx.now()) {
    throw new AppError('key_running', { retryAfterSeconds: KEY_RETRY_SECONDS })
  }
  return (await retakeKey(db, seen, attempt)) ? firstTurn(ctx, attempt) : null
}

/**
 * Takes a turn at a write that came with an `Idempotency-Key`; null where the key means nothing: on
 * reads, for visitors, who cannot be told apart, and on calls whose answers are secrets. Throws
 * `key_reused` (other details under the same key) and `key_running` (the first is still at work).
 */
export async function takeTurn(ctx: Context, keyed: Keyed): Promise<Turn | null> {
  const { path, getRawInput } = keyed
  if (ctx.client.idempotencyKey === null || ctx.session === null) return null
  if (!isRepeatable(path)) return null
  const attempt = attemptOf(ctx, ctx.session, { path, input: await getRawInput() })
  if (await insertKey(ctx.database.db, attempt)) return firstTurn(ctx, attempt)
  const turn = await follow(ctx, attempt)
  if (turn !== null) return turn
  throw new AppError('key_running', { retryAfterSeconds: KEY_RETRY_SECONDS })
}
