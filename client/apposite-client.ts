import {
  createTRPCUntypedClient,
  httpLink,
  splitLink,
  type TRPCClient,
  TRPCClientError,
} from '@trpc/client'
import { createTRPCFlatProxy, createTRPCRecursiveProxy } from '@trpc/server'
import type { AppRouter } from '#server/app-router.ts'
import { ApiError, unreadableError } from './api-error.ts'
import {
  type AttemptOptions,
  attemptLink,
  type CallContext,
  contextOf,
  isLongInput,
  retryingLink,
  Session,
  sessionLink,
  sleep,
  type Tokens,
} from './links.ts'

export { ApiError } from './api-error.ts'

export type ClientOptions = {
  /** Where the server is: `https://apposite.example`. */
  url: string
  /** An access token of `/userProfile`. Without one the client is a visitor until it signs in. */
  token?: string
  /** Milliseconds for each try; 15 seconds by default. */
  timeoutMs?: number
  /** Retries after the first try, where repeating is safe; 4 by default. */
  retries?: number
  /**
   * Longest pause between two tries, in milliseconds; 90 seconds by default: rate limits per minute have reset by then.
   */
  maxWaitMs?: number
  fetch?: typeof fetch
  /** How to wait; for tests. */
  wait?: AttemptOptions['wait']
}

export type Credentials = {
  email: string
  password: string
  as: 'patient' | 'provider' | 'staff'
  /** Six digits of the authenticator app, where the account has one. */
  secondFactor?: string
}

type SignIn = {
  /** Signs in; the tokens stay in memory and are refreshed automatically. */
  signIn(credentials: Credentials): Promise<void>
  /** Ends the session on the server. */
  signOut(): Promise<void>
}

/** `client.<room>.<procedure>.query(input)` or `.mutate(input)`, plus signing in and out. */
export type Client = Rooms & SignIn

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

function headersOf({ bearer, idempotencyKey }: CallContext): Record<string, string> {
  return {
    accept: 'application/json',
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
}

/** The chain of tRPC links: session, retry, one try, HTTP. */
function makeUntypedClient(session: Session, options: ClientOptions) {
  const { retries = 4, maxWaitMs = 90_000, timeoutMs = 15_000, wait = sleep } = options
  const send = options.fetch ?? fetch
  const http: Parameters<typeof httpLink<AppRouter>>[0] = {
    url: `${new URL(options.url).href.replace(/\/+$/, '')}/trpc`,
    headers: ({ op }) => headersOf(contextOf(op)),
    fetch: async (url, { signal, ...init } = {}) => {
      const response = await send(url, { ...init, signal: signal ?? null })
      const type = response.headers.get('content-type') ?? ''
      if (!type.startsWith('application/json')) throw unreadableError(response.status)
      return response
    },
  }
  return createTRPCUntypedClient<AppRouter>({
    links: [
      sessionLink(session),
      retryingLink({ retries, maxWaitMs }),
      attemptLink({ timeoutMs, wait }),
      // No batches: an idempotency key belongs to one call.
      splitLink({
        condition: ({ input }) => isLongInput(input),
        true: httpLink({ ...http, methodOverride: 'POST' }),
        false: httpLink(http),
      }),
    ],
  })
}

type Call = { type: 'query' | 'mutation'; path: string; input: unknown }

/** Calls a procedure with our options; rejects with `ApiError`, or with the caller's abort reason. */
type Caller = (call: Call, options?: WriteOptions & CallContext) => Promise<unknown>

function makeCaller(session: Session, options: ClientOptions): Caller {
  const client = makeUntypedClient(session, options)
  return async ({ type, path, input }, { signal, ...context } = {}) => {
    try {
      return await client[type](path, input, { context, ...(signal && { signal }) })
    } catch (error) {
      signal?.throwIfAborted()
      throw error instanceof TRPCClientError && error.cause instanceof ApiError
        ? error.cause
        : error
    }
  }
}

const mutation = (path: string, input?: unknown): Call => ({ type: 'mutation', path, input })

/** Exchanges a refresh token for a new pair; null when the session has ended. */
async function exchangeToken(call: Caller, refresh: string): Promise<Tokens | null> {
  try {
    return tokensIn(await call(mutation('auth.refresh'), { bearer: refresh }))
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

function makeSignIn(call: Caller, session: Session, { token }: ClientOptions): SignIn {
  return {
    async signIn({ email, password, as, secondFactor }) {
      if (token !== undefined) {
        throw new TypeError('This client has an access token. Make another one to sign in with.')
      }
      session.end()
      const input = {
        email,
        password,
        ...(as === 'staff' ? {} : { user_type: as }),
        ...(secondFactor === undefined ? {} : { second_factor: secondFactor }),
      }
      const path = as === 'staff' ? 'auth.signInStaff' : 'auth.signIn'
      session.begin(tokensIn(await call(mutation(path, input))))
    },
    async signOut() {
      const bearer = session.end()
      if (bearer !== null) await call(mutation('auth.signOut'), { bearer })
    },
  }
}

/** Procedures by room and name, in the shape of tRPC's own client. */
function makeRooms(call: Caller): Rooms {
  return createTRPCRecursiveProxy<Rooms>(({ path, args: [input, options] }) => {
    const type = path.at(-1) === 'query' ? 'query' : 'mutation'
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Rooms` allows no other options
    return call({ type, path: path.slice(0, -1).join('.'), input }, options as WriteOptions)
  })
}

/**
 * A typed client of an Apposite server. Reads, and writes of signed-in users, are retried where that is safe:
 * after a 429 when the server asks for it, after a 503 or a broken connection with increasing delays. Every
 * such write carries an `Idempotency-Key`, so it is done once. Calls reject with `ApiError`.
 */
export function createClient(options: ClientOptions): Client {
  const session = new Session(options.token ?? null, (refresh) => exchangeToken(call, refresh))
  const call = makeCaller(session, options)
  const rooms = makeRooms(call)
  const own = makeSignIn(call, session, options)
  return createTRPCFlatProxy<Client>((key) =>
    key === 'signIn' || key === 'signOut' ? own[key] : rooms[key],
  )
}

export type CallOptions = {
  /** Aborts the call and all retries. */
  signal?: AbortSignal
  /** Milliseconds for each try. */
  timeoutMs?: number
}

type WriteOptions = CallOptions & {
  /** Your own idempotency key, where it has to outlive this program; generated when left out. */
  idempotencyKey?: string
}

/** A tRPC client with our options in place of tRPC's. */
type RoomsOf<Raw> = {
  readonly [Key in keyof Raw]: Raw[Key] extends {
    query: (input: infer Input, ...rest: never[]) => infer Answer
  }
    ? { query: (input: Input, options?: CallOptions) => Answer }
    : Raw[Key] extends { mutate: (input: infer Input, ...rest: never[]) => infer Answer }
      ? { mutate: (input: Input, options?: WriteOptions) => Answer }
      : RoomsOf<Raw[Key]>
}

/** Every procedure of the server by room and name, with the types of its input and output. */
type Rooms = RoomsOf<TRPCClient<AppRouter>>
