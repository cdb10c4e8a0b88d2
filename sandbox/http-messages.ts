import { html } from 'hono/html'
import { numberFormat } from '#contract/base/intl.ts'

/** A request as the two protocols see it; header names in lower case. */
export type SandboxRequest = {
  method: string
  path: string
  query: string
  headers: Record<string, string | undefined>
  body: string
}

export type SandboxResponse = {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer>
}

const JSON_TYPE = 'application/json'

/** A JSON response. */
export function jsonResponse(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): SandboxResponse {
  return {
    status,
    headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** `£50.00` from 5000 and `gbp`. */
export function moneyText(minor: number, currency: string): string {
  const format = numberFormat('en-GB', {
    style: 'currency',
    currency: currency.toUpperCase(),
  })
  return format.format(minor / 100).replace('US$', '$')
}

/** Markup; what is put into its templates is escaped. */
export type Html = ReturnType<typeof html>

type Page = {
  title: string
  /** Name of a file in `browser/`, without its extension. */
  script?: string
  /** Class of the body: which page it is. */
  kind: 'card' | 'wallet' | 'operator'
  content: Html
}

/** A whole page. It follows the site's theme, which the site's own first script sets. */
export async function htmlResponse(
  status: number,
  { title, script, kind, content }: Page,
): Promise<SandboxResponse> {
  const module =
    script !== undefined && html`<script type="module" src="/sandbox/assets/${script}.js"></script>`
  const body = await html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script src="/boot.js"></script>
<link rel="stylesheet" href="/sandbox/assets/sandbox.css">
${module}
</head>
<body class="${kind}">
<aside class="banner" aria-label="About this page"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9 3h6M10 3v6L4.6 18.4A1.8 1.8 0 0 0 6.2 21h11.6a1.8 1.8 0 0 0 1.6-2.6L14 9V3M7.5 15h9"/></svg> <p>Test payment, no real money</p></aside>
<main>
${content}
</main>
</body>
</html>
`
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: body.toString(),
  }
}
