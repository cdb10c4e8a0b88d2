import * as z from 'zod/mini'
import type { StaffRole } from '#contract/base/staff.ts'
import { PASSWORD } from '#tests/harness/accounts.ts'
import { makeStaff } from '#tests/harness/staff.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

const SITE = 'http://localhost:3000'

/** A response of the documented paths: status, headers, and fields as received. */
export type RestAnswer = { status: number; headers: Headers; body: Record<string, unknown> }

type Sent = {
  /** Sent as JSON; a string goes as text/plain, a form as multipart. */
  body?: unknown
  headers?: Record<string, string>
}

const Fields = z.looseObject({})
const SignedIn = z.object({
  user_id: z.string(),
  tokens: z.object({ access_token: z.string(), refresh_token: z.string() }),
})

function encoded(body: unknown): { type: string | null; content: BodyInit } {
  if (body instanceof FormData) return { type: null, content: body }
  if (typeof body === 'string') return { type: 'text/plain', content: body }
  return { type: 'application/json', content: JSON.stringify(body) }
}

/** The fields of a response; none when the body is empty. */
export async function fieldsOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text()
  return text === '' ? {} : Fields.parse(JSON.parse(text))
}

/** The rows of a list in a response. */
export function rowsOf(list: unknown): Record<string, unknown>[] {
  return z.array(Fields).parse(list)
}

/** A script that calls the documented paths, as curl would: not a browser, with a token at most. */
export class Program {
  token: string | null = null
  refresh: string | null = null
  userId = ''
  readonly testApp: TestApp
  readonly #address: string

  /** `address` is the client's IP address. */
  constructor(testApp: TestApp, address = '192.0.2.9') {
    this.testApp = testApp
    this.#address = address
  }

  async send(call: string, sent: Sent = {}): Promise<RestAnswer> {
    const response = await this.fetch(call, sent)
    const { status, headers } = response
    return { status, headers, body: await fieldsOf(response) }
  }

  /** Sends a call such as `POST /api/user-login`. */
  fetch(call: string, { body, headers: more = {} }: Sent = {}): Promise<Response> {
    const [method = 'GET', path = '/'] = call.split(/ (.*)/)
    const headers = new Headers(
      this.token === null ? {} : { authorization: `Bearer ${this.token}` },
    )
    const init: RequestInit = { method, headers }
    if (body !== undefined) {
      const { type, content } = encoded(body)
      init.body = content
      if (type !== null) headers.set('content-type', type)
    }
    for (const [name, value] of Object.entries(more)) headers.set(name, value)
    return this.testApp.app.fetch(new Request(`${SITE}${path}`, init), this.#address)
  }

  /** Signs in with the password all test accounts have. */
  async signIn({ email, kind }: { email: string; kind: string }): Promise<this> {
    const body = { email, password: PASSWORD, user_type: kind }
    const answer = await this.send('POST /api/user-login', { body })
    const { user_id, tokens } = SignedIn.parse(answer.body)
    this.userId = user_id
    this.token = tokens.access_token
    this.refresh = tokens.refresh_token
    return this
  }
}

/** A program of a new member of staff, signed in by the documented call. */
export async function programOfStaff(testApp: TestApp, role: StaffRole) {
  const account = await makeStaff(testApp, role)
  const program = new Program(testApp)
  const body = { email: account.email, password: PASSWORD }
  const answer = await program.send('POST /admin-login/', { body })
  program.token = String(answer.body['access'])
  return { account, program, answer }
}

/** A program signed in to an account. */
export function programOf(testApp: TestApp, account: { email: string; kind: string }) {
  return new Program(testApp).signIn(account)
}
