import type { Updateable } from 'kysely'
import type { ProfessionalBody } from '#contract/base/people.ts'
import { DAY_MS } from '#contract/base/time.ts'
import type { LossReason } from '#contract/verification.ts'
import { toJson } from '#db/columns.ts'
import type { Database, Db } from '#db/engine.ts'
import { OUTAGE_NUMBERS } from '#db/reference/demo.ts'
import type { CheckRow } from '#db/tables/verification.ts'
import { drawPdf } from '#demo/pictures/draw-pdf.ts'
import { idFrom } from '#demo/random.ts'
import { readMeta, seedOnce } from '#demo/store.ts'
import { GOOD_STATUS } from './demo-registers.ts'

const KEY = 'demo_staff_work'
const HOUR = 3_600_000

/** The account people sign in with to see the waiting state: nothing here changes it. */
const DEMO_ACCOUNT = 'unverified@demo.example'

type Person = {
  no: number
  id: string
  first_name: string
  last_name: string
  body: ProfessionalBody
  number: string
  outcome: CheckRow['outcome'] | null
}

/** Those who wait, in the order of the register's cases. */
async function listWaiting(db: Db): Promise<Person[]> {
  return db
    .selectFrom('providers as p')
    .innerJoin('provider_standings as s', 's.provider_no', 'p.no')
    .leftJoin('verification_checks as c', 'c.provider_no', 'p.no')
    .select([
      'p.no',
      'p.id',
      'p.first_name',
      'p.last_name',
      'p.professional_body as body',
      'p.membership_number as number',
      'c.outcome',
    ])
    .where('p.verification_status', '=', 'Unverified')
    .where('s.state', '=', 'waiting')
    .where('p.email', 'like', '%@demo.example')
    .where('p.email', '<>', DEMO_ACCOUNT)
    .orderBy('p.no')
    .execute()
}

type Work = { db: Db; now: number; adminId: string }

/** Attributes a seeded comparison to staff or to the nightly check. */
async function updateCheck({ db }: Work, person: Person, to: Updateable<CheckRow>): Promise<void> {
  await db.updateTable('verification_checks').set(to).where('provider_no', '=', person.no).execute()
}

async function setRegistrationStatus(
  { db }: Work,
  person: Person,
  to: { state: 'lost' | 'refused'; since: number; reason: string },
): Promise<void> {
  await db
    .updateTable('provider_standings')
    .set({ ...to, is_match: 0, asked_at: to.since, checked_at: to.since })
    .where('provider_no', '=', person.no)
    .execute()
}

/** A provider who was Verified for months, until a recent nightly check. */
async function revokeVerification(work: Work, person: Person, reason: LossReason): Promise<void> {
  const since = Math.floor(work.now / DAY_MS) * DAY_MS - 2 * DAY_MS + 2 * HOUR
  const name = `${person.first_name} ${person.last_name}`
  const night = {
    kind: 'recheck',
    at: since,
    actor_kind: 'system',
    actor_id: null,
    reason,
  } as const
  await updateCheck(work, person, night)
  const first = {
    kind: 'decision',
    at: since - 140 * DAY_MS,
    actor_kind: 'staff',
    actor_id: work.adminId,
    body: person.body,
    claimed_number: person.number,
    claimed_name: name,
    answer_number: person.number,
    answer_name: person.body === 'NPI' ? name.toUpperCase() : name,
    standing: 'good',
    status_text: GOOD_STATUS[person.body],
    source: 'demo',
    outcome: 'match',
    differences: toJson([]),
    decision: 'Verified',
    reason: null,
  } as const
  await work.db
    .insertInto('verification_checks')
    .values({ id: idFrom('chk', `verified ${person.id}`), provider_no: person.no, ...first })
    .execute()
  await setRegistrationStatus(work, person, { state: 'lost', since, reason })
}

async function refuseVerification(work: Work, person: Person, reason: string): Promise<void> {
  const since = work.now - 4 * DAY_MS
  await updateCheck(work, person, {
    kind: 'decision',
    at: since,
    actor_kind: 'staff',
    actor_id: work.adminId,
    decision: 'Unverified',
    reason,
  })
  await setRegistrationStatus(work, person, { state: 'refused', since, reason })
}

async function requestInformation(
  { db, now, adminId }: Work,
  person: Person,
  what: string,
): Promise<void> {
  const at = now - 30 * HOUR
  await db
    .insertInto('verification_requests')
    .values({
      id: idFrom('req', `asked ${person.id}`),
      provider_no: person.no,
      at,
      actor_id: adminId,
      what,
    })
    .execute()
  await db
    .updateTable('provider_standings')
    .set({ asked_again_at: at })
    .where('provider_no', '=', person.no)
    .execute()
}

/** Staff asked for something yesterday, and the provider has answered since. */
async function answerRequest(work: Work, person: Person, text: string): Promise<void> {
  const { db, now } = work
  await requestInformation(work, person, DIFFERENT_NAME)
  const answered_at = now - 3 * HOUR
  await db
    .updateTable('verification_requests')
    .set({ answer: text, answered_at })
    .where('provider_no', '=', person.no)
    .execute()
  await db
    .updateTable('provider_standings')
    .set({ asked_again_at: null, answered_at })
    .where('provider_no', '=', person.no)
    .execute()
}

