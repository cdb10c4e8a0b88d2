import { DocumentId } from '#contract/base/ids.ts'
import { fullName, shownName } from '#contract/base/person-names.ts'
import { DAY_MS, dayNumber, toIso } from '#contract/base/time.ts'
import { LossReason } from '#contract/verification.ts'
import {
  type Change,
  type Evidence,
  isPublicList,
  MAX_CHECKS_SHOWN,
  PROVIDERS_PAGE_SIZE,
  ProviderRow,
  type ProvidersInput,
  type ProvidersPage,
  StaffCheck,
  StaffCompany,
  StaffProvider,
  type StaffProviderInput,
  type VerificationCounts,
  type VerificationQueue,
} from '#contract/verification-staff.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import type { AsStaff, Context } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import { backgroundOf } from '#server/profiles/provider-columns.ts'
import {
  countUpcomingVisits,
  findStaffProvider,
  type ListedCheck,
  listChecks,
  listClaims,
  listRequests,
  listSameNumber,
  type StaffProviderRow,
} from '#server/verification/evidence-store.ts'
import {
  isForCurrentClaim,
  showCheck,
  showProof,
  stateOf,
} from '#server/verification/register/read-registration-status.ts'
import { findAccepted, listProofs } from '#server/verification/registrant/proof-store.ts'
import { mayVerify, staffName } from '#server/verification/rules.ts'
import { type Claimant, getClaimant } from '#server/verification/store.ts'
import {
  countLostSince,
  countProviders,
  countWork,
  type ListedProvider,
  listAround,
  listProviderRows,
  type ProviderFilters,
  type QueueRow,
} from './staff-store.ts'

const isoOrNull = (at: number | null) => (at === null ? null : toIso(at))

/** Fields of a provider that all staff see: those that are public, or will be. */
function publicPart(
  row: Omit<
    ListedProvider,
    | 'day_at'
    | 'company_no'
    | 'state'
    | 'is_match'
    | 'is_number_shared'
    | 'is_proof_waiting'
    | 'checked_at'
    | 'answered_at'
  >,
  isFull: boolean,
) {
  const isPublic = isFull || row.verification_status === 'Verified'
  return {
    providerId: row.id,
    region: row.region,
    name: shownName(row),
    photo: row.photo,
    specialty: specialtyByNo(row.specialty_no).name[row.region],
    locality: row.locality ?? '',
    professional_body_name: row.professional_body,
    membership_number: isPublic ? row.membership_number : null,
    verification_status: row.verification_status,
    verifiedAt: isoOrNull(row.verified_at),
  }
}

function rowOf(row: ListedProvider, isFull: boolean): ProviderRow {
  const rest = isFull
    ? {
        at: isoOrNull(row.day_at),
        email: row.email,
        state: stateOf(row),
        isMatch: row.is_match === 1,
        isNumberShared: row.is_number_shared === 1,
        isCompared: row.checked_at !== null,
        askedAgainAt: isoOrNull(row.asked_again_at),
        answeredAt: isoOrNull(row.answered_at),
        hasCompanyInReview: row.company_no !== null,
        isProofWaiting: row.is_proof_waiting === 1,
      }
    : {
        at: isoOrNull(row.verified_at),
        email: null,
        state: null,
        isMatch: false,
        isNumberShared: false,
        isCompared: false,
        askedAgainAt: null,
        answeredAt: null,
        hasCompanyInReview: false,
        isProofWaiting: false,
      }
  return ProviderRow.parse({ ...publicPart(row, isFull), ...rest })
}

function providerFilters(input: ProvidersInput, isFull: boolean): ProviderFilters {
  const { list, search, region, body, from, to } = input
  // The registration date is not public; the date of verification is.
  const hasDays = isFull || list === 'verified'
  return {
    list,
    search,
    region,
    body,
    since: from === undefined || !hasDays ? null : dayNumber(from) * DAY_MS,
    before: to === undefined || !hasDays ? null : (dayNumber(to) + 1) * DAY_MS,
    isFull,
  }
}

