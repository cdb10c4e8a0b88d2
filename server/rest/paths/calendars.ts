import * as z from 'zod/mini'
import { CalendarFeedId, OutsideCalendarId } from '#contract/base/ids.ts'
import { IsoInstant } from '#contract/base/time.ts'
import { type CalendarFeed, CreateFeedInput } from '#contract/calendars.ts'
import {
  AddOutsideCalendarInput,
  ChangeOutsideCalendarInput,
  type OutsideCalendar,
  OutsideFailure,
} from '#contract/outside-calendars.ts'
import {
  noBody,
  noQuery,
  OK,
  okFields,
  okMessage,
  parseId,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'

const room = 'Visits'

const Link = z.object({
  id: CalendarFeedId,
  name: z.string(),
  shows_names: z.boolean(),
  created_at: IsoInstant,
  last_read_at: z.nullable(IsoInstant),
})

function linkOf(feed: CalendarFeed): z.input<typeof Link> {
  return {
    id: feed.id,
    name: feed.name,
    shows_names: feed.showsNames,
    created_at: feed.createdAt,
    last_read_at: feed.lastReadAt,
  }
}

const sample = {
  id: 'cal_…',
  name: 'Phone',
  shows_names: false,
  created_at: '2026-03-02T09:00:00.000Z',
  last_read_at: null,
}

const list = restCall({
  method: 'GET',
  path: '/calendar-links/',
  room,
  source: 'added',
  title: 'List your private calendar links',
  about:
    'URLs at which calendars read your visits, newest first. The URL itself is shown only once, on creation.',
  procedures: ['calendars.list'],
  example: { as: 'patient', answer: { status: true, links: [sample] } },
  query: noQuery,
  body: noBody,
  answer: z.object({ status: z.literal(true), links: z.array(Link) }),
  run: async ({ caller }) => ({ ...OK, links: (await caller.calendars.list({})).map(linkOf) }),
})

const create = restCall({
  method: 'POST',
  path: '/calendar-links/',
  room,
  source: 'added',
  title: 'Create a private calendar link',
  about:
    'Whoever has `url` can read your visits until the link is revoked, so treat it like a password. It is shown only once, and we email you. At most three. `shows_names` is for providers: patients’ first names. Personal access tokens can’t create one: sign in.',
  procedures: ['calendars.create'],
  refusals: ['calendar_feeds_full'],
  status: 201,
  example: {
    as: 'patient',
    body: { name: 'Phone' },
    keep: { LINK: 'id' },
    answer: { status: true, url: 'https://apposite.example/calendar/….ics', link: sample },
  },
  query: noQuery,
  body: {
    json: z.strictObject({
      name: CreateFeedInput.shape.name,
      shows_names: CreateFeedInput.shape.showsNames,
    }),
  },
  answer: z.object({ status: z.literal(true), url: z.string(), link: Link }),
  run: async ({ caller, body }) => {
    const { name, shows_names: showsNames } = body
    const { url, feed } = await caller.calendars.create({ name, showsNames })
    return { ...OK, url, link: linkOf(feed) }
  },
})

const REVOKED = 'The link is revoked.'

const revoke = restCall({
  method: 'DELETE',
  path: '/calendar-links/{id}/',
  room,
  source: 'added',
  title: 'Revoke a private calendar link',
  about: 'Its address stops working for every calendar that reads it.',
  procedures: ['calendars.revoke'],
  refusals: ['not_found'],
  words: ['message'],
  example: {
    as: 'patient',
    params: { id: '$LINK' },
    answer: { status: true, message: REVOKED },
  },
  query: noQuery,
  body: noBody,
  answer: z.object(okFields),
  run: async ({ caller, params }) => {
    await caller.calendars.revoke({ id: parseId(CalendarFeedId, params['id']) })
    return { ...okMessage(REVOKED) }
  },
})

/** Calendar links, from which calendar programs read visits. */
export const calendarLinkCalls: readonly RestCall[] = [create, list, revoke]

const Calendar = z.object({
  id: OutsideCalendarId,
  name: z.string(),
  host: z.string(),
  skips_all_day: z.boolean(),
  created_at: IsoInstant,
  read_at: z.nullable(IsoInstant),
  failing_since: z.nullable(IsoInstant),
  failure: z.nullable(OutsideFailure),
  unreadable: z.int(),
  busy: z.int(),
})

function calendarOf(calendar: OutsideCalendar): z.input<typeof Calendar> {
  const { id, name, host, skipsAllDay, createdAt, readAt, failingSince, ...rest } = calendar
  return {
    id,
    name,
    host,
    skips_all_day: skipsAllDay,
    created_at: createdAt,
    read_at: readAt,
    failing_since: failingSince,
    ...rest,
  }
}

const outsideSample = {
  id: 'ocl_…',
  name: 'Family',
  host: 'calendar.example',
  skips_all_day: false,
  created_at: '2026-03-02T09:00:00.000Z',
  read_at: null,
  failing_since: '2026-03-02T09:00:00.000Z',
  failure: 'unreachable',
  unreadable: 0,
  busy: 0,
}

const Clashing = z.object({
  id: z.string(),
  starts_at: IsoInstant,
  ends_at: IsoInstant,
  with: z.array(z.string()),
})

const listOutside = restCall({
  method: 'GET',
  path: '/outside-calendars/',
  room,
  source: 'added',
  title: 'List your external calendars',
  about:
    'Times that are busy in them are not offered. `failing_since` says since when one cannot be read; its busy times stay. `clashes` are booked visits at busy times; they stay booked.',
  procedures: ['outsideCalendars.list'],
  example: { as: 'provider', answer: { status: true, calendars: [outsideSample], clashes: [] } },
  query: noQuery,
  body: noBody,
  answer: z.object({
    status: z.literal(true),
    calendars: z.array(Calendar),
    clashes: z.array(Clashing),
  }),
  run: async ({ caller }) => {
    const { calendars, clashes } = await caller.outsideCalendars.list({})
    return {
      ...OK,
      calendars: calendars.map(calendarOf),
      clashes: clashes.map(({ id, startsAt, endsAt, with: names }) => {
        return { id, starts_at: startsAt, ends_at: endsAt, with: names }
      }),
    }
  },
})

const add = restCall({
  method: 'POST',
  path: '/outside-calendars/',
  room,
  source: 'added',
  title: 'Add an external calendar',
  about:
    'By its public ICS address, `https:` or `webcal:`, as Google, Outlook and Apple publish it. It is read at once and then every 15 minutes, only for when you are busy; the address is stored encrypted and never shown again. At most five.',
  procedures: ['outsideCalendars.add'],
  refusals: ['outside_calendars_full', 'outside_calendar_known', 'outside_calendar_refused'],
  status: 201,
  example: {
    as: 'provider',
    body: { name: 'Family', address: 'https://calendar.example/private/basic.ics' },
    keep: { CALENDAR: 'id' },
    answer: { status: true, calendar: outsideSample },
  },
  query: noQuery,
  body: {
    json: z.strictObject({
      name: AddOutsideCalendarInput.shape.name,
      address: AddOutsideCalendarInput.shape.address,
      skips_all_day: AddOutsideCalendarInput.shape.skipsAllDay,
    }),
  },
  answer: z.object({ status: z.literal(true), calendar: Calendar }),
  run: async ({ caller, body }) => {
    const { name, address, skips_all_day: skipsAllDay } = body
    const calendar = await caller.outsideCalendars.add({ name, address, skipsAllDay })
    return { ...OK, calendar: calendarOf(calendar) }
  },
})

const read = restCall({
  method: 'POST',
  path: '/outside-calendars/{id}/read/',
  room,
  source: 'added',
  title: 'Refresh an external calendar now',
  about: 'Without waiting for the next quarter of an hour; 30 times an hour at most.',
  procedures: ['outsideCalendars.readNow'],
  refusals: ['not_found'],
  example: {
    as: 'provider',
    params: { id: '$CALENDAR' },
    answer: { status: true, calendar: outsideSample },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({ status: z.literal(true), calendar: Calendar }),
  run: async ({ caller, params }) => {
    const id = parseId(OutsideCalendarId, params['id'])
    return { ...OK, calendar: calendarOf(await caller.outsideCalendars.readNow({ id })) }
  },
})

const change = restCall({
  method: 'PATCH',
  path: '/outside-calendars/{id}/',
  room,
  source: 'added',
  title: 'Change an external calendar',
  about:
    'Its name, and whether all-day events count. Leave out `address` to keep it; a new one is read at once, and the busy times stay until it can be read.',
  procedures: ['outsideCalendars.change'],
  refusals: ['not_found', 'outside_calendar_known', 'outside_calendar_refused'],
  example: {
    as: 'provider',
    params: { id: '$CALENDAR' },
    body: { name: 'Home', skips_all_day: false },
    answer: { status: true, calendar: { ...outsideSample, name: 'Home' } },
  },
  query: noQuery,
  body: {
    json: z.strictObject({
      name: ChangeOutsideCalendarInput.shape.name,
      address: ChangeOutsideCalendarInput.shape.address,
      skips_all_day: ChangeOutsideCalendarInput.shape.skipsAllDay,
    }),
  },
  answer: z.object({ status: z.literal(true), calendar: Calendar }),
  run: async ({ caller, params, body: { skips_all_day: skipsAllDay, ...fields } }) => {
    const id = parseId(OutsideCalendarId, params['id'])
    const calendar = await caller.outsideCalendars.change({ ...fields, id, skipsAllDay })
    return { ...OK, calendar: calendarOf(calendar) }
  },
})

const REMOVED = 'The calendar is removed.'

const remove = restCall({
  method: 'DELETE',
  path: '/outside-calendars/{id}/',
  room,
  source: 'added',
  title: 'Remove an external calendar',
  about: 'Times that were busy in it can be booked again at once.',
  procedures: ['outsideCalendars.remove'],
  refusals: ['not_found'],
  words: ['message'],
  example: {
    as: 'provider',
    params: { id: '$CALENDAR' },
    answer: { status: true, message: REMOVED },
  },
  query: noQuery,
  body: noBody,
  answer: z.object(okFields),
  run: async ({ caller, params }) => {
    await caller.outsideCalendars.remove({ id: parseId(OutsideCalendarId, params['id']) })
    return { ...okMessage(REMOVED) }
  },
})

/** A provider's external calendars. */
export const outsideCalendarCalls: readonly RestCall[] = [add, listOutside, read, change, remove]
