import { type Kysely, type RawBuilder, sql } from 'kysely'

const MODES = ['in_person', 'video'] as const
const COLUMNS = ['fee_minor', 'follow_minor', 'minutes'] as const

type Mode = (typeof MODES)[number]

/** A value of the first visit type that takes place in this mode at the place of a row. */
function ofFirstType(mode: Mode, value: RawBuilder<unknown>) {
  return sql`(select ${value} from visit_types t
    where t.provider_no = search_index.provider_no and t.archived_at is null
      and t.mode in (${sql.lit(mode)}, 'both')
      and (t.place_no is null or t.place_no = search_index.place_no)
    order by t.position, t.no limit 1)`
}

/** Minutes as in `visit_minutes`: 0 where one slot, which is as long as the shortest type, is enough. */
const minutes = sql`case when t.minutes > (
    select min(s.minutes) from visit_types s
    where s.provider_no = t.provider_no and s.archived_at is null
  ) then t.minutes else 0 end`

const withTypes = sql`select provider_no from visit_types where archived_at is null`

/**
 * Fees and length of the first visit type that takes place in each mode at a place. Null means those of the first
 * type of all, also in rows that the previous version writes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [at, mode] of MODES.entries()) {
    for (const column of COLUMNS) {
      await db.schema.alterTable('search_index').addColumn(`${mode}_${column}`, 'integer').execute()
    }
    await sql`update search_index set
        ${sql.ref(`${mode}_fee_minor`)} = ${ofFirstType(mode, sql`t.first_minor`)},
        ${sql.ref(`${mode}_follow_minor`)} = ${ofFirstType(mode, sql`t.follow_minor`)},
        ${sql.ref(`${mode}_minutes`)} = ${ofFirstType(mode, minutes)}
      where provider_no in (${withTypes} group by provider_no having count(*) > 1)`.execute(db)
    // A mode that no type has at a place is not offered there. These are the first two bits.
    const bit = sql.lit(1 << at)
    await sql`update search_index set features = features - ${bit}
      where (features & ${bit}) <> 0 and ${ofFirstType(mode, sql`t.no`)} is null
        and provider_no in (${withTypes})`.execute(db)
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const mode of MODES) {
    for (const column of COLUMNS) {
      await db.schema.alterTable('search_index').dropColumn(`${mode}_${column}`).execute()
    }
  }
}
