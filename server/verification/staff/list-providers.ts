import { DAY_MS, dayNumber, toIso } from '#contract/time.ts'
import {
  isPublicList,
  PROVIDERS_PAGE_SIZE,
  ProviderRow,
  type ProvidersInput,
  type ProvidersPage,
  type VerificationQueue,
} from '#contract/verification-staff.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import type { Context, Viewer } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { stateOf } from '#server/verification/register/read-registration-status.ts'
import { fullName, mayVerify } from '#server/verification/rules.ts'
import { countWork, listAround, type QueueRow } from './queue-store.ts'
import {
  countProviders,
  type ListedProvider,
  listProviderRows,
  type ProviderFilters,
} from './staff-store.ts'

/** The context of signed-in staff. */
export type AsStaff = Context & { viewer: Extract<Viewer, { kind: 'staff' }> }

const isoOrNull = (at: number | null) => (at === null ? null : toIso(at))

/** Fields of a provider that all staff see: those that are public, or will be. */
export function publicPart(
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
    name: fullName(row),
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
  return { providerId: row.id, region: row.region, name: fullName(row) }
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
