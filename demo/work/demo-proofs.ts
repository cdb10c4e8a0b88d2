import type { Insertable } from 'kysely'
import { ProfessionalBody } from '#contract/base/people.ts'
import { DAY_MS } from '#contract/base/time.ts'
import type { Database, Db } from '#db/engine.ts'
import type { RegistrantProofRow } from '#db/tables/verification.ts'
import { drawPdf } from '#demo/pictures/draw-pdf.ts'
import { idFrom } from '#demo/random.ts'
import { readMeta, seedOnce } from '#demo/store.ts'
import type { StoredDocument } from './demo-staff-work.ts'

const KEY = 'demo_proofs'
const HOUR = 3_600_000
/** Rows per statement: both engines limit the number of parameters. */
const CHUNK = 100

async function listPeople(db: Db) {
  return db
    .selectFrom('providers as p')
    .leftJoin('provider_standings as s', 's.provider_no', 'p.no')
    .select([
      'p.no',
      'p.id',
      'p.first_name',
      'p.last_name',
      'p.professional_body as body',
      'p.membership_number as number',
      'p.verification_status as status',
      'p.verified_at',
      's.state',
      's.is_match',
      's.asked_at',
    ])
    .where('p.email', 'like', '%@demo.example')
    .orderBy('p.no')
    .execute()
}

type Person = Awaited<ReturnType<typeof listPeople>>[number]

function proofOf(person: Person): Omit<Insertable<RegistrantProofRow>, 'created_at'> {
  return {
    id: idFrom('prf', `proof ${person.id}`),
    provider_no: person.no,
    kind: 'code',
    state: 'waiting',
    body: person.body,
    claimed_number: person.number,
    claimed_name: `${person.first_name} ${person.last_name}`,
    document_no: null,
    email: `reception.${person.number}@practice.example`,
    source: 'Website of the practice',
    created_by: idFrom('usr', 'account admin@demo.example'),
    decided_at: null,
    decided_by: null,
    reason: null,
  }
}

/** Gives everybody who is Verified a code they entered the day before they were verified. */
async function writeProofCodes(db: Db, people: readonly Person[], now: number): Promise<void> {
  const rows = people.map((person) => {
    const at = (person.verified_at ?? now) - DAY_MS
    return { ...proofOf(person), state: 'accepted' as const, created_at: at, decided_at: at + HOUR }
  })
  for (let from = 0; from < rows.length; from += CHUNK) {
    await db
      .insertInto('registrant_proofs')
      .values(rows.slice(from, from + CHUNK))
      .execute()
  }
}

async function sendDocument(
  db: Db,
  person: Person,
  { paper: document, at }: { paper: StoredDocument; at: number },
) {
  const { no } = await db
    .insertInto('company_documents')
    .values({
      id: idFrom('doc', `proof ${person.id}`),
      provider_no: person.no,
      created_at: at,
      ...document,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('registrant_proofs')
    .values({
      ...proofOf(person),
      kind: 'document',
      document_no: no,
      email: null,
      source: null,
      created_by: null,
      created_at: at,
    })
    .execute()
}

function certificateFor({ first_name: first, last_name: last, body, number }: Person): Uint8Array {
  return drawPdf('Certificate of registration', [
    'Specimen made by the demo. Not a document of any authority.',
    '',
    `Name: ${first} ${last}`,
    `Registered with: ${body}`,
    `Registration number: ${number}`,
  ])
}

/** The first two of each register who wait and match: one has sent a document, one is offered a code. */
function chooseWaiting(people: readonly Person[]): { papers: Person[]; codes: Person[] } {
  const pairs = ProfessionalBody.options.map((body) =>
    people
      .filter((one) => one.body === body && one.state === 'waiting' && one.is_match === 1)
      .filter(({ status }) => status === 'Unverified')
      .toSorted((one, other) => (one.asked_at ?? 0) - (other.asked_at ?? 0)),
  )
  return {
    papers: pairs.flatMap(([first]) => first ?? []),
    codes: pairs.flatMap(([, second]) => second ?? []),
  }
}

type Options = {
  now: number
  /** Passed in: encrypting and storing files does not belong to database code. */
  keep: (paper: Uint8Array) => Promise<StoredDocument>
}

/**
 * Gives the demo's Verified providers the proof that they are who the register names, and some who wait a
 * document for staff to review, or a code to enter. Runs once, after the work for staff.
 */
export async function seedProofs(database: Database, { now, keep }: Options): Promise<boolean> {
  if ((await readMeta(database.db, KEY)) !== undefined) return false
  const people = await listPeople(database.db)
  const { papers, codes } = chooseWaiting(people)
  const stored = await Promise.all(
    papers.map(async (one) => [one, await keep(certificateFor(one))] as const),
  )
  return seedOnce(database, KEY, async (db) => {
    const verified = people.filter(({ status }) => status === 'Verified')
    await writeProofCodes(db, verified, now)
    for (const [person, paper] of stored)
      await sendDocument(db, person, { paper, at: now - 5 * HOUR })
    for (const person of codes) {
      const created_at = now - 20 * HOUR
      await db
        .insertInto('registrant_proofs')
        .values({ ...proofOf(person), created_at })
        .execute()
    }
  })
}
