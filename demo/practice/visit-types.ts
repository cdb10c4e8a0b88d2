import type { Database, Db } from '#db/engine.ts'
import { DEMO_PROVIDER } from '#db/reference/demo.ts'
import { specialtyBySlug } from '#db/reference/specialties.ts'
import { idFrom } from '#demo/random.ts'
import { insertMany, seedOnce } from '#demo/store.ts'

const TYPES_KEY = 'demo_visit_types'

/** One in this many dentists and GPs offers more than one type. */
const ONE_IN = 3

type Mode = 'in_person' | 'video' | 'both'

/** Length and fee are multiples of the first type's, which stays the one the search shows. */
type Extra = { name: string; length: number; fee: number; mode: Mode }

const OFFERS: Readonly<Record<'dentist' | 'gp', { first: string; extras: readonly Extra[] }>> = {
  dentist: {
    first: 'Check-up',
    extras: [
      { name: 'New patient check-up', length: 2, fee: 1.5, mode: 'in_person' },
      { name: 'Hygienist', length: 1, fee: 0.8, mode: 'in_person' },
    ],
  },
  gp: {
    first: 'Consultation',
    extras: [
      { name: 'New patient check-up', length: 2, fee: 1.6, mode: 'in_person' },
      { name: 'Video consultation', length: 1, fee: 0.8, mode: 'video' },
    ],
  },
}

function listProviders(db: Db, slug: keyof typeof OFFERS) {
  return db
    .selectFrom('providers as p')
    .innerJoin('visit_types as t', 't.provider_no', 'p.no')
    .select(['p.no', 'p.id', 'p.email', 'p.offers_video'])
    .select(['t.no as type_no', 't.minutes', 't.first_minor', 't.follow_minor'])
    .where('p.email', 'like', '%@demo.example')
    .where('p.specialty_no', '=', specialtyBySlug(slug)?.no ?? 0)
    .where('t.position', '=', 0)
    .orderBy('p.no')
    .execute()
}

/** Whole pounds or dollars. */
const feeOf = (minor: number, times: number) => Math.round((minor * times) / 500) * 500

async function addVisitTypes(handle: Pick<Database, 'engine' | 'db'>, slug: keyof typeof OFFERS) {
  const { first, extras } = OFFERS[slug]
  const all = await listProviders(handle.db, slug)
  const some = all.filter(({ email }, at) => at % ONE_IN === 0 || email === DEMO_PROVIDER)
  await handle.db
    .updateTable('visit_types')
    .set({ name: first })
    .where(
      'no',
      'in',
      some.map(({ type_no: no }) => no),
    )
    .execute()
  const rows = some.flatMap((provider) =>
    extras
      .filter(({ mode }) => mode !== 'video' || provider.offers_video === 1)
      .map(({ name, length, fee, mode }, at) => [
        idFrom('vtp', `type ${provider.id} ${name}`),
        provider.no,
        at + 1,
        name,
        provider.minutes * length,
        feeOf(provider.first_minor, fee),
        feeOf(provider.follow_minor, fee),
        mode,
      ]),
  )
  const columns = ['id', 'provider_no', 'position', 'name', 'minutes', 'first_minor']
  await insertMany(
    handle,
    { table: 'visit_types', columns: [...columns, 'follow_minor', 'mode'] },
    rows,
  )
}

/**
 * Gives some dentists and GPs of the demo, and the account people sign in as, more than one type of visit,
 * once. Only the name of their first type changes. Returns whether this call did it.
 */
export async function seedVisitTypes(database: Database): Promise<boolean> {
  return seedOnce(database, TYPES_KEY, async (db) => {
    const handle = { engine: database.engine, db }
    await addVisitTypes(handle, 'dentist')
    await addVisitTypes(handle, 'gp')
  })
}
