import * as z from 'zod/mini'

/**
 * Endings of web addresses: all countries', as every pair of letters may be one, and the common others. Programs
 * make links of what ends in them.
 */
const ENDING =
  '(?:[a-z]{2}|com|net|org|info|biz|edu|gov|mil|int|pro|name|mobi|asia|tel|coop|museum|jobs|travel|xxx|arpa|onion|' +
  'xyz|top|site|online|shop|store|app|dev|page|link|click|live|life|world|today|news|blog|cloud|website|web|space|' +
  'club|vip|win|icu|fun|work|works|group|team|health|healthcare|care|clinic|doctor|dental|dentist|hospital|surgery|' +
  'help|support|services|email|mail|chat|zone|center|centre|agency|digital|media|network|systems|solutions|tech|' +
  'bet|casino|poker|loan|loans|money|cash|finance|bank|sex|porn|adult|dating|cam|stream|download|review|host|press|' +
  'london|wales|scot|cymru|nyc|рф|рус|бел|укр|срб|中国|中國|香港|台灣|公司|网络|网址|在线|コム|한국|भारत|ไทย|مصر|السعودية|' +
  'xn--[a-z0-9-]+)'

/** "Dr.Li" and "St.Mary" are people and places, although two letters follow. */
const ABBREVIATION = /^(?:dr|mr|mrs|ms|mx|st|ste|prof|rev|sr|jr|fr|mt|ft|no|apt|rd|ave|nr)$/i

const SCHEME =
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/|\b(?:mailto|tel|sms|javascript|data|hxxps?):(?=\S)|\bwww\d?\.(?=\S)/i
const ADDRESS = new RegExp(`([\\p{L}\\p{N}-]+)\\.(${ENDING})(?![\\p{L}\\p{N}-])`, 'giu')
const NUMBERS =
  /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])/
const SPOKEN =
  /[\p{L}\p{N}]\s*[([{<]?\s*\bdot\b\s*[)\]}>]?\s*(?:com|net|org|info|biz|io|co|uk|us|me|ru|cn)\b/iu

/** Full stops of other scripts and forms, which browsers read as one, and dots put in brackets to hide them. */
function plainDots(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\u3002\uff0e\uff61\u2024\ufe52]/g, '.')
    .replaceAll(/\s*[([{<]\s*\.\s*[)\]}>]\s*/g, '.')
}

/**
 * Whether a text holds something that a mail program may turn into a link: a scheme, `www.`, an email or web
 * address, an IP address; or an address that is spelled out to get past that, such as "evil dot com". A space
 * after a full stop makes it none.
 */
export function hasLink(text: string): boolean {
  const plain = plainDots(text)
  if (SCHEME.test(plain) || SPOKEN.test(plain) || NUMBERS.test(plain)) return true
  if (/[^\s@]@[^\s@]+\.[^\s@]/.test(plain)) return true
  return [...plain.matchAll(ADDRESS)].some(([whole, label = '', ending = ''], _at, _all) => {
    if (ABBREVIATION.test(label)) return isFollowedByPath(plain, whole)
    // Initials and degrees: "J.Al", "B.Sc".
    if (label.length === 1 && ending.length === 2) return isFollowedByPath(plain, whole)
    return true
  })
}

function isFollowedByPath(text: string, address: string): boolean {
  return /^[/:?#]/.test(text.slice(text.indexOf(address) + address.length))
}

/** Takes the link out of a text for an email: with a space after the dot, no program makes one. */
export function withoutLinks(text: string): string {
  if (!hasLink(text)) return text
  return plainDots(text)
    .replaceAll(/:(?=\S)/g, ': ')
    .replaceAll('@', ' at ')
    .replaceAll(/\.(?=[\p{L}\p{M}\p{N}])/gu, '. ')
}

/** What is said about a name or place with a link. */
export const LINK_RULE = 'Leave out web and email addresses. Put a space after a full stop.'

/** Refuses names and places that hold a link: they are in emails to people who did not ask for them. */
export const noLink = z.refine<string>((text) => !hasLink(text), { error: LINK_RULE })
