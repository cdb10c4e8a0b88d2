import { ProviderId, readReference } from '#contract/base/ids.ts'
import { searchableName } from '#contract/base/person-names.ts'
import { toIso } from '#contract/base/time.ts'
import {
  DESK_PAGE_SIZE,
  type DeskList,
  type DeskListInput,
  type DeskNoteResponse,
  type DeskRef,
  type DeskVisit,
} from '#contract/booking-desk.ts'
import type { AsProvider, Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { deskBookingOf } from './add-desk.ts'
import { deskMarking, whyNotEdit } from './desk-rules.ts'
import { type DeskRow, findDesk, listDeskOf, listUpcomingDesk } from './desk-store.ts'
import { openDetail } from './sealed-details.ts'

const emptyToNull = (text: string) => (text === '' ? null : text)

async function getOwn(ctx: AsProvider, { id }: DeskRef): Promise<DeskRow> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const row = await findDesk(db, { id, providerNo })
  if (row === undefined) throw new AppError('not_found')
  return row
}

function patientOf(ctx: Context, row: DeskRow): DeskVisit['patient'] {
  const name = openDetail(ctx, row.name)
  if (name === '') return null
  const [phone, email] = [openDetail(ctx, row.phone), openDetail(ctx, row.email)]
  return { name, phone: emptyToNull(phone), email: emptyToNull(email) }
}

/**
 * One of the viewer's desk visits, past or upcoming, with the patient's contact details; the access is
 * audited. `not_found` for those of others.
 */
export async function readDesk(ctx: AsProvider, input: DeskRef): Promise<DeskVisit> {
  const row = await getOwn(ctx, input)
  const now = ctx.now()
  await ctx.record({ action: 'visit.opened', entity: row.id })
  return {
    ...deskBookingOf(row),
    now: toIso(now),
    kind: row.kind,
    providerId: ProviderId.parse(row.provider_id),
    place: {
      id: row.place_id,
      name: row.place_name,
      address: [row.address, row.locality].filter(Boolean).join(', '),
      postcode: row.postcode,
    },
    patient: patientOf(ctx, row),
    hasNote: row.note !== '',
    marking: deskMarking(row, now),
    bookedAt: toIso(row.created_at),
    movedFrom: row.moved_from === null ? null : toIso(row.moved_from),
    movedFromZone: row.moved_from_zone ?? row.time_zone,
    canChange: whyNotEdit(row, now) === null,
  }
}

/** The note of a desk visit. The access is audited: the note may be about someone's health. */
export async function readDeskNote(ctx: AsProvider, input: DeskRef): Promise<DeskNoteResponse> {
  const row = await getOwn(ctx, input)
  await ctx.record({ action: 'visit.purpose_read', entity: row.id })
  return { note: openDetail(ctx, row.note) }
}

type UpcomingDeskVisit = { row: DeskRow; name: string; phone: string | null; email: string | null }

/** The viewer's desk visits that have not begun, earliest first, with contact details. */
export async function listUpcomingDeskVisits(ctx: AsProvider): Promise<UpcomingDeskVisit[]> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  return (await listUpcomingDesk(db, providerNo, ctx.now())).map((row) => ({
    row,
    name: openDetail(ctx, row.name),
    phone: emptyToNull(openDetail(ctx, row.phone)),
    email: emptyToNull(openDetail(ctx, row.email)),
  }))
}

/** Names are encrypted, so a search decrypts them: how many of the latest visits it covers. */
const MAX_SEARCHED = 2_000

const digits = (text: string) => text.replaceAll(/\D/g, '')

/** Whether a visit matches a search text: part of the name or of the number, or the whole reference. */
function matchesSearch(ctx: Context, row: DeskRow, typed: string): boolean {
  if (readReference(typed) === row.reference) return true
  const name = searchableName(openDetail(ctx, row.name))
  if (name.includes(searchableName(typed))) return true
  const number = digits(typed)
  return number.length >= 3 && digits(openDetail(ctx, row.phone)).includes(number)
}

/** The viewer's desk visits, latest first: all, or those that match a name, a number or a reference. */
export async function listDesk(ctx: AsProvider, input: DeskListInput): Promise<DeskList> {
  const { page, search = '' } = input
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const all = await listDeskOf(db, providerNo, MAX_SEARCHED)
  const found = search === '' ? all : all.filter((row) => matchesSearch(ctx, row, search))
  return {
    visits: found.slice((page - 1) * DESK_PAGE_SIZE, page * DESK_PAGE_SIZE).map((row) => ({
      ...deskBookingOf(row),
      kind: row.kind,
      name: emptyToNull(openDetail(ctx, row.name)),
      placeName: row.place_name,
      outcome: row.outcome,
    })),
    current_page: page,
    total_pages: Math.ceil(found.length / DESK_PAGE_SIZE),
    total: found.length,
  }
}
