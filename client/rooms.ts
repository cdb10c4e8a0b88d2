import type { TRPCClient } from '@trpc/client'
import type { AppRouter } from '#server/app-router.ts'
import type { Kind } from './transport.ts'

export type CallOptions = {
  /** Gives the call up, and every further try. */
  signal?: AbortSignal
  /** Milliseconds for each try. */
  timeoutMs?: number
}

export type WriteOptions = CallOptions & {
  /** Your own key for the act, where it has to outlive this program; made up when left out. */
  idempotencyKey?: string
}

/** A tRPC client with our options in the place of tRPC's. */
type RoomsOf<Client> = {
  readonly [Key in keyof Client]: Client[Key] extends {
    query: (input: infer Input, ...rest: never[]) => infer Answer
  }
    ? { query: (input: Input, options?: CallOptions) => Answer }
    : Client[Key] extends { mutate: (input: infer Input, ...rest: never[]) => infer Answer }
      ? { mutate: (input: Input, options?: WriteOptions) => Answer }
      : RoomsOf<Client[Key]>
}

/** Every procedure of the server by room and name, with the types of its input and its answer. */
export type Rooms = RoomsOf<TRPCClient<AppRouter>>

export type Ask = (
  kind: Kind,
  call: { path: string; input: unknown; options: WriteOptions | undefined },
) => Promise<unknown>

/** The rooms as objects, beside `own`: `client.search.providers.query(input)`. */
export function makeRooms<Client extends object>(ask: Ask, own: object): Client
export function makeRooms(ask: Ask, own: object): object {
  return roomAt(ask, [], own)
}

function roomAt(ask: Ask, path: readonly string[], own: object): object {
  const methods = new Map<string | symbol, unknown>(Object.entries(own))
  const call = (kind: Kind) => (input: unknown, options?: WriteOptions) =>
    ask(kind, { path: path.join('.'), input, options })
  return new Proxy(own, {
    get(_target, key) {
      if (methods.has(key)) return methods.get(key)
      // A promise that resolves to a client asks whether it is one itself; so do loggers and tests.
      if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return undefined
      if (path.length > 0 && key === 'query') return call('query')
      if (path.length > 0 && key === 'mutate') return call('mutation')
      return roomAt(ask, [...path, key], {})
    },
  })
}
