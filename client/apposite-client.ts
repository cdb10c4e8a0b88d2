import { ApiError } from './api-error.ts'
import { type Ask, makeRooms, type Rooms, type WriteOptions } from './rooms.ts'
import { takesKey } from './takes-key.ts'
import { type Kind, pause, type Sending, send, type TransportOptions } from './transport.ts'

export { ApiError } from './api-error.ts'

export type ClientOptions = {
  /** Where the server is: `https://apposite.example`. */
  url: string
  /** An access token of `/userProfile`. Without one the client is a visitor until it signs in. */
  token?: string
  /** Milliseconds for each try; 15 seconds when left out. */
  timeoutMs?: number
  /** Tries after the first one, where repeating can do no harm; 4 when left out. */
  retries?: number
  /** Longest pause between two tries, in milliseconds; 90 seconds when left out: a minute’s budget is free again by then. */
  maxWaitMs?: number
  fetch?: typeof fetch
  /** How to wait; for tests. */
  wait?: TransportOptions['wait']
}

export type Credentials = {
  email: string
  password: string
  as: 'patient' | 'provider' | 'staff'
  /** Six digits of the authenticator app, where the account has one. */
  secondFactor?: string
}

type Session = {
  /** Signs in; the tokens stay in memory and are renewed by themselves. */
  signIn(credentials: Credentials): Promise<void>
  /** Ends the session on the server. */
  signOut(): Promise<void>
}

/** `client.<room>.<procedure>.query(input)` or `.mutate(input)`, and the way in and out. */
export type Client = Rooms & Session

type Call = { path: string; input: unknown; options?: WriteOptions | undefined }

type Tokens = { access: string; refresh: string }

const NO_SESSION: ReadonlySet<string> = new Set(['sign_in_required', 'session_ended'])

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function tokensIn(answer: unknown): Tokens {
  const tokens = isObject(answer) ? answer['tokens'] : undefined
  const access = isObject(tokens) ? tokens['access_token'] : undefined
  const refresh = isObject(tokens) ? tokens['refresh_token'] : undefined
  if (typeof access === 'string' && typeof refresh === 'string') return { access, refresh }
  const message = 'The server gave no tokens. In a browser use the pages, or an access token.'
  throw new ApiError({ code: 'unreadable', message, status: 200 })
}

/** The state of one client: who it is, and how it asks. */
class Caller {
  readonly #options: ClientOptions
  readonly #transport: TransportOptions
  #tokens: Tokens | null = null
  #renewing: Promise<void> | null = null

  constructor(options: ClientOptions) {
    this.#options = options
    this.#transport = {
      url: new URL(options.url).href.replace(/\/+$/, ''),
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
      retries: options.retries ?? 4,
      maxWaitMs: options.maxWaitMs ?? 90_000,
      wait: options.wait ?? pause,
    }
  }

  #sending(kind: Kind, { path, input, options: given = {} }: Call): Sending {
    const bearer = this.#options.token ?? this.#tokens?.access ?? null
    const isKeyed = kind === 'mutation' && bearer !== null && takesKey(path)
    return {
      kind,
      path,
      input,
      bearer,
      key: isKeyed ? (given.idempotencyKey ?? crypto.randomUUID()) : null,
      signal: given.signal,
      timeoutMs: given.timeoutMs ?? this.#options.timeoutMs ?? 15_000,
    }
  }

  /** Asks, once more after renewing the session where that is what was missing. */
  ask: Ask = async (kind, call) => {
    const before = this.#tokens
    const sending = this.#sending(kind, call)
    try {
      return await send(sending, this.#transport)
    } catch (error) {
      const isOver = error instanceof ApiError && error.status === 401 && NO_SESSION.has(error.code)
      if (!isOver || before === null) throw error
      if (this.#tokens === before) await this.#renew(before, error)
      const bearer = this.#tokens?.access
      if (bearer === undefined) throw error
      return send({ ...sending, bearer }, this.#transport)
    }
  }

  /** A refresh token is good for one use: whoever asks meanwhile waits for the same answer. */
  async #renew(spent: Tokens, refusal: ApiError): Promise<void> {
    this.#renewing ??= this.#trade(spent, refusal)
    try {
      await this.#renewing
    } finally {
      this.#renewing = null
    }
  }

  async #trade(spent: Tokens, refusal: ApiError): Promise<void> {
    const call = { path: 'auth.refresh', input: {} }
    const sending = { ...this.#sending('mutation', call), bearer: spent.refresh }
    try {
      this.#tokens = tokensIn(await send(sending, this.#transport))
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      this.#tokens = null
      throw refusal
    }
  }

  async signIn({ email, password, as, secondFactor }: Credentials): Promise<void> {
    if (this.#options.token !== undefined) {
      throw new TypeError('This client has an access token. Make another one to sign in with.')
    }
    this.#tokens = null
    const path = as === 'staff' ? 'auth.signInStaff' : 'auth.signIn'
    const input = {
      email,
      password,
      ...(as === 'staff' ? {} : { user_type: as }),
      ...(secondFactor === undefined ? {} : { second_factor: secondFactor }),
    }
    this.#tokens = tokensIn(await send(this.#sending('mutation', { path, input }), this.#transport))
  }

  async signOut(): Promise<void> {
    if (this.#tokens === null) return
    const sending = this.#sending('mutation', { path: 'auth.signOut', input: {} })
    this.#tokens = null
    await send(sending, this.#transport)
  }
}

/**
 * A typed client of an Apposite server. Reads, and writes of whoever is signed in, are repeated where
 * that can do no harm: after a 429 when the server asks for it, after a 503 or a broken connection at
 * growing distances. Every such write carries an `Idempotency-Key`, so it is done once. Calls reject
 * with `ApiError`.
 */
export function createClient(options: ClientOptions): Client {
  const caller = new Caller(options)
  const session: Session = {
    signIn: (credentials) => caller.signIn(credentials),
    signOut: () => caller.signOut(),
  }
  return makeRooms<Client>(caller.ask, session)
}
