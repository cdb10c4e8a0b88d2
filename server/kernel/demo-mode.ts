import type { Config } from './config/config.ts'

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
 * Whether `origin` is where this installation is opened. A demo answers by any name it is called by
 * (localhost, 127.0.0.1, the machine's name), a real one by its public URL alone.
 */
export function isOwnOrigin(
  { demo, publicUrl }: Pick<Config, 'demo' | 'publicUrl'>,
  origin: string,
  host: string | null,
): boolean {
  if (origin === publicUrl) return true
  return demo && host !== null && URL.canParse(origin) && new URL(origin).host === host
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
