import { hash } from 'node:crypto'
import type { SandboxContext } from './context.ts'
import { Failure } from './failure.ts'
import { jsonResponse, type SandboxRequest, type SandboxResponse } from './http-messages.ts'

type IdempotencyRules = {
  /** The caller's protocol and key; null when the call has none. */
  key: string | null
  /** How many milliseconds a response is kept. */
  keepMs: number
  /** Whether the response of an executed call is kept. */
  keeps: (status: number) => boolean
  mismatch: () => Failure
  /** The response of a replay. */
  replayed: (kept: { status: number; body: string }) => SandboxResponse
}

function fingerprintOf({ method, path, body }: SandboxRequest): string {
  return hash('sha256', `${method} ${path}\n${body}`)
}

/** Whether a repeat under this key gets a stored response. */
export function isStored(
  ctx: SandboxContext,
  { key, keepMs }: Pick<IdempotencyRules, 'key' | 'keepMs'>,
): boolean {
  const stored = key === null ? undefined : ctx.store.kept(key)
  return stored !== undefined && ctx.now() - stored.at < keepMs
}

/** Stores a response that no execution produced, replacing any stored before. */
export function storeResponse(
  ctx: SandboxContext,
  { key, asked }: { key: string | null; asked: SandboxRequest },
  { status, body }: SandboxResponse,
): void {
  if (key === null) return
  const fingerprint = fingerprintOf(asked)
  ctx.store.keep(key, { fingerprint, status, body: String(body), at: ctx.now() })
}

/**
 * Runs a call once per key: a repeat gets the first response, a different request with the key is refused.
 */
export function runOnce(
  ctx: SandboxContext,
  {
    asked,
    keyed,
    run,
  }: { asked: SandboxRequest; keyed: IdempotencyRules; run: () => SandboxResponse },
): SandboxResponse {
  const { store } = ctx
  const { key } = keyed
  if (key === null) return attempt(ctx, run).answer
  const stored = isStored(ctx, keyed) ? store.kept(key) : undefined
  if (stored !== undefined) {
    if (stored.fingerprint !== fingerprintOf(asked)) {
      const { status, body } = keyed.mismatch()
      return jsonResponse(status, body)
    }
    return keyed.replayed(stored)
  }
  return store.atomically(() => {
    const { answer, hasRun } = attempt(ctx, run)
    if (hasRun && keyed.keeps(answer.status)) storeResponse(ctx, { key, asked }, answer)
    return answer
  })
}

/** A handler's refusal is a response too; only a call that never started to run is not stored. */
function attempt(
  ctx: SandboxContext,
  run: () => SandboxResponse,
): { answer: SandboxResponse; hasRun: boolean } {
  try {
    return { answer: ctx.store.atomically(run), hasRun: true }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { answer: jsonResponse(error.status, error.body), hasRun: !error.isEarly }
  }
}
