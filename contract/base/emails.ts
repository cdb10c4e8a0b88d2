import * as z from 'zod/mini'
import { hasHidden } from './typed-text.ts'
import { parseUrl } from './urls.ts'

const INVALID = 'Enter a valid email address.'
const QUOTED = 'Enter an email address without quotation marks.'
const NO_DOMAIN = 'Enter an email address with a domain, such as name@example.org.'

/** Dot-atom of RFC 5322 (3.2.3), at most 64 octets (RFC 5321, 4.5.3.1.1). */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LOCAL_MAX = 64

/** Labels of letters, digits and inner hyphens; the last has letters or is an A-label (RFC 5890). */
const DOMAIN =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/

/** Whether a text has look-alikes that would fold into ASCII, as the Kelvin sign does. */
function foldsIntoAscii(text: string): boolean {
  return Array.from(text).some((one) => one > '\x7f' && /[\x21-\x7e]/.test(one.normalize('NFKC')))
}

/** The domain in lower case, an internationalised one in its ASCII form; as typed where it has none. */
function asciiDomain(domain: string): string {
  // A host of a URL would also be read as an IP address.
  if (/^[\x21-\x7e]*$/.test(domain) && !/xn--/i.test(domain)) return domain.toLowerCase()
  if (hasHidden(domain) || foldsIntoAscii(domain)) return domain
  return parseUrl(`https://${domain}`)?.hostname ?? domain
}

/** The address within what was copied: `mailto:` links, "Ann <ann@example.org>", quotes, a full stop. */
function unwrapped(typed: string): string {
  const text = typed.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '')
  if (hasHidden(text)) return text
  const inBrackets = /^[^<>]*<([^<>]*)>[.,;]?$/.exec(text)?.[1] ?? text
  const inQuotes = /^["'“‘(](.*)["'”’)][.,;]?$/.exec(inBrackets)?.[1] ?? inBrackets
  const address = /^mailto:([^?]*)/i.exec(inQuotes)?.[1] ?? inQuotes
  return address.trim().replace(/[.,;:]+$/, '')
}

function foldEmail(typed: string): string {
  const address = unwrapped(typed)
  const at = address.lastIndexOf('@')
  if (at === -1) return address
  const local = address.slice(0, at)
  // JavaScript folds the Kelvin sign into an ASCII k: only ASCII is lower-cased.
  const folded = /^[\x21-\x7e]*$/.test(local) ? local.toLowerCase() : local
  return `${folded}@${asciiDomain(address.slice(at + 1))}`
}

/** What is wrong with an address that `foldEmail` has folded, or null. */
function emailProblem(address: string): string | null {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)]
  if (at < 1 || domain === '') return INVALID
  if (/^".*"$/.test(local)) return QUOTED
  if (local.length > LOCAL_MAX || !LOCAL_PART.test(local)) return INVALID
  if (/^(?:\[.*\]|[a-z0-9-]+|[0-9.]+)$/.test(domain)) return NO_DOMAIN
  // Reserved (RFC 2606): we store such addresses in place of erased ones.
  return DOMAIN.test(domain) && !domain.endsWith('.invalid') ? null : INVALID
}

/**
 * An email address by RFC 5321, without quoted names and IP addresses. Lower-cased once, here, and the domain
 * in its ASCII form, so that every path stores and compares the same bytes.
 */
export const Email = z.string({ error: 'Enter your email address.' }).check(
  z.overwrite(foldEmail),
  z.minLength(1, { error: 'Enter your email address.', abort: true }),
  z.maxLength(254, { error: INVALID, abort: true }),
  z.superRefine((address, context) => {
    const message = emailProblem(address)
    if (message !== null) context.addIssue({ code: 'custom', message })
  }),
)
