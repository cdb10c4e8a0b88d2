import * as z from 'zod/mini'
import { CreateAccessTokenAnswer, type TokenScope } from '#contract/access-tokens.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

const Created = z.object({ ...CreateAccessTokenAnswer.shape })

/** Makes a token on the account page of whoever is signed in there. */
export async function makeToken(
  browser: Browser,
  scopes: readonly TokenScope[],
  more: { name?: string; days?: number } = {},
) {
  const outcome = await browser.act('accessTokens.create', { name: 'A script', scopes, ...more })
  return Created.parse(outcome.data)
}

/** A script somewhere else, which has nothing but a token. */
export function scriptWith(testApp: TestApp, secret: string, address = '198.51.100.7'): Browser {
  const script = new Browser(testApp, address)
  script.accessToken = secret
  script.isProgram = true
  return script
}
