import type { RawBuilder, SqlBool } from 'kysely'
import type { Migration } from 'kysely/migration'

/** An index that is built after the migrations, without keeping anybody from writing. Never a unique one. */
export type LateIndex = {
  name: string
  table: string
  columns: readonly string[]
  /** Condition of a partial index. */
  where?: RawBuilder<SqlBool>
}

/**
 * A migration, and what it says about the version before, which goes on over the same database. A file of
 * this folder exports these beside `up` and `down`; `scripts/compatibility` checks them.
 */
export type Step = Migration & {
  /** What the check found and the version before bears all the same: its words, and why. */
  readonly accepts?: Readonly<Record<string, string>>
  /** A deliberate contraction: the released migration whose version stopped using what goes here. */
  readonly contracts?: string
  /** Indexes on tables that may be large. `down` drops them, if they are there. */
  readonly indexes?: readonly LateIndex[]
}
