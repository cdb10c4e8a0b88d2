import type { Config } from './config/config.ts'
import { isLoopbackHost } from './limits/network.ts'

/**
 * Everything the product does differently in a demo. No other rule of the product looks at
 * `config.demo`; only what assembles the process (start, prepare, jobs, the texts it prints) does.
 */

/** Whether visitors choose a demo account on the entrance page and read its emails in a mailbox. */
export function hasDemoEntrance({ demo }: Pick<Config, 'demo'>): boolean {
  return demo
}

/** Whether an account needs a second factor before it may do anything: all but patients, except in a demo. */
export function mustHaveSecondFactor(
  { demo }: Pick<Config, 'demo'>,
  kind: 'patient' | 'provider' | 'staff',
): boolean {
  return kind !== 'patient' && !demo
}

/**
 * Whether `origin` is this installation: its public URL or, in a demo, the host of the request (see
 * `isAcceptedHost`).
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
 * Whether this installation accepts the host name `host`, with or without its port. Anyone can sign in to a
 * demo, so it accepts only names of this machine and the configured one. Otherwise another site whose name
 * resolves here would count as same-origin.
 */
export function isAcceptedHost(
  { demo, publicUrl }: Pick<Config, 'demo' | 'publicUrl'>,
  host: string,
): boolean {
  if (!demo || host === new URL(publicUrl).host) return true
  return isLoopbackHost(host.replace(/:\d*$/, '').toLowerCase())
}

/** The address by which the caller of `url` reaches the site. */
export function baseUrlFor(
  { demo, publicUrl }: Pick<Config, 'demo' | 'publicUrl'>,
  url: string,
): string {
  return demo ? new URL(url).origin : publicUrl
}

/** Whether a payment belongs to the demo's generated history, with no gateway behind it. */
export function isSeededPayment(
  { demo }: Pick<Config, 'demo'>,
  payment: { gw_session: string | null; gw_payment: string | null },
): boolean {
  return demo && payment.gw_session === null && payment.gw_payment === null
}

/**
 * Base address of video rooms, without a trailing slash: the configured server, or a page of the demo that
 * simulates one. Null when providers need a link of their own.
 */
export function videoServer({
  demo,
  publicUrl,
  videoBaseUrl,
}: Pick<Config, 'demo' | 'publicUrl' | 'videoBaseUrl'>): string | null {
  if (videoBaseUrl !== null) return videoBaseUrl
  return demo ? `${publicUrl}/demo/video` : null
}
