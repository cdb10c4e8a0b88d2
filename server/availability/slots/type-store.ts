import type { Db } from '#db/engine.ts'

/** Types of a provider's visits that can be booked, in their order; archived ones after them on asking. */
export function listTypes(db: Db, providerNo: number, hasArchived = false) {
  const query = db
    .selectFrom('visit_types as t')
    .leftJoin('places as l', 'l.no', 't.place_no')
    .selectAll('t')
    .select(['l.id as place_id', 'l.name as place_name', 'l.removed_at as place_removed_at'])
    .where('t.provider_no', '=', providerNo)
    .orderBy('t.position')
    .orderBy('t.no')
  return (hasArchived ? query : query.where('t.archived_at', 'is', null)).execute()
}

export type TypeRow = Awaited<ReturnType<typeof listTypes>>[number]
