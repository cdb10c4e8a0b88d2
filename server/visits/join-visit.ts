import { toIso } from '#contract/base/time.ts'
import type { VisitRef } from '#contract/booking.ts'
import type { JoinResponse, VideoTerms } from '#contract/visits-video.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { joinWindow } from '#server/booking/rules.ts'
import { clinicTime } from '#server/booking/templates.ts'
import { isProvider, type SignedIn, type Tx } from '#server/context.ts'
import { videoServer } from '#server/kernel/demo-mode.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { ensureRoom, findToJoin, insertJoin, type JoinRow, type Party } from './store.ts'

/** The viewer's side of a visit. */
async function partyOf(ctx: SignedIn, db: Db): Promise<Party> {
  if (!isProvider(ctx)) return { patientNo: ctx.session.accountNo }
  return { providerNo: (await ownProvider(ctx, db)).no }
}

/** The viewer's booked video visit. Throws `not_found`, `visit_cancelled` or `not_by_video`. */
async function findOwnVideo(ctx: SignedIn, db: Db, id: string): Promise<JoinRow> {
  const visit = await findToJoin(db, id, await partyOf(ctx, db))
  if (visit === undefined) throw new AppError('not_found')
  if (visit.mode !== 'video') throw new AppError('not_by_video')
  if (visit.state === 'cancelled') throw new AppError('visit_cancelled')
  return visit
}

/** Host of the provider's own room, else of our video server; null where neither exists. */
function hostOf(ctx: SignedIn, visit: JoinRow): string | null {
  const address = visit.video_link ?? videoServer(ctx.config)
  return address === null ? null : new URL(address).host
}

/** When, and on which host, the viewer's video visit can be joined; never the room's URL. */
export async function readVideo(ctx: SignedIn, { id }: VisitRef): Promise<VideoTerms> {
  const visit = await findOwnVideo(ctx, ctx.database.db, id)
  const { opensAt, closesAt } = joinWindow(visit)
  return {
    id: visit.id,
    opensAt: toIso(opensAt),
    closesAt: toIso(closesAt),
    host: hostOf(ctx, visit),
  }
}

function assertOpen(visit: JoinRow, now: Instant): void {
  const { opensAt, closesAt } = joinWindow(visit)
  if (now >= closesAt) throw new AppError('video_over')
  if (now >= opensAt) return
  throw new AppError('video_too_early', {
    from: clinicTime(opensAt, visit),
    opensAt: toIso(opensAt),
  })
}

/**
 * URL of the provider's own room, or of the visit's room on our server. The latter is created at the first
 * join and kept: 130 random bits, which cannot be guessed.
 */
async function addressOf(ctx: SignedIn, tx: Tx, visit: JoinRow): Promise<string> {
  if (visit.video_link !== null) return visit.video_link
  const server = videoServer(ctx.config)
  if (server === null) throw new AppError('video_way_missing')
  return `${server}/${await ensureRoom(tx.db, visit.no, ctx.newId('room'))}`
}

/**
 * Lets the patient or the provider join a video visit, from 15 minutes before its start to 30 minutes after
 * its end, and records it as evidence. Throws `video_too_early`, with the opening time, or `video_over`.
 */
export async function joinVisit(ctx: SignedIn, { id }: VisitRef): Promise<JoinResponse> {
  return ctx.transaction(async (tx) => {
    const visit = await findOwnVideo(ctx, tx.db, id)
    const now = ctx.now()
    assertOpen(visit, now)
    const url = await addressOf(ctx, tx, visit)
    const { host } = new URL(url)
    const kind = isProvider(ctx) ? 'provider' : 'patient'
    await insertJoin(tx.db, {
      booking_no: visit.no,
      at: now,
      by_kind: kind,
      by_id: ctx.session.userId,
      host,
    })
    // Without the URL, which is confidential: anyone who knows a room can enter it.
    await tx.audit.add({ action: 'visit.joined', entity: visit.id, details: { by: kind } })
    return { url, host }
  })
}
