import type { CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from './engine.ts'

type Value = number | string | null

/** Where a value goes that is only known when the statement runs. */
class Gap {
  readonly key: string

  constructor(key: string) {
    this.key = key
  }
}

/** A gap for each value. The builder passes them on as parameters, so it cannot tell. */
function gapsFor<Given extends Record<string, Value>>(given: Given): Given {
  const gaps = Object.keys(given).map((key) => [key, new Gap(key)])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(gaps) as Given
}

type Built<Row> = { compile(): CompiledQuery<Row> }

/**
 * A statement that is built once and then run with other values: building costs several times what a
 * read by key does. `build` may only hand the values on as parameters, never look at them, and each
 * call gives the same keys.
 */
export function prepared<Given extends Record<string, Value>, Row>(
  build: (db: Db, given: Given) => Built<Row>,
): (db: Db, given: Given) => Promise<Row[]> {
  // SQLite and Postgres have the statement in forms of their own.
  const forms = new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  return async (db, given) => {
    const executor = db.getExecutor()
    let form = forms.get(executor.adapter)
    if (form === undefined) {
      form = build(db, gapsFor(given)).compile()
      forms.set(executor.adapter, form)
    }
    // Where a built query would meet the plugins: they refuse a handle that must not be used here.
    executor.transformQuery(form.query, form.queryId)
    const parameters = form.parameters.map((one) => (one instanceof Gap ? given[one.key] : one))
    const { rows } = await db.executeQuery<Row>({ ...form, parameters })
    return rows
  }
}
