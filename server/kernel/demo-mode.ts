import type { Config } from './config/config.ts'
import { isLoopbackHost } from './limits/network.ts'

/**
 * Everything the product does differently in a demo. No other rule of the product looks at
 * `config.demo`; only what assembles the process (start, prepare, jobs, the texts it prints) does.
 */

/** Whether people choose one of the demo's accounts at the entrance, and read its emails in a mailbox. */
export function hasDemoEntrance({ demo }: Pick<Config, 'demo'>): boolean {
  return demo
}

/** Whether an account may do nothing before it has a second factor: all but patients, except in a demo. */
export function mustHaveSecondFactor(
  { demo }: Pick<Config, 'demo'>,
  kind: 'patient' | 'provider' | 'staff',
): boolean {
  return kind !== 'patient' && !demo
}

/**
 * Whether `origin` is where this installation is opened: its public URL, or in a demo the name it is
 * called by (see `mayBeCalled`).
 */
export function isOwnOrigin(
  { demo, publicUrl }: Pick<Config, 'demo' | 'publicUrl'>,
  origin: string,
  host: string | null,
): boolean {
  if (origin === publicUrl) return true
  return demo && host !== null && URL.canParse(origin) && new URL(origin).host === host
}

/**
 * Whether this installation may be called by the name `host`, with or without its port. A demo lets
 * anybody in, so it goes by names of this machine alone and by the one in its settings: a page elsewhere
 * whose name leads here would otherwise be one of its own.
 */
export function mayBeCalled(
  { demo, publicUrl }: Pick<Config, 'demo' | 'publicUrl'>,
  host: string,
): boolean {
  if (!demo || host === new URL(publicUrl).host) return true
  return isLoopbackHost(host.replace(/:\d*$/, '').toLowerCase())
}

/** The address by which the caller of `url` reaches the site. */
export function ownAddress(
  { demo, publicUrl }: Pick<Config, 'demo' | 'publicUrl'>,
  url: string,
): string {
  return demo ? new URL(url).origin : publicUrl
}

/** Whether a payment belongs to the demo's made-up past: it was made at no gateway. */
export function isMadeUpPayment(
  { demo }: Pick<Config, 'demo'>,
  payment: { gw_session: string | null; gw_payment: string | null },
): boolean {
  return demo && payment.gw_session === null && payment.gw_payment === null
}

/**
 * Where rooms for visits by video are made, without a slash at the end: on the server in the settings,
 * or on a page of the demo that stands in for one. Null where providers need a link of their own.
 */
export function videoServer({
  demo,
  publicUrl,
  videoBaseUrl,
}: Pick<Config, 'demo' | 'publicUrl' | 'videoBaseUrl'>): string | null {
  if (videoBaseUrl !== null) return videoBaseUrl
  return demo ? `${publicUrl}/demo/video` : null
}
