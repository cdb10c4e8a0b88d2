import type { Insertable } from 'kysely'
import { fullName } from '#contract/base/person-names.ts'
import { proofLife } from '#contract/life-cycles/verification.ts'
import type { ProofKind } from '#contract/verification.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { RegistrantProofRow } from '#db/tables/verification.ts'
import type { Claimant } from '#server/verification/store.ts'

export async function insertProof(db: Db, row: Insertable<RegistrantProofRow>): Promise<void> {
  await db.insertInto('registrant_proofs').values(row).execute()
}

type Kind = { providerNo: number; kind: ProofKind; now: Instant }

/** Marks the waiting proof of a kind as replaced by a newer one. */
export async function replaceWaiting(db: Db, { providerNo, kind, now }: Kind): Promise<void> {
  await db
    .updateTable('registrant_proofs')
    .set({ state: proofLife.to('replace'), decided_at: now })
    .where('provider_no', '=', providerNo)
    .where('kind', '=', kind)
    .where('state', 'in', proofLife.from('replace'))
    .execute()
}

type Decision = Pick<RegistrantProofRow, 'decided_by' | 'reason'> & {
  id: string
  state: 'accepted' | 'refused'
  now: Instant
  seen: RegistrantProofRow['state']
}

/** Updates a proof if it is still in the state that staff saw; false if it has changed. */
export async function updateProof(
  db: Db,
  { id, now, seen, ...decided }: Decision,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('registrant_proofs')
    .set({ ...decided, decided_at: now })
    .where('id', '=', id)
    .where('state', '=', seen)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type Claimed = Pick<Claimant, 'no' | 'body' | 'membership_number'>

/** Whether a document awaits review, or is accepted, as a proof for the current claim. */
export async function hasDocumentProof(
  db: Db,
  claimant: Claimed & Pick<Claimant, 'first_name' | 'last_name'>,
  documentNo: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('registrant_proofs')
    .select('id')
    .where('provider_no', '=', claimant.no)
    .where('document_no', '=', documentNo)
    .where('state', 'in', ['waiting', 'accepted'])
    .where('body', '=', claimant.body)
    .where('claimed_number', '=', claimant.membership_number)
    .where('claimed_name', '=', fullName(claimant.first_name, claimant.last_name))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The published address that awaits a code, for the currently claimed number. */
export function findWaitingCode(db: Db, { no, body, membership_number: number }: Claimed) {
  return db
    .selectFrom('registrant_proofs')
    .select(['id', 'email', 'source'])
    .where('provider_no', '=', no)
    .where('kind', '=', 'code')
    .where('state', '=', 'waiting')
    .where('body', '=', body)
    .where('claimed_number', '=', number)
    .executeTakeFirst()
}

/** The newest accepted proof for the currently claimed number, or undefined. */
export function findAccepted(db: Db, { no, body, membership_number: number }: Claimed) {
  return db
    .selectFrom('registrant_proofs')
    .select(['id', 'decided_at'])
    .where('provider_no', '=', no)
    .where('state', '=', 'accepted')
    .where('body', '=', body)
    .where('claimed_number', '=', number)
    .orderBy('decided_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest document for the currently claimed number that was not replaced, or undefined. */
export function findNewestDocument(db: Db, { no, body, membership_number: number }: Claimed) {
  return db
    .selectFrom('registrant_proofs')
    .select(['state', 'created_at', 'reason'])
    .where('provider_no', '=', no)
    .where('kind', '=', 'document')
    .where('state', '<>', 'replaced')
    .where('body', '=', body)
    .where('claimed_number', '=', number)
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A provider's proofs with their documents and the staff involved, newest first. */
export function listProofs(db: Db, providerNo: number) {
  return db
    .selectFrom('registrant_proofs as r')
    .leftJoin('company_documents as d', 'd.no', 'r.document_no')
    .leftJoin('accounts as by', (on) =>
      on.onRef('by.id', '=', 'r.created_by').on('by.kind', '=', 'staff'),
    )
    .leftJoin('accounts as decider', (on) =>
      on.onRef('decider.id', '=', 'r.decided_by').on('decider.kind', '=', 'staff'),
    )
    .select([
      'r.id',
      'r.kind',
      'r.state',
      'r.body',
      'r.claimed_number',
      'r.email',
      'r.source',
      'r.created_at',
      'r.decided_at',
      'r.reason',
      'd.id as document_id',
      'd.kind as document_kind',
      'd.bytes',
      'by.first_name as by_first_name',
      'by.last_name as by_last_name',
      'by.email as by_email',
      'decider.first_name as decider_first_name',
      'decider.last_name as decider_last_name',
      'decider.email as decider_email',
    ])
    .where('r.provider_no', '=', providerNo)
    .orderBy('r.no', 'desc')
    .limit(20)
    .execute()
}

export type ListedProof = Awaited<ReturnType<typeof listProofs>>[number]

/** A proof with its provider, for a decision and the emails, or undefined. */
export function findProof(db: Db, id: string) {
  return db
    .selectFrom('registrant_proofs as r')
    .innerJoin('providers as p', 'p.no', 'r.provider_no')
    .leftJoin('accounts as a', (on) =>
      on.onRef('a.provider_no', '=', 'p.no').on('a.erased_at', 'is', null),
    )
    .select([
      'r.id',
      'r.kind',
      'r.state',
      'r.body',
      'r.claimed_number',
      'r.email as published_email',
      'r.source',
      'r.reason',
      'p.id as provider_id',
      'p.first_name',
      'p.last_name',
      'p.email',
      'a.id as user_id',
    ])
    .where('r.id', '=', id)
    .executeTakeFirst()
}

export type FoundProof = NonNullable<Awaited<ReturnType<typeof findProof>>>

/** Deletes a provider's proofs; their documents are deleted with those of the company. */
export async function deleteProofsOf(db: Db, providerNo: number): Promise<void> {
  await db.deleteFrom('registrant_proofs').where('provider_no', '=', providerNo).execute()
}
