import * as z from 'zod/mini'
import { type CalendarFeed, CreateFeedInput } from '#contract/calendars.ts'
import { CalendarFeedId } from '#contract/ids.ts'
import { IsoInstant } from '#contract/time.ts'
import { noBody, noQuery, type RestCall, restCall } from './call.ts'
import { OK, okFields, okMessage, parseId } from './fields.ts'

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
    'Addresses where calendars read your visits, newest first. An address itself is shown only once, when it is created.',
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
    'Whoever has `url` can read your visits until the link is revoked, so keep it like a password; it is shown only this once, and we email you. At most three. `shows_names` is for providers: patients’ first names. Personal access tokens can’t create one: sign in.',
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
