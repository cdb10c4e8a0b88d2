import * as z from 'zod/mini'
import { CreateAccessTokenResponse, type TokenScope } from '#contract/access-tokens.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

const Created = z.object({ ...CreateAccessTokenResponse.shape })

/** Creates an access token for the browser's signed-in user. */
export async function makeToken(
  browser: Browser,
  scopes: readonly TokenScope[],
  more: { name?: string; days?: number } = {},
) {
  const outcome = await browser.act('accessTokens.create', { name: 'A script', scopes, ...more })
  return Created.parse(outcome.data)
}

/** A script on another machine, which has only a token. */
export function scriptWith(testApp: TestApp, secret: string, address = '198.51.100.7'): Browser {
  const script = new Browser(testApp, address)
  script.accessToken = secret
  script.isProgram = true
  return script
}
