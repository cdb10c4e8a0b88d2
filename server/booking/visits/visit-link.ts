import { VISIT_PATH, type VisitLink } from '#contract/visits.ts'
import type { Db } from '#db/engine.ts'
import type { Context, Services } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isSameSecret } from '#server/kernel/security/secrets.ts'
import { isVisit } from './read-visit.ts'
import { findVisit, type VisitRow } from './visit-store.ts'

/** A visit and the account it belongs to, with the address that is emailed now. */
export type LinkOwner = { visitId: string; userId: string; email: string }

/** In place of the owner of a visit that there is not, so that the same work is done. */
const NOBODY: LinkOwner = { visitId: '', userId: '', email: '' }

/** Whose the link of a visit is. */
export function linkOwnerOf(row: VisitRow): LinkOwner {
  return { visitId: row.id, userId: row.patient_id, email: row.patient_email }
}

/**
 * Proves that whoever has it got the emails about a visit. Nothing is kept of it, and it ends with the
 * address it went to.
 */
export function visitMac({ secrets }: Pick<Services, 'secrets'>, owner: LinkOwner): string {
  return secrets.mac('visit', `${owner.visitId} ${owner.userId} ${owner.email}`)
}

/** The address in emails to a patient that shows a visit as it is, and lets them change it. */
export function visitUrl(services: Pick<Services, 'secrets' | 'config'>, owner: LinkOwner): string {
  const { publicUrl } = services.config
  return `${publicUrl}${VISIT_PATH}/${owner.visitId}/${visitMac(services, owner)}`
}

/**
 * The visit behind a link, in whatever state. `visit_link_invalid` for one that was made up, whose
 * address or account has changed since, or whose visit is over: one answer, which tells nothing.
 */
export async function openVisitLink(ctx: Context, db: Db, link: VisitLink): Promise<VisitRow> {
  const row = await findVisit(db, link.id)
  const isSigned = isSameSecret(link.mac, visitMac(ctx, row ? linkOwnerOf(row) : NOBODY))
  if (!isSigned || !isVisit(row) || row.end_at <= ctx.now()) {
    throw new AppError('visit_link_invalid')
  }
  if (row.patient_erased_at !== null || row.patient_suspended_at !== null) {
    throw new AppError('visit_link_invalid')
  }
  return row
}