/** A page of the providers; past the end it is empty. Editors and authors see what is public. */
export async function listProviders(ctx: AsStaff, input: ProvidersInput): Promise<ProvidersPage> {
  const isFull = mayVerify(ctx.viewer.role)
  // Only staff who may verify see who is waiting, was refused or has lost their status.
  if (!isFull && !isPublicList(input.list)) throw new AppError('admins_only')
  const { db } = ctx.database
  const by = providerFilters(input, isFull)
  const { page, sort } = input
  const total = await countProviders(db, by)
  const rows = await listProviderRows(db, by, {
    sort,
    limit: PROVIDERS_PAGE_SIZE,
    offset: (page - 1) * PROVIDERS_PAGE_SIZE,
  })
  return {
    providers: rows.map((row) => rowOf(row, isFull)),
    current_page: page,
    total_pages: Math.ceil(total / PROVIDERS_PAGE_SIZE),
    total,
  }
}

function queueEntry(row: QueueRow | undefined): VerificationQueue['next'] {
  if (row === undefined || row.is_waiting === 0) return null
  return { providerId: row.id, region: row.region, name: shownName(row) }
}

/** The verification workload, and the neighbours of a provider in the queue. */
export async function readQueue(
  ctx: AsStaff,
  { providerId }: { providerId?: string | undefined },
): Promise<VerificationQueue> {
  const { db } = ctx.database
  const work = await countWork(db)
  const around = await listAround(db, providerId)
  const own = around.find(({ id }) => id === providerId)
  const before = own && around.find(({ n }) => n === own.n - 1)
  const after = own ? around.find(({ n }) => n === own.n + 1) : around[0]
  return {
    ...work,
    position: own?.is_waiting === 1 ? own.n : null,
    previous: queueEntry(before),
    next: queueEntry(after),
  }
}

/** Differences from the previous check; none for the first one. */
function changesSince(check: ListedCheck, before: ListedCheck | undefined): Change[] {
  if (before === undefined) return []
  const changes: Change[] = []
  const isSameClaim =
    check.claimed_name === before.claimed_name &&
    check.claimed_number === before.claimed_number &&
    check.body === before.body
  if (!isSameClaim) changes.push('claim')
  if ((check.answer_number === null) !== (before.answer_number === null)) changes.push('entry')
  else {
    if (check.answer_number !== before.answer_number) changes.push('number')
    if (check.answer_name !== before.answer_name) changes.push('name')
    if (check.status_text !== before.status_text) changes.push('standing')
  }
  return changes
}

function showForStaff(check: ListedCheck, before: ListedCheck | undefined): StaffCheck {
  const { actor_kind: kind } = check
  return StaffCheck.parse({
    ...showCheck(check),
    kind: check.kind,
    professional_body_name: check.body,
    by: { kind, name: kind === 'staff' ? staffName(check) : null },
    source: check.source,
    changes: changesSince(check, before),
    decision: check.decision,
    // The nightly job stores the loss reason as a code there.
    reason: check.kind === 'recheck' ? null : check.reason,
  })
}

type Claim = Awaited<ReturnType<typeof listClaims>>[number]

function showClaim({ kind, bytes, sent_at, decided_at, ...row }: Claim): StaffCompany {
  return StaffCompany.parse({
    ...row,
    document: { kind, bytes },
    documentId: row.document_id,
    sentAt: toIso(sent_at),
    decidedAt: decided_at === null ? null : toIso(decided_at),
    decidedBy: staffName(row),
  })
}

type Request = Awaited<ReturnType<typeof listRequests>>[number]

