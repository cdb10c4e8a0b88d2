import type { Region } from './region.ts'

/** A page as it is before its program runs. */
export type RenderedPage = {
  /** For the head: title and description, when the page has its own. */
  head: string
  /** For `#root`. Its scripts carry the nonce; inline styles the content security policy forbids. */
  body: string
  /** The region that was assumed because only the browser knows it; null when it changes nothing. */
  assumedRegion: Region | null
  /** Whether it was rendered for somebody who is signed in. */
  isSignedIn: boolean
}

/** What a page is rendered from on the server. */
export type RenderRequest = {
  /** Whose address says which page; its signal ends the rendering. */
  request: Request
  /** What scripts in this response have to carry. */
  nonce: string
  /** What of the browser's cookies changes the page, as `document.cookie` would have it. */
  cookies: string
  /** The installation's own words, as the page carries them in `#site-config`. */
  siteConfig: unknown
  /** Answers a query of tRPC, by dotted path, as a visitor gets it; rejects when it fails. */
  ask: (path: string, input: unknown) => Promise<unknown>
  /** Puts the page into the site's document. */
  toDocument: (page: RenderedPage) => string
}

/** Renders a whole document, or null when the page leads elsewhere or cannot be rendered whole. */
export type Render = (request: RenderRequest) => Promise<string | null>
