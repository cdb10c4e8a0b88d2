import { AHEAD_SHOWN, type Ahead, type AheadVisit } from '#contract/erasure.ts'
import { toIso } from '#contract/time.ts'
import { countDeskAhead } from '#server/booking/desk/forget-desk.ts'
import type { SignedIn } from '#server/context.ts'
import { type Coming, readComing } from '#server/payments/refunds/cancel-coming.ts'

function patientName({ patient_erased_at, first_name, last_name }: Coming): string | null {
  if (patient_erased_at !== null) return null
  const [initial] = new Intl.Segmenter('en').segment(last_name)
  return initial === undefined ? first_name : `${first_name} ${initial.segment}.`
}

function visitOf(coming: Coming): AheadVisit {
  return {
    id: coming.id,
    startsAt: toIso(coming.start_at),
    timeZone: coming.time_zone,
    patientName: patientName(coming),
  }
}

/** What erasing the viewer's account would cancel and refund; nothing for those who have no visits. */
export async function readAhead(ctx: SignedIn): Promise<Ahead> {
  const { coming, version, refunds } = await readComing(ctx)
  return {
    version,
    count: coming.length,
    visits: coming.slice(0, AHEAD_SHOWN).map(visitOf),
    deskCount: await countDeskAhead(ctx),
    refunds,
  }
}
