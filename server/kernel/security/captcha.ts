import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as z from 'zod/mini'
import { AppError, isRateLimited } from '#server/kernel/errors.ts'
import type { Attempts } from '#server/kernel/limits/attempts.ts'
import type { Secrets } from './secrets.ts'

/** About a second of one core to solve, a thousandth of that to verify. */
const COST = 2_000
const MIN_COUNTER = 1_000
const MAX_COUNTER = 3_000

/** Long enough to fill in a form. Checked by our own clock, not the library's. */
const LIFE_MS = 60 * 60_000

const Solved = z.object({
  challenge: z.strictObject({
    parameters: z.strictObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.int(),
      keyLength: z.int(),
      keyPrefix: z.string(),
      keySignature: z.string(),
      data: z.strictObject({ until: z.int() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.int(), derivedKey: z.string() }),
})

type CaptchaContext = {
  config: { captcha: boolean }
  secrets: Secrets
  now: () => number
  transaction(work: (tx: { attempts: Attempts }) => Promise<void>): Promise<void>
}

/**
 * A new challenge for the ALTCHA widget, valid for one hour and one use. With CAPTCHA off nobody checks the
 * solution, so the first attempt is one.
 */
export function makeChallenge({ config, secrets, now }: Omit<CaptchaContext, 'transaction'>) {
  const [cost, counter] = config.captcha ? [COST, randomInt(MIN_COUNTER, MAX_COUNTER)] : [1, 1]
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost,
    counter,
    data: { until: now() + LIFE_MS },
    deriveKey,
    hmacSignatureSecret: secrets.mac('captcha', 'challenge'),
    hmacKeySignatureSecret: secrets.mac('captcha', 'key'),
  })
}

function parse(value: string): z.infer<typeof Solved> | null {
  try {
    return Solved.parse(JSON.parse(Buffer.from(value, 'base64').toString('utf8')))
  } catch {
    return null
  }
}

/** The id of the challenge that a value solves, or null when it solves none of ours. */
async function solvedChallenge(
  secrets: Secrets,
  value: string,
  now: number,
): Promise<string | null> {
  const solved = parse(value)
  if (solved === null || solved.challenge.parameters.data.until <= now) return null
  const { verified } = await verifySolution({
    challenge: solved.challenge,
    solution: solved.solution,
    deriveKey,
    hmacSignatureSecret: secrets.mac('captcha', 'challenge'),
    hmacKeySignatureSecret: secrets.mac('captcha', 'key'),
  })
  return verified ? solved.challenge.signature : null
}

/**
 * Consumes a solved challenge, each valid for one use. Throws `captcha_required` when there is none and
 * `captcha_invalid` when it is wrong, expired or already used. Does nothing when CAPTCHA is off.
 */
export async function consumeCaptcha(
  ctx: CaptchaContext,
  value: string | undefined,
): Promise<void> {
  if (!ctx.config.captcha) return
  if (value === undefined || value === '') throw new AppError('captcha_required')
  const name = await solvedChallenge(ctx.secrets, value, ctx.now())
  if (name === null) throw new AppError('captcha_invalid')
  try {
    await ctx.transaction((tx) => tx.attempts.take('captcha', name))
  } catch (error) {
    if (isRateLimited(error)) throw new AppError('captcha_invalid')
    throw error
  }
}
