import * as z from 'zod/mini'
import { readStored, writeStored } from '#app/lib/storage.ts'
import { IsoInstant } from '#contract/time.ts'

const KEY = 'bookingCode'

const SentCode = z.object({
  holdId: z.string(),
  /** Masked by the server already. */
  email: z.string(),
  resendAt: IsoInstant,
  /** False when the server only said that one was sent lately, perhaps for another visit. */
  isSent: z.boolean(),
})
export type SentCode = z.infer<typeof SentCode>

/** Remembers, for a reload of this tab, where a code went and when another one can be asked for. */
export function rememberSentCode(code: SentCode): void {
  writeStored(KEY, JSON.stringify(code), 'session')
}

/** What this tab knows of the code sent for a hold; null when another tab sent it, or nobody. */
export function recallSentCode(holdId: string): SentCode | null {
  try {
    const known = SentCode.parse(JSON.parse(readStored(KEY, 'session') ?? 'null'))
    return known.holdId === holdId ? known : null
  } catch {
    return null
  }
}
