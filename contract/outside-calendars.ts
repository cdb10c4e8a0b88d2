import * as z from 'zod/mini'
import { VisitOutside } from './availability.ts'
import { OutsideCalendarId } from './base/ids.ts'
import { IsoInstant } from './base/time.ts'

/** Most outside calendars a provider can have at a time. */
export const MAX_OUTSIDE_CALENDARS = 5

/** How often each is fetched, in minutes. */
export const OUTSIDE_POLL_MINUTES = 15

/** Hours of failing after which a calendar is no longer read, and its owner is emailed. */
export const OUTSIDE_PAUSE_HOURS = 24

/** Longest address, in characters. */
const ADDRESS_MAX = 2_000

/** Why a calendar could not be read. */
export const OutsideFailure = z.enum([
  'address',
  'own',
  'unreachable',
  'slow',
  'gone',
  'refused',
  'too_large',
  'redirects',
  'no_calendar',
  'too_complex',
])
export type OutsideFailure = z.infer<typeof OutsideFailure>

/** What went wrong, for the owner of the calendar. */
export const outsideFailureMessages = {
  address: 'This address can’t be read. Use a public one that begins with https:// or webcal://.',
  own: 'This is one of our own calendar links: its visits are already in your calendar.',
  unreachable: 'The calendar’s server could not be reached.',
  slow: 'The calendar’s server took too long to answer.',
  gone: 'There’s no longer a calendar at this address.',
  refused: 'The calendar’s server refused to show it. Check that the calendar is still shared.',
  too_large: 'The calendar is larger than 5 MB.',
  redirects: 'The address redirects too many times.',
  no_calendar: 'What we found at this address isn’t a calendar.',
  too_complex: 'The calendar has more in it than we can read.',
} as const satisfies Record<OutsideFailure, string>

/** Permanent failures: an address that fails with one of these is refused when it is added. */
export const permanentFailures: ReadonlySet<OutsideFailure> = new Set<OutsideFailure>([
  'address',
  'own',
  'gone',
  'too_large',
  'redirects',
  'no_calendar',
  'too_complex',
])

const NAME_MISSING = 'Give the calendar a name.'

const Name = z.string({ error: NAME_MISSING }).check(
  z.trim(),
  z.minLength(1, { error: NAME_MISSING, abort: true }),
  z.maxLength(60, { error: 'Use 60 characters or fewer.' }),
  z.regex(/^[^\p{Cc}\p{Cf}\p{Co}\p{DI}\p{Zl}\p{Zp}]*$/u, {
    error: 'Use only letters, numbers and punctuation.',
  }),
)

const ADDRESS_MISSING = 'Paste the address of the calendar.'

/** `https:` or `webcal:`; whoever has it can read the calendar, so it is never shown again. */
const Address = z
  .string({ error: ADDRESS_MISSING })
  .check(
    z.trim(),
    z.minLength(1, { error: ADDRESS_MISSING, abort: true }),
    z.maxLength(ADDRESS_MAX, { error: 'This address is too long.' }),
    z.regex(/^(?:https?|webcals?):\/\/[^\s]+$/i, { error: outsideFailureMessages.address }),
  )

export const AddOutsideCalendarInput = z.strictObject({
  name: Name,
  address: Address,
  /** Ignores all-day entries. */
  skipsAllDay: z._default(z.boolean(), false),
})
export type AddOutsideCalendarInput = z.infer<typeof AddOutsideCalendarInput>

export const ChangeOutsideCalendarInput = z.strictObject({
  id: OutsideCalendarId,
  name: Name,
  skipsAllDay: z.boolean(),
  /** The stored address stays when left out: it is never shown, so nobody could send it back. */
  address: z.optional(Address),
})
export type ChangeOutsideCalendarInput = z.infer<typeof ChangeOutsideCalendarInput>

export const OutsideCalendarRef = z.strictObject({ id: OutsideCalendarId })
export type OutsideCalendarRef = z.infer<typeof OutsideCalendarRef>

/** A time that could not be read with certainty, without what it is about. */
export const OutsideDoubt = z.object({
  /** Null where it is unknown. */
  startsAt: z.nullable(IsoInstant),
  endsAt: z.nullable(IsoInstant),
  reason: z.enum(['zone', 'zone_differs', 'rule', 'date', 'entry']),
})
export type OutsideDoubt = z.infer<typeof OutsideDoubt>

/** An external calendar as its owner sees it; only the host of its address is shown. */
export const OutsideCalendar = z.object({
  id: OutsideCalendarId,
  name: z.string(),
  host: z.string(),
  skipsAllDay: z.boolean(),
  createdAt: IsoInstant,
  /** When it was last read successfully; null before the first time. */
  readAt: z.nullable(IsoInstant),
  /** Null while it can be read. Busy times known before then stay. */
  failingSince: z.nullable(IsoInstant),
  failure: z.nullable(OutsideFailure),
  /** Since when it is no longer read, after failing for a day; reading it now resumes. */
  pausedAt: z.nullable(IsoInstant),
  /** Number of entries of the last read that could not be read with certainty. */
  unreadable: z.int(),
  /** The first of them. */
  doubts: z.array(OutsideDoubt),
  /** Upcoming busy periods, as far ahead as visits can be booked. */
  busy: z.int(),
})
export type OutsideCalendar = z.infer<typeof OutsideCalendar>

/** A booked visit at a time when the provider is busy elsewhere. It stays booked. */
export const Clash = z.object({
  ...VisitOutside.shape,
  /** Names of the calendars, or of the imports. */
  with: z.array(z.string()),
})
export type Clash = z.infer<typeof Clash>

export const OutsideCalendars = z.object({
  calendars: z.array(OutsideCalendar),
  /** Earliest first. */
  clashes: z.array(Clash),
})
export type OutsideCalendars = z.infer<typeof OutsideCalendars>
