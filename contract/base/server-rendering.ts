import type { Region } from './region.ts'

/** A page as rendered on the server. */
export type RenderedPage = {
  /** For `<head>`: title and description, when the page has its own. */
  head: string
  /** For `#root`. Its scripts carry the nonce; the content security policy forbids inline styles. */
  body: string
  /** The region that was assumed because only the browser knows it; null when it changes nothing. */
  assumedRegion: Region | null
  /** Whether it was rendered for somebody who is signed in. */
  isSignedIn: boolean
}

/** What the server renders a page from. */
export type RenderRequest = {
  /** Its URL selects the page; its signal aborts rendering. */
  request: Request
  /** Nonce for the scripts in this response. */
  nonce: string
  /** The browser's cookies that affect the page, in the form of `document.cookie`. */
  cookies: string
  /** The installation's own words, as the page carries them in `#site-config`. */
  siteConfig: unknown
  /** Answers a tRPC query by dotted path, as for a visitor; rejects when it fails. */
  query: (path: string, input: unknown) => Promise<unknown>
  /** Puts the page into the site's document. */
  toDocument: (page: RenderedPage) => string
}

/** Renders a whole document, or null when the page redirects or cannot be rendered whole. */
export type Render = (request: RenderRequest) => Promise<string | null>
