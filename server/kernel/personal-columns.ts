/** Marks what erasing an account leaves as it is: others need it, or it names nobody. */
export const KEPT = Symbol('kept')

type Fate<Value, Erased> = readonly [
  inExport: 'exported' | 'internal',
  erased: Value | typeof KEPT | ((of: Erased) => Value),
]

/**
 * Of every column of a row about a person: whether their export contains it, and what erasing their account leaves in
 * it, which may depend on `Erased`. Each key of the row has to be there.
 */
export type Fates<Row, Erased> = {
  readonly [Column in keyof Row]-?: Fate<Row[Column], Erased>
}

/** What a person's export contains of a row. */
export function exportedPartOf<Row extends object>(
  row: Row,
  fates: Fates<Row, never>,
): Record<string, unknown> {
  const where = new Map(Object.entries<Fate<unknown, never>>(fates))
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => where.get(name)?.[0] === 'exported'),
  )
}

/** What erasing the account writes to a row. */
export function erasedColumns<Row, Erased>(fates: Fates<Row, Erased>, of: Erased): Partial<Row> {
  const written: Partial<Row> = {}
  for (const column in fates) {
    const [, erased] = fates[column]
    if (erased === KEPT) continue
    // oxlint-disable-next-line unicorn/no-instanceof-builtins -- `typeof` does not narrow a generic value
    written[column] = erased instanceof Function ? erased(of) : erased
  }
  return written
}
