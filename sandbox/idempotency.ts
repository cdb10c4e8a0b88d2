import { hash } from 'node:crypto'
import type { SandboxContext } from './context.ts'
import { Failure } from './failure.ts'
import { type Answered, type Asked, jsonAnswer } from './http-forms.ts'

type Keyed = {
  /** Protocol and key of the caller; null when the call has none. */
  key: string | null
  /** Milliseconds an answer is kept. */
  keepMs: number
  /** Whether an answer that was run for is kept. */
  keeps: (status: number) => boolean
  mismatch: () => Failure
  /** What a repeat looks like. */
  replayed: (kept: { status: number; body: string }) => Answered
}

function fingerprintOf({ method, path, body }: Asked): string {
  return hash('sha256', `${method} ${path}\n${body}`)
}

/** Whether a repeat under this key gets a kept answer. */
export function isKept(
  ctx: SandboxContext,
  { key, keepMs }: Pick<Keyed, 'key' | 'keepMs'>,
): boolean {
  const kept = key === null ? undefined : ctx.store.kept(key)
  return kept !== undefined && ctx.now() - kept.at < keepMs
}

/** Keeps an answer that no execution gave, whatever was kept before. */
export function keepAnswer(
  ctx: SandboxContext,
  { key, asked }: { key: string | null; asked: Asked },
  { status, body }: Answered,
): void {
  if (key === null) return
  const fingerprint = fingerprintOf(asked)
  ctx.store.keep(key, { fingerprint, status, body: String(body), at: ctx.now() })
}

/** Runs a call once per key: a repeat gets the first answer, another request under the key is refused. */
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

/** Whatever a handler refuses is an answer; only what never began to run is not kept. */
function attempt(ctx: SandboxContext, run: () => Answered): { answer: Answered; hasRun: boolean } {
  try {
    return { answer: ctx.store.atomically(run), hasRun: true }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { answer: jsonAnswer(error.status, error.body), hasRun: !error.isEarly }
  }
}
