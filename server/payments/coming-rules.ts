import type { Money } from '#contract/money.ts'
import type { Secrets } from '#server/kernel/secrets.ts'
import type { listComing } from './coming-store.ts'

/** A paid visit ahead, with what is left of its money. */
export type Coming = Awaited<ReturnType<typeof listComing>>[number] & {
  /** What came in for it and has not gone back. */
  left: Money
}

/** Names a set of visits and what is left of their money: another set has another version. */
export function versionOf(secrets: Secrets, coming: readonly Coming[]): string {
  const parts = coming.map(({ id, left }) => `${id} ${left.minor} ${left.currency}`)
  return secrets.mac('ahead', parts.join('\n'))
}

/** What goes back in all, a sum for each currency. */
export function sumsOf(coming: readonly Coming[]): Money[] {
  const byCurrency = Map.groupBy(
    coming.filter(({ left }) => left.minor > 0),
    ({ left }) => left.currency,
  )
  return [...byCurrency].map(([currency, visits]) => ({
    currency,
    minor: visits.reduce((sum, { left }) => sum + left.minor, 0),
  }))
}