/** The provider claims another number, which was not compared with its entry yet. */
async function changeNumber({ db }: Work, person: Person, number: string): Promise<void> {
  await db
    .updateTable('providers')
    .set({ membership_number: number })
    .where('no', '=', person.no)
    .execute()
  await db.deleteFrom('verification_checks').where('provider_no', '=', person.no).execute()
  await db
    .updateTable('provider_standings')
    .set({ is_match: 0, checked_at: null })
    .where('provider_no', '=', person.no)
    .execute()
}

export type StoredDocument = { file: string; kind: 'pdf' | 'image'; bytes: number }
type Company = { name: string; number: string; address: string; hours: number }

const COMPANIES: readonly Company[] = [
  {
    name: 'Harbour Street Practice Ltd',
    number: '09412287',
    address: '14 Harbour Street\nBristol\nBS1 4RN',
    hours: 52,
  },
  {
    name: 'Northgate Dental Care LLP',
    number: 'OC418863',
    address: '3 Northgate\nYork\nYO1 8QP',
    hours: 19,
  },
]

function certificateOf({ name, number, address }: Company): Uint8Array {
  return drawPdf('Certificate of incorporation', [
    'Specimen made by the demo. Not a document of any authority.',
    '',
    `Company name: ${name}`,
    `Company number: ${number}`,
    `Registered office: ${address.replaceAll('\n', ', ')}`,
  ])
}

async function writeCompanyClaim(
  { db, now }: Work,
  person: Person,
  { company, paper }: { company: Company; paper: StoredDocument },
): Promise<void> {
  const at = now - company.hours * HOUR
  const { no } = await db
    .insertInto('company_documents')
    .values({
      id: idFrom('doc', `company ${person.id}`),
      provider_no: person.no,
      created_at: at,
      ...paper,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('company_claims')
    .values({
      id: idFrom('cmp', `company ${person.id}`),
      provider_no: person.no,
      document_no: no,
      company_name: company.name,
      registration_number: company.number,
      address: company.address,
      state: 'in_review',
      reason: null,
      sent_at: at,
      decided_at: null,
      decided_by: null,
    })
    .execute()
}

const DIFFERENT_NAME =
  'The register has another surname with your number. Have it changed there, or write your name in your profile as the register has it.'

const CHANGED_NAME =
  'I married in the spring and have told the register. Until they change it they have me under my maiden name.'

type Options = {
  now: number
  /** Passed in: encrypting and storing files does not belong to database code. */
  keep: (paper: Uint8Array) => Promise<StoredDocument>
}

async function writeStaffWork(work: Work, papers: readonly StoredDocument[]): Promise<void> {
  const left = await listWaiting(work.db)
  const take = (isIt: (person: Person) => boolean) => {
    const at = left.findIndex(isIt)
    return at < 0 ? undefined : left.splice(at, 1)[0]
  }
  const inUk = (outcome: Person['outcome']) => (person: Person) =>
    person.outcome === outcome && person.body !== 'NPI'
  const struckOff = take(inUk('not_in_standing'))
  if (struckOff) await revokeVerification(work, struckOff, 'standing')
  const vanished = take((person) => person.outcome === 'not_found')
  if (vanished) await revokeVerification(work, vanished, 'vanished')
  const renamed = take(inUk('differs'))
  if (renamed) await refuseVerification(work, renamed, DIFFERENT_NAME)
  const asked = take((person) => person.outcome === 'differs')
  if (asked) await requestInformation(work, asked, DIFFERENT_NAME)
  const silent = take(inUk(null))
  // The number for which the register does not respond.
  if (silent) await changeNumber(work, silent, OUTAGE_NUMBERS[silent.body])
  const answered = take((person) => person.outcome === 'differs')
  if (answered) await answerRequest(work, answered, CHANGED_NAME)
  const owner = take(inUk('match'))
  const other = take(({ body, outcome }) => body === owner?.body && outcome !== 'match')
  if (owner && other) await changeNumber(work, other, owner.number)
  for (const [at, company] of COMPANIES.entries()) {
    const person = take(inUk('match'))
    const paper = papers[at]
    if (person && paper) await writeCompanyClaim(work, person, { company, paper })
  }
}

/**
 * Gives the demo's staff one of each kind of work: verifications lost, a refusal, a request for information, one that
 * was answered, two accounts with one number, a register that does not respond, companies with their documents. Runs
 * once, after the registers.
 */
export async function seedStaffWork(database: Database, { now, keep }: Options): Promise<boolean> {
  if ((await readMeta(database.db, KEY)) !== undefined) return false
  const papers = await Promise.all(COMPANIES.map((company) => keep(certificateOf(company))))
  return seedOnce(database, KEY, async (db) => {
    await writeStaffWork({ db, now, adminId: idFrom('usr', 'account admin@demo.example') }, papers)
  })
}