function answerOf(one: Request) {
  if (one.answered_at === null || one.answer === null) return null
  const hasDocument = one.document_id !== null && one.kind !== null && one.bytes !== null
  return {
    at: toIso(one.answered_at),
    text: one.answer,
    documentId: hasDocument ? DocumentId.parse(one.document_id) : null,
    document: hasDocument ? { kind: one.kind ?? 'pdf', bytes: one.bytes ?? 0 } : null,
  }
}

async function readEvidence(ctx: AsStaff, row: StaffProviderRow, claimant: Claimant) {
  const { db } = ctx.database
  const checks = await listChecks(db, row.no, MAX_CHECKS_SHOWN + 1)
  const history = checks
    .slice(0, MAX_CHECKS_SHOWN)
    .map((check, at) => showForStaff(check, checks[at + 1]))
  const [newest] = checks
  const state = stateOf(claimant)
  const lost = LossReason.safeParse(claimant.reason)
  const requests = await listRequests(db, row.no)
  const same = await listSameNumber(db, row)
  const proofs = (await listProofs(db, row.no)).map((one) => showProof(one, claimant))
  return {
    sameNumber: same.map((one) => ({
      providerId: one.id,
      name: shownName(one),
      verification_status: one.verification_status,
      registeredOn: toIso(one.created_at).slice(0, 10),
    })),
    email: row.email,
    phone: row.phone,
    state,
    since: row.since === null ? null : toIso(row.since),
    reason: state === 'refused' ? claimant.reason : null,
    lostBecause: state === 'lost' && lost.success ? lost.data : null,
    check:
      newest !== undefined && isForCurrentClaim(newest, claimant) ? (history[0] ?? null) : null,
    history,
    asked: requests.map((one) => ({
      at: toIso(one.at),
      by: staffName(one),
      what: one.what,
      about: one.about,
      answer: answerOf(one),
      isOpen: row.asked_again_at !== null && one.at === row.asked_again_at,
    })),
    proofs,
    isProven: (await findAccepted(db, claimant)) !== undefined,
    companies: (await listClaims(db, row.no)).map(showClaim),
    comingVisits: await countUpcomingVisits(db, row.no, ctx.now()),
  } satisfies Evidence
}

/** The practice location a provider claims; hidden until verified, as it may be their home. */
function showPractice(row: StaffProviderRow, isPublic: boolean): StaffProvider['practice'] {
  const { place_name: name, address, postcode } = row
  if (!isPublic) return { name: name ?? '', address: '', postcode: '' }
  return { name: name ?? '', address: address ?? '', postcode: postcode ?? '' }
}

/**
 * A provider as shown to staff: the claim and, for staff who may verify, the evidence. `not_found` if the
 * provider is in another region than the given one.
 */
export async function readProvider(
  ctx: AsStaff,
  { providerId, region }: StaffProviderInput,
): Promise<StaffProvider> {
  const { db } = ctx.database
  const row = await findStaffProvider(db, providerId)
  if (row === undefined || isErasedAddress(row.email)) throw new AppError('not_found')
  if (region !== undefined && region !== row.region) throw new AppError('not_found')
  const isFull = mayVerify(ctx.viewer.role)
  return StaffProvider.parse({
    ...publicPart(row, isFull),
    claimedName: fullName(row.first_name, row.last_name),
    first_name: row.first_name,
    last_name: row.last_name,
    ...backgroundOf(row),
    practice: showPractice(row, isFull || row.verification_status === 'Verified'),
    registeredOn: toIso(row.created_at).slice(0, 10),
    evidence: isFull ? await readEvidence(ctx, row, await getClaimant(db, providerId)) : null,
  })
}

const WEEK_MS = 7 * 24 * 60 * 60_000

/** Number of verifications that are waiting, and of recent status losses, for staff's first page. */
export async function countWaiting({
  database,
  now,
}: Pick<Context, 'database' | 'now'>): Promise<VerificationCounts> {
  const { waiting, companies } = await countWork(database.db)
  const lostThisWeek = await countLostSince(database.db, now() - WEEK_MS)
  return { waiting, companies, lostThisWeek }
}
