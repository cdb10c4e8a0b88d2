import { stripeFailure } from '#sandbox/failure.ts'

type Range = {
  gt?: number | undefined
  gte?: number | undefined
  lt?: number | undefined
  lte?: number | undefined
}
export type Paging = {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
  created?: number | Range | undefined
}

function isWithin(created: number, range: Paging['created']): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return created === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return created > gt && created >= gte && created < lt && created <= lte
}

function startOf<T extends { id: string }>(rows: T[], after: string | undefined): number {
  if (after === undefined) return 0
  const index = rows.findIndex(({ id }) => id === after)
  if (index < 0) {
    throw stripeFailure(
      400,
      { code: 'resource_missing', message: `No such object: '${after}'`, param: 'starting_after' },
      true,
    )
  }
  return index + 1
}

/** One page of a list, newest first, in Stripe's envelope. */
export function pageOf<T extends { id: string; created: number }>(
  rows: T[],
  paging: Paging,
  list: { url: string; draw: (row: T) => unknown },
) {
  const within = rows.filter(({ created }) => isWithin(created, paging.created))
  const from = startOf(within, paging.starting_after)
  const size = paging.limit ?? 10
  return {
    object: 'list',
    data: within.slice(from, from + size).map((row) => list.draw(row)),
    has_more: within.length > from + size,
    url: list.url,
  }
}
