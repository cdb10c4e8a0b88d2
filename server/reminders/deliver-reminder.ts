import type { Visit } from '#contract/booking.ts'
import { dateFormat } from '#contract/intl.ts'
import { regionFacts } from '#contract/region.ts'
import { clinicTime, visitButton } from '#server/booking/templates.ts'
import { readVisitIn } from '#server/booking/visits/read-visit.ts'
import { visitMac, visitUrl } from '#server/booking/visits/visit-link.ts'
import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { Block, EmailContent } from '#server/messages/templates.ts'
import { isUseful } from './rules.ts'
import { type BatchRow, listBatch } from './store.ts'
import { unsubscribeToken, unsubscribeUrl } from './unsubscribe.ts'

/**
 * Whether a reminder is still valid: the visit, account or settings may have changed since it was enqueued.
 */
function isStillValid(row: BatchRow, now: number): boolean {
  if (row.erased_at !== null || row.state !== 'confirmed') return false
  if (row.start_at !== row.told_start || row.start_at <= now) return false
  if ((row[row.kind] ?? 1) === 0) return false
  return isUseful({ kind: row.kind, startAt: row.start_at, dueAt: row.due_at }, now)
}

/**
 * Emails a patient about the visits of one day, as far as they still take place and reminders are still
 * wanted; sends nothing when none is left.
 */
export async function deliverReminder(
  services: Services,
  job: { batch: string; deliveryId: string },
): Promise<void> {
  const { config, database, now } = services
  const rows = (await listBatch(database.db, job.batch)).filter((row) => isStillValid(row, now()))
  const [first] = rows
  if (first === undefined) return
  const linkOf = (row: BatchRow) => {
    return { visitId: row.booking_id, userId: row.user_id, email: row.email }
  }
  const found = await Promise.all(
    rows.map(async (row) => {
      const visit = await readVisitIn(database.db, row.booking_id, now())
      return visit === null ? null : { ...visit, url: visitUrl(services, linkOf(row)) }
    }),
  )
  const visits = found.filter((visit): visit is LinkedVisit => visit !== null)
  const macs = rows.map((row) => visitMac(services, linkOf(row)))
  const owner = { id: first.user_id, email: first.email }
  await sendEmail(services, {
    deliveryId: job.deliveryId,
    to: first.email,
    userId: first.user_id,
    secrets: [unsubscribeToken(services, owner), ...macs],
    unsubscribe: unsubscribeUrl(services, owner),
    content: reminderEmail(visits, {
      firstName: first.first_name,
      isDiscreet: first.discreet === 1,
      unsubscribe: unsubscribeUrl(services, owner),
      site: config.publicUrl,
      supportEmail: config.supportEmail,
    }),
  })
}

/** A visit, and the URL that shows it without signing in. */
type LinkedVisit = Visit & { url: string }

type ReminderFacts = {
  firstName: string
  /** Keeps the provider's name out of the subject. */
  isDiscreet: boolean
  /** URL that turns reminders off. */
  unsubscribe: string
  site: string
  supportEmail: string
}

function instantOf({ startsAt }: Visit): number {
  return Temporal.Instant.from(startsAt).epochMilliseconds
}

/** "Tuesday 3 March" in the clinic's time zone. */
function dayText(visit: Visit): string {
  const { timeZone, region } = visit
  const day = dateFormat(regionFacts[region].locale, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  }).format(instantOf(visit))
  return region === 'uk' ? day.replace(',', '') : day
}

function factsOf(visit: Visit): Block {
  const { provider, place, region, timeZone, mode } = visit
  const where =
    mode === 'video'
      ? 'Video visit: join it from your visits, from 15 minutes before'
      : [place.name, place.address, place.postcode].filter(Boolean).join(', ')
  return {
    kind: 'facts',
    rows: [
      ['When', clinicTime(instantOf(visit), { region, time_zone: timeZone })],
      ['Who', provider.name],
      ['Where', where],
      ...(provider.phone === null ? [] : [['Phone', provider.phone] satisfies [string, string]]),
      ['Reference', visit.reference],
    ],
  }
}

/** Reminder of the visits of one day, at least one; leaves out their purpose. */
function reminderEmail(visits: readonly LinkedVisit[], facts: ReminderFacts): EmailContent {
  const { firstName, isDiscreet, unsubscribe, site, supportEmail } = facts
  const [first] = visits
  if (first === undefined) throw new Error('A reminder is of one visit at least.')
  const day = dayText(first)
  const isOne = visits.length === 1
  const what = isOne ? 'your visit' : `your ${visits.length} visits`
  const heading = isOne
    ? `Reminder: your visit to ${first.provider.name} on ${day}`
    : `Reminder: ${what} on ${day}`
  return {
    heading,
    ...(isDiscreet && { subject: `Reminder: ${what} on ${day}` }),
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nThis is a reminder of ${what} on ${day}. Times are in local time at the practice.`,
      },
      ...visits.flatMap((visit) => [
        factsOf(visit),
        visitButton(visit.url, isOne ? '' : ` (${visit.reference})`),
      ]),
      {
        kind: 'small',
        text: `You don’t need to sign in for that, so don’t pass this email on. If something isn’t right, write to ${supportEmail}.`,
      },
      {
        kind: 'small',
        text: `Choose which reminders you get in your account: ${site}/userProfile?section=reminders\nTurn them off without signing in: ${unsubscribe}`,
      },
    ],
  }
}
