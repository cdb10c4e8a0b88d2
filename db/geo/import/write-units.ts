import type { Database, Db } from '#db/engine.ts'
import { runSql } from '#db/run-sql.ts'
import type { UkUnit } from './uk-rows.ts'

/** Larger statements gain nothing, and the engine has to parse them first. */
const ROWS_A_STATEMENT = 1_000

/** Other writers wait for a transaction: this many rows take a few tenths of a second. */
const ROWS_A_TRANSACTION = 20_000

/** Does not write unchanged rows again. */
function upsertText(rows: number): string {
  const values = Array.from({ length: rows }, () => '(?,?,?)').join(',')
  return `insert into geo_uk_units (postcode, latitude, longitude) values ${values}
    on conflict (postcode) do update
    set latitude = excluded.latitude, longitude = excluded.longitude
    where geo_uk_units.latitude <> excluded.latitude
    or geo_uk_units.longitude <> excluded.longitude`
}

const fullText = upsertText(ROWS_A_STATEMENT)

async function writeAll(db: Db, units: readonly UkUnit[]): Promise<void> {
  for (let at = 0; at < units.length; at += ROWS_A_STATEMENT) {
    const rows = units.slice(at, at + ROWS_A_STATEMENT)
    const text = rows.length === ROWS_A_STATEMENT ? fullText : upsertText(rows.length)
    await runSql(
      db,
      text,
      rows.flatMap((unit) => [unit.postcode, unit.latitude, unit.longitude]),
    )
  }
}

/** Collects postcodes and writes them in few transactions; the last row of a postcode wins. */
export class UnitWriter {
  readonly #database: Database
  /** Keyed by postcode: no statement may touch a row twice. */
  #waiting = new Map<string, UkUnit>()

  constructor(database: Database) {
    this.#database = database
  }

  async add(units: Iterable<UkUnit>): Promise<number> {
    let count = 0
    for (const unit of units) {
      this.#waiting.set(unit.postcode, unit)
      count += 1
      if (this.#waiting.size >= ROWS_A_TRANSACTION) await this.flush()
    }
    return count
  }

  /** Writes the collected rows; call it after the last row. */
  async flush(): Promise<void> {
    // Always in the same order, so that concurrent imports do not deadlock.
    const units = [...this.#waiting.values()].toSorted((a, b) => (a.postcode < b.postcode ? -1 : 1))
    this.#waiting = new Map()
    if (units.length > 0) await this.#database.transaction((db) => writeAll(db, units))
  }
}
