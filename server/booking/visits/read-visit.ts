import { shownName } from '#contract/base/person-names.ts'
import { toIso } from '#contract/base/time.ts'
import { stateName } from '#contract/base/us-states.ts'
import {
  type CalendarLinks,
  VISITS_PAGE_SIZE,
  type Visit,
  type VisitFacts,
  type VisitsInput,
  type VisitsPage,
} from '#contract/booking.ts'
import { isBooked } from '#contract/life-cycles/visit.ts'
import type { PatientOutcome } from '#contract/outcomes.ts'
import { VISIT_PATH, type VisitLink } from '#contract/visits.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import { cancellationOf, lateFeeOf } from '#server/booking/cancel-rules.ts'
import { contestUntil } from '#server/booking/outcome-rules.ts'
import { formatCursor, parseCursor, priceOf } from '#server/booking/rules.ts'
import { isDiscreet } from '#server/booking/templates.ts'
import type { Context, Services, SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isSameSecret } from '#server/kernel/security/secrets.ts'
import { movesOf, proposalsOf } from './move-booking.ts'
import {
  countVisitsOf,
  type FactsRow,
  findOwnVisit,
  findVisit,
  listVisitsOf,
  type VisitRow,
} from './visit-store.ts'

/** Whether a booking is a visit rather than a hold. */
function isVisit(row: VisitRow | undefined): row is VisitRow {
  return row !== undefined && isBooked(row.state)
}

/** A visit by its id, or null. No ownership check: the caller authorizes. */
export async function readVisitIn(db: Db, id: string, now: Instant): Promise<Visit | null> {
  const row = await findVisit(db, id)
  return isVisit(row) ? visitIn(db, row, now) : null
}

/** The row of one of the viewer's visits; anything else is `not_found`. */
export async function readOwnVisit(ctx: SignedIn, id: string): Promise<VisitRow> {
  const row = await findOwnVisit(ctx.database.db, id, ctx.session.accountNo)
  if (!isVisit(row)) throw new AppError('not_found')
  return row
}

/** One of the viewer's visits. */
export async function readVisit(ctx: SignedIn, { id }: { id: string }): Promise<Visit> {
  return visitIn(ctx.database.db, await readOwnVisit(ctx, id), ctx.now())
}

/** A page of the viewer's visits: upcoming ones soonest first, past ones latest first. */
export async function listVisits(ctx: SignedIn, input: VisitsInput): Promise<VisitsPage> {
  const { db } = ctx.database
  const wanted = { patientNo: ctx.session.accountNo, when: input.when, now: ctx.now() }
  const after = input.after === undefined ? null : parseCursor(input.after)
  const rows = await listVisitsOf(db, { ...wanted, after, limit: VISITS_PAGE_SIZE + 1 })
  const page = rows.slice(0, VISITS_PAGE_SIZE)
  const last = rows.length > VISITS_PAGE_SIZE ? page.at(-1) : undefined
  const nos = page.map(({ no }) => no)
  const moves = await movesOf(db, nos)
  const proposals = await proposalsOf(db, nos, wanted.now)
  return {
    visits: page.map((row) =>
      visitOf(
        row,
        { moves: moves.get(row.no) ?? [], proposed: proposals.get(row.no) ?? null },
        wanted.now,
      ),
    ),
    next: last === undefined ? null : formatCursor({ startAt: last.start_at, no: last.no }),
    total: await countVisitsOf(db, wanted),
  }
}

/** Provider, place and time of a visit, and what cancelling costs at `now`. */
export function factsOf(row: FactsRow, now: Instant): VisitFacts {
  return {
    id: row.id,
    reference: row.reference,
    provider: {
      id: row.provider_id,
      name: shownName(row),
      specialty: specialtyByNo(row.specialty_no).name[row.region],
      photo: row.photo,
      phone: row.place_phone,
    },
    region: row.region,
    place: {
      name: row.place_name,
      address: [row.address, row.locality].filter(Boolean).join(', '),
      postcode: row.postcode,
      latitude: row.latitude,
      longitude: row.longitude,
    },
    startsAt: toIso(row.start_at),
    endsAt: toIso(row.end_at),
    timeZone: row.time_zone,
    mode: row.mode,
    typeId: row.type_id,
    typeName: row.type_name,
    distance: row.distance,
    cancellation: cancellationOf(row, now),
  }
}

/** The outcome of a visit as its patient sees it. */
function outcomeOf(row: VisitRow): PatientOutcome {
  const until = row.claim_state === null ? contestUntil(row) : null
  return {
    outcome: row.outcome,
    contestUntil: until === null ? null : toIso(until),
    claim: row.claim_state,
  }
}

async function visitIn(db: Db, row: VisitRow, now: Instant): Promise<Visit> {
  const moves = (await movesOf(db, [row.no])).get(row.no) ?? []
  const proposed = (await proposalsOf(db, [row.no], now)).get(row.no) ?? null
  return visitOf(row, { moves, proposed }, now)
}

