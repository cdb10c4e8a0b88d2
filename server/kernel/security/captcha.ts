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

/** The most work a challenge may take, in times of the usual. */
const MAX_WORK = 16

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
      data: z.strictObject({ until: z.int(), work: z.int() }),
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

/** The work asked for in a query, within what a challenge may take; the usual for anything else. */
export function workAsked(asked: string | undefined): number {
  return /^\d{1,4}$/.test(asked ?? '') ? Math.min(MAX_WORK, Math.max(1, Number(asked))) : 1
}

/**
 * Work of the next challenge for somebody who is this far beyond a cap: doubles with every third, so that a
 * person who shares a network barely notices, and taking everything becomes slow.
 */
export function workBeyond(excess: number): number {
  return Math.min(MAX_WORK, 2 ** Math.floor(excess / 3))
}

/**
 * A new challenge for the ALTCHA widget, valid for one hour and one use, that takes `work` times as long as
 * usual. With CAPTCHA off the first attempt solves it.
 */
export function makeChallenge(
  { config, secrets, now }: Omit<CaptchaContext, 'transaction'>,
  work: number,
) {
  const [cost, counter] = config.captcha
    ? [COST, randomInt(MIN_COUNTER * work, MAX_COUNTER * work)]
    : [1, 1]
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost,
    counter,
    data: { until: now() + LIFE_MS, work },
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

type Solution = { challengeId: string; work: number }

/** The challenge that a value solves, or null when it solves none of ours. */
async function solvedChallenge(
  { secrets, now }: Pick<CaptchaContext, 'secrets' | 'now'>,
  value: string,
): Promise<Solution | null> {
  const solved = parse(value)
  if (solved === null || solved.challenge.parameters.data.until <= now()) return null
  const { verified } = await verifySolution({
    challenge: solved.challenge,
    solution: solved.solution,
    deriveKey,
    hmacSignatureSecret: secrets.mac('captcha', 'challenge'),
    hmacKeySignatureSecret: secrets.mac('captcha', 'key'),
  })
  if (!verified) return null
  const { signature: challengeId, parameters } = solved.challenge
  return { challengeId, work: parameters.data.work }
}

/** What a caller has sent as a proof: a solved challenge, something else, or nothing. */
export type Proof = Solution | 'invalid' | null

/** Reads a proof that `spendProof` may need. Takes milliseconds of computing, so not in a transaction. */
export async function readProof(
  ctx: Pick<CaptchaContext, 'secrets' | 'now'>,
  value: string | undefined,
): Promise<Proof> {
  if (value === undefined || value === '') return null
  return (await solvedChallenge(ctx, value)) ?? 'invalid'
}

/**
 * Consumes a proof, in the transaction of what it is for: what fails does not cost it. Also with CAPTCHA off.
 * Throws `captcha_required` where there is none, or one of less work, and `captcha_invalid` as
 * `consumeCaptcha` does; both name the work.
 */
export async function spendProof(
  { attempts }: { attempts: Attempts },
  proof: Proof,
  work: number,
): Promise<void> {
  if (proof === 'invalid') throw new AppError('captcha_invalid', { work })
  if (proof === null || proof.work < work) throw new AppError('captcha_required', { work })
  const { challengeId } = proof
  const isUnused = await attempts.count('captcha', challengeId)
  if (!isUnused) throw new AppError('captcha_invalid', { work })
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
  const solution = await solvedChallenge(ctx, value)
  if (solution === null) throw new AppError('captcha_invalid')
  try {
    await ctx.transaction((tx) => tx.attempts.take('captcha', solution.challengeId))
  } catch (error) {
    if (isRateLimited(error)) throw new AppError('captcha_invalid')
    throw error
  }
}
