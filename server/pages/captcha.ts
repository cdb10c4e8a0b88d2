import type { Services } from '#server/context.ts'
import type { Answers } from '#server/kernel/answer.ts'
import { makeChallenge } from '#server/kernel/captcha.ts'
import { randomText } from '#server/kernel/ids.ts'

/** Answers GET /captcha with a new challenge for the ALTCHA widget. */
export function makeCaptchaPage(services: Services, answers: Answers) {
  const { secrets, now, limiter } = services
  return async (network: string): Promise<Response> => {
    const verdict = limiter.take('challenge', network)
    if (!verdict.allowed) {
      const { retryAfterSeconds } = verdict
      return answers.failure(429, 'rate_limited', {
        requestId: randomText(10),
        details: { retryAfterSeconds },
        headers: { 'retry-after': String(retryAfterSeconds) },
      })
    }
    return answers.send(200, JSON.stringify(await makeChallenge(secrets, now())), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
  }
}
