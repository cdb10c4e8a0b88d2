import type { DataTag, QueryFunction } from '@tanstack/react-query'

/** The read side of one procedure for TanStack Query. */
type QueryDoor<Input, Output> = {
  /** Its key and its call; leaving the page aborts what is still under way. */
  queryOptions(input: Input): {
    queryKey: DataTag<readonly unknown[], Output>
    queryFn: QueryFunction<Output>
  }
}

type Query<Input, Output> = {
  query: (input: Input, options?: { signal?: AbortSignal }) => Promise<Output>
}

/** A tRPC client seen from its queries: rooms stay rooms, writes are left out. */
export type QueryDoors<Client> = {
  [Key in keyof Client as Client[Key] extends { mutate: unknown }
    ? never
    : Key]: Client[Key] extends Query<infer Input, infer Output>
    ? QueryDoor<Input, Output>
    : QueryDoors<Client[Key]>
}

type Ask = (path: string, input: unknown, options: { signal: AbortSignal }) => Promise<unknown>

/**
 * What tRPC's own integration does for queries, without its hooks and helpers that nothing here
 * uses (1.1 kB brotli a page), and with every call abortable, which there each call has to ask for.
 */
export function makeQueryDoors<Client>(ask: Ask): QueryDoors<Client>
export function makeQueryDoors(ask: Ask): object {
  return doorAt(ask, [])
}

function doorAt(ask: Ask, path: readonly string[]): object {
  return new Proxy(
    {},
    {
      get(_target, key) {
        if (key !== 'queryOptions') return doorAt(ask, [...path, String(key)])
        return (input: unknown) => ({
          queryKey: input === undefined ? [path] : [path, { input }],
          queryFn: ({ signal }: { signal: AbortSignal }) => ask(path.join('.'), input, { signal }),
        })
      },
    },
  )
}
