import { hash } from 'node:crypto'
import type { SandboxContext } from './context.ts'
import { Failure } from './failure.ts'
import { type Answered, type Asked, jsonAnswer } from './http-forms.ts'

type Keyed = {
  /** The caller's protocol and key; null when the call has none. */
  key: string | null
  /** How many milliseconds a response is kept. */
  keepMs: number
  /** Whether the response of an executed call is kept. */
  keeps: (status: number) => boolean
  mismatch: () => Failure
  /** The response of a replay. */
  replayed: (kept: { status: number; body: string }) => Answered
}

function fingerprintOf({ method, path, body }: Asked): string {
  return hash('sha256', `${method} ${path}\n${body}`)
}

/** Whether a repeat under this key gets a stored response. */
export function isKept(
  ctx: SandboxContext,
  { key, keepMs }: Pick<Keyed, 'key' | 'keepMs'>,
): boolean {
  const kept = key === null ? undefined : ctx.store.kept(key)
  return kept !== undefined && ctx.now() - kept.at < keepMs
}

/** Stores a response that no execution produced, replacing any stored before. */
export function keepAnswer(
  ctx: SandboxContext,
  { key, asked }: { key: string | null; asked: Asked },
  { status, body }: Answered,
): void {
  if (key === null) return
  const fingerprint = fingerprintOf(asked)
  ctx.store.keep(key, { fingerprint, status, body: String(body), at: ctx.now() })
}

/**
 * Runs a call once per key: a repeat gets the first response, a different request with the key is refused.
 */
export function once(
  ctx: SandboxContext,
  { asked, keyed, run }: { asked: Asked; keyed: Keyed; run: () => Answered },
): Answered {
  const { store } = ctx
  const { key } = keyed
  if (key === null) return attempt(ctx, run).answer
  const kept = isKept(ctx, keyed) ? store.kept(key) : undefined
  if (kept !== undefined) {
    if (kept.fingerprint !== fingerprintOf(asked)) {
      const { status, body } = keyed.mismatch()
      return jsonAnswer(status, body)
    }
    return keyed.replayed(kept)
  }
  return store.atomically(() => {
    const { answer, hasRun } = attempt(ctx, run)
    if (hasRun && keyed.keeps(answer.status)) keepAnswer(ctx, { key, asked }, answer)
    return answer
  })
}

/** A handler's refusal is a response too; only a call that never started to run is not stored. */
function attempt(ctx: SandboxContext, run: () => Answered): { answer: Answered; hasRun: boolean } {
  try {
    return { answer: ctx.store.atomically(run), hasRun: true }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { answer: jsonAnswer(error.status, error.body), hasRun: !error.isEarly }
  }
}
