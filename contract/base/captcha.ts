import * as z from 'zod/mini'

/** Where the challenge of the ALTCHA widget comes from. */
export const CAPTCHA_PATH = '/captcha'

/** Where to get a challenge of this much work, as `captcha_required` names it. */
export function captchaUrl(work: number): string {
  return work === 1 ? CAPTCHA_PATH : `${CAPTCHA_PATH}?work=${work}`
}

/** A solved ALTCHA proof of work: base64 as the widget gives it. */
export const CaptchaValue = z.string().check(z.maxLength(4_000, { error: 'captcha_invalid' }))
export type CaptchaValue = z.infer<typeof CaptchaValue>