/** A visit as its patient sees it. */
function visitOf(row: VisitRow, changes: Pick<Visit, 'moves' | 'proposed'>, now: Instant): Visit {
  const price = priceOf(row, row.visit_type)
  return {
    ...factsOf(row, now),
    state: row.state === 'cancelled' ? 'cancelled' : 'confirmed',
    typeOfVisit: row.visit_type,
    patientState: stateName(row.patient_state),
    purposeForVisit: row.purpose,
    // What was paid; otherwise the price, which is fixed when the visit is held.
    fee: { minor: row.paid_minor ?? price.minor, currency: price.currency },
    paymentMethod: row.payment_method,
    paymentId: row.payment_id,
    bookedAt: toIso(row.confirmed_at ?? row.created_at),
    calendarLinks: calendarLinks(row),
    outcome: outcomeOf(row),
    lateFee: lateFeeOf(row, now),
    ...changes,
  }
}

type ShownFields = Pick<
  VisitRow,
  | 'mode'
  | 'title'
  | 'first_name'
  | 'last_name'
  | 'place_name'
  | 'address'
  | 'locality'
  | 'postcode'
  | 'patient_discreet'
>

/**
 * A visit's title and location in the patient's calendar, which others may see: discreet mode names neither
 * the provider nor the practice. Never contains the purpose.
 */
export function calendarTitle(row: ShownFields): { summary: string; place: string } {
  const names = isDiscreet(row) ? [] : [row.place_name]
  const address = [...names, row.address, row.locality, row.postcode].filter(Boolean).join(', ')
  return {
    summary: isDiscreet(row) ? 'Appointment' : `Visit to ${shownName(row)}`,
    place: row.mode === 'video' ? 'Video visit' : address,
  }
}

/** Lines of the description: the visit type's name, if any and not in discreet mode, and the reference. */
export function calendarDescription(
  row: Pick<VisitRow, 'type_name' | 'patient_discreet' | 'reference'>,
): string[] {
  const type = row.type_name === null || isDiscreet(row) ? [] : [row.type_name]
  return [...type, `Reference: ${row.reference}`]
}

/** `20260303T143000Z`. */
function compactUtc(at: Instant): string {
  return toIso(at).replaceAll(/[-:]|\.\d{3}/g, '')
}

/** URLs that open a prefilled event in web calendars; null for a cancelled visit. */
function calendarLinks(row: VisitRow): CalendarLinks | null {
  if (row.state === 'cancelled') return null
  const { summary, place } = calendarTitle(row)
  const about = calendarDescription(row).join('\n')
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: summary,
    dates: `${compactUtc(row.start_at)}/${compactUtc(row.end_at)}`,
    ctz: row.time_zone,
    location: place,
    details: about,
  })
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: summary,
    startdt: toIso(row.start_at),
    enddt: toIso(row.end_at),
    location: place,
    body: about,
  })
  return {
    google: `https://calendar.google.com/calendar/render?${google}`,
    // Outlook shows a plus literally.
    outlook: `https://outlook.live.com/calendar/0/deeplink/compose?${`${outlook}`.replaceAll('+', '%20')}`,
  }
}

/** A visit, its patient's account and that account's current email. */
export type LinkOwner = { visitId: string; userId: string; email: string }

/** Placeholder owner for a visit that does not exist, so that the same work is done. */
const NO_OWNER: LinkOwner = { visitId: '', userId: '', email: '' }

/** The owner of a visit's link. */
export function linkOwnerOf(row: VisitRow): LinkOwner {
  return { visitId: row.id, userId: row.patient_id, email: row.patient_email }
}

/**
 * Proves that the bearer received an email about the visit. It is not stored, and becomes invalid when the
 * address changes.
 */
export function visitMac({ secrets }: Pick<Services, 'secrets'>, owner: LinkOwner): string {
  return secrets.mac('visit', `${owner.visitId} ${owner.userId} ${owner.email}`)
}

/** The URL in emails to a patient that shows a visit and lets them change it. */
export function visitUrl(services: Pick<Services, 'secrets' | 'config'>, owner: LinkOwner): string {
  const { publicUrl } = services.config
  return `${publicUrl}${VISIT_PATH}/${owner.visitId}/${visitMac(services, owner)}`
}

/**
 * The visit behind a link, in any state. Throws `visit_link_invalid` alike for a forged link, a changed
 * address or account, and a visit that has ended, so that the error reveals nothing.
 */
export async function openVisitLink(ctx: Context, db: Db, link: VisitLink): Promise<VisitRow> {
  const row = await findVisit(db, link.id)
  const isSigned = isSameSecret(link.mac, visitMac(ctx, row ? linkOwnerOf(row) : NO_OWNER))
  if (!isSigned || !isVisit(row) || row.end_at <= ctx.now()) {
    throw new AppError('visit_link_invalid')
  }
  if (row.patient_erased_at !== null || row.patient_suspended_at !== null) {
    throw new AppError('visit_link_invalid')
  }
  return row
}
