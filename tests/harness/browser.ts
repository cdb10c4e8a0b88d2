import * as z from 'zod/mini'
import { CreateAccessTokenResponse, type TokenScope } from '#contract/access-tokens.ts'
import { ErrorData } from '#contract/base/errors.ts'
import { PASSWORD } from './accounts.ts'
import type { TestApp } from './test-app.ts'

const SITE = 'http://localhost:3000'

const BROWSER = {
  origin: SITE,
  'sec-fetch-site': 'same-origin',
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
}

/** The result of a call: `data` on success, otherwise `code` and `message`. */
export type Outcome = {
  status: number
  headers: Headers
  data: unknown
  code: string | null
  message: string | null
  issues: { path: string; message: string }[]
  details: Record<string, string | number>
  retryAfter: number | null
}

const Body = z.object({
  result: z.optional(z.object({ data: z.optional(z.unknown()) })),
  error: z.optional(z.object({ message: z.string(), data: ErrorData })),
})

type Jar = Map<string, { value: string; attributes: string[] }>

function keep(jar: Jar, headers: Headers): void {
  for (const header of headers.getSetCookie()) {
    const [pair = '', ...attributes] = header.split('; ')
    const name = pair.slice(0, pair.indexOf('='))
    if (attributes.includes('Max-Age=0')) jar.delete(name)
    else jar.set(name, { value: pair.slice(name.length + 1), attributes })
  }
}

/** A browser of one person: same-origin requests over HTTP, with a cookie jar. */
export class Browser {
  readonly jar: Jar = new Map()
  /** Access token for scripts, sent instead of cookies. */
  accessToken: string | null = null
  /** Not a browser: sends neither origin nor user agent. */
  isProgram = false
  readonly #testApp: TestApp
  readonly #address: string

  /** `address` is the client's IP address. */
  constructor(testApp: TestApp, address = '192.0.2.1') {
    this.#testApp = testApp
    this.#address = address
  }

  headers(): Record<string, string> {
    const cookie = [...this.jar].map(([name, { value }]) => `${name}=${value}`).join('; ')
    return {
      ...(this.isProgram ? {} : BROWSER),
      ...(cookie === '' ? {} : { cookie }),
      ...(this.accessToken === null ? {} : { authorization: `Bearer ${this.accessToken}` }),
    }
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(this.headers())
    new Headers(init.headers).forEach((value, name) => {
      headers.set(name, value)
    })
    const request = new Request(`${SITE}${path}`, { ...init, headers })
    const response = await this.#testApp.app.fetch(request, this.#address)
    keep(this.jar, response.headers)
    return response
  }

  /** Calls a mutation, optionally with additional headers. */
  async act(
    path: string,
    input: unknown = {},
    more: Record<string, string> = {},
  ): Promise<Outcome> {
    const body = JSON.stringify(input)
    const headers = { 'content-type': 'application/json', ...more }
    return this.#outcome(await this.fetch(`/trpc/${path}`, { method: 'POST', headers, body }))
  }

  /** Calls a query. */
  async ask(path: string, input: unknown = {}): Promise<Outcome> {
    const query = encodeURIComponent(JSON.stringify(input))
    return this.#outcome(await this.fetch(`/trpc/${path}?input=${query}`))
  }

  /** Signs in with the password all test accounts have, unless another is given. */
  signIn(account: { email: string; kind: string }, more: object = {}): Promise<Outcome> {
    const { email, kind } = account
    return this.act('auth.signIn', { email, password: PASSWORD, user_type: kind, ...more })
  }

  /** The value of a cookie, or undefined. */
  cookie(name: string): string | undefined {
    return this.jar.get(name)?.value
  }

  async #outcome(response: Response): Promise<Outcome> {
    const body = Body.parse(await response.json())
    const seconds = response.headers.get('retry-after')
    return {
      status: response.status,
      headers: response.headers,
      data: body.result?.data,
      code: body.error?.data.appCode ?? null,
      message: body.error?.message ?? null,
      issues: body.error?.data.issues ?? [],
      details: body.error?.data.details ?? {},
      retryAfter: seconds === null ? null : Number(seconds),
    }
  }
}

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
