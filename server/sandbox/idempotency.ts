import { hash } from 'node:crypto'
import type { Desk } from './desk.ts'
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

/** Runs a call once per key: a repeat gets the first answer, another request under the key is refused. */
export function once(
  desk: Desk,
  { asked, keyed, run }: { asked: Asked; keyed: Keyed; run: () => Answered },
): Answered {
  const { store } = desk
  const { key, keepMs } = keyed
  if (key === null) return attempt(desk, run).answer
  const fingerprint = hash('sha256', `${asked.method} ${asked.path}\n${asked.body}`)
  const kept = store.kept(key)
  if (kept !== undefined && desk.now() - kept.at < keepMs) {
    if (kept.fingerprint !== fingerprint) {
      const { status, body } = keyed.mismatch()
      return jsonAnswer(status, body)
    }
    return keyed.replayed(kept)
  }
  return store.atomically(() => {
    const { answer, isKept } = attempt(desk, run)
    if (isKept && keyed.keeps(answer.status))
      store.keep(key, {
        fingerprint,
        status: answer.status,
        body: String(answer.body),
        at: desk.now(),
      })
    return answer
  })
}

/** Whatever a handler refuses is an answer; only what never began to run is not kept. */
function attempt(desk: Desk, run: () => Answered): { answer: Answered; isKept: boolean } {
  try {
    return { answer: desk.store.atomically(run), isKept: true }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { answer: jsonAnswer(error.status, error.body), isKept: !error.isEarly }
  }
}
