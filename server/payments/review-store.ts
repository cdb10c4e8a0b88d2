import type { Db } from '#db/engine.ts'

/** How many payments, failed refunds and differences wait for a person. */
export async function countWaiting(db: Db) {
  const countOf = ({ count }: { count: number | string }) => Number(count)
  const [payments, refunds, differences] = await Promise.all([
    db
      .selectFrom('payments')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('state', '=', 'review')
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('refunds')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('state', '=', 'failed')
      .where('dealt_at', 'is', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('payment_differences')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('dealt_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return {
    payments: countOf(payments),
    refunds: countOf(refunds),
    differences: countOf(differences),
  }
}
