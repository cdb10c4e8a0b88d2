import type { TRPCClient } from '@trpc/client'
import type { AppRouter } from '#server/app-router.ts'

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
