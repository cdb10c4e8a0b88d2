import { VISIT_PATH, type VisitLink } from '#contract/visits.ts'
import type { Db } from '#db/engine.ts'
import type { Context, Services } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isSameSecret } from '#server/kernel/security/secrets.ts'
import { isVisit } from './read-visit.ts'
import { findVisit, type VisitRow } from './visit-store.ts'

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
