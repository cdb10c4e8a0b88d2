/** What React writes in front of the page: titles, descriptions, hints at pictures. */
const FRONT = /^(?:<title>[^<]*<\/title>|<(?:meta|link) [^>]*>)+/

/** The pictures stand in the page itself, where the browser finds them as early. */
const HINT = /<link [^>]*>/g

const CONTROL = /<(?=(?:button|input|select|textarea)[ >])(\w+)/g

/** React escapes quotes in text: this is an attribute wherever it stands. */
const STYLE = / style="[^"]*"/g

/**
 * What React rendered as it may be served: without inline styles, which the content security policy
 * forbids; and with controls that take neither press nor text, because the program that would heed
 * them is not there yet. Links work from the start.
 */
export function servable(html: string): { head: string; body: string } {
  const front = FRONT.exec(html)?.[0] ?? ''
  return {
    head: front.replaceAll(HINT, ''),
    body: html.slice(front.length).replaceAll(STYLE, '').replaceAll(CONTROL, '<$1 inert'),
  }
}
