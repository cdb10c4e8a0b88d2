import * as z from 'zod/mini'
import { AppointmentId } from './base/ids.ts'
import { IsoInstant } from './base/time.ts'
import { parseUrl } from './base/urls.ts'

/** How long before its start people may join a visit by video. */
export const JOIN_BEFORE_MS = 15 * 60_000

/** How long after its end they still may. */
export const JOIN_AFTER_MS = 30 * 60_000

const LINK_MAX = 500

/** Servers open to everybody: guessing the name of a room is enough to enter it. */
const PUBLIC_HOSTS = [
  'jit.si',
  'framatalk.org',
  'meet.ffmuc.net',
  'meet.element.io',
  'jitsi.member.fsf.org',
  'jitsi.riot.im',
  'meet.golem.de',
  'meet.systemli.org',
  'talk.snopyta.org',
]

/** Whether a link leads to a Jitsi server that is open to everybody, or to one below it. */
export function isPublicVideoServer(link: string): boolean {
  // The same host with the root's dot.
  const host = parseUrl(link)?.hostname.replace(/\.+$/, '')
  if (host === undefined) return false
  return PUBLIC_HOSTS.some((one) => host === one || host.endsWith(`.${one}`))
}

/** What is wrong with the address of a video room; null when it is acceptable. */
export function videoLinkProblem(text: string): string | null {
  if (text.length > LINK_MAX) return `Use ${LINK_MAX} characters or fewer.`
  const url = parseUrl(text)
  if (url?.protocol !== 'https:') {
    return 'Paste the full link, starting with https://.'
  }
  if (url.username !== '' || url.password !== '') {
    return 'Leave out the name and password before the @.'
  }
  if (isPublicVideoServer(text)) {
    return 'Anyone who guesses a room’s name can walk in on this server. Use one where you let people in, or one of your own.'
  }
  const isName = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(url.hostname)
  if (!isName || url.port !== '') return 'Enter a link to a public website, without a port.'
  return null
}

/** A provider's own room for visits by video. */
export const VideoLink = z.pipe(
  z.string().check(
    z.trim(),
    z.superRefine((text, context) => {
      const message = videoLinkProblem(text)
      if (message !== null) context.addIssue({ code: 'custom', message })
    }),
  ),
  z.transform((text) => new URL(text).href),
)

/** When and where a visit by video can be joined. */
export const VideoTerms = z.object({
  id: AppointmentId,
  /** It can be joined from then on, by the server's clock. */
  opensAt: IsoInstant,
  /** It can be joined until then. */
  closesAt: IsoInstant,
  /** Host of the website it takes place on; null while the provider has none. */
  host: z.nullable(z.string()),
})
export type VideoTerms = z.infer<typeof VideoTerms>

/** The address to open now. No email, calendar or log contains it. */
export const JoinResponse = z.object({ url: z.string(), host: z.string() })
export type JoinResponse = z.infer<typeof JoinResponse>
