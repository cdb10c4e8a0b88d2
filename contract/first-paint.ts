import * as z from 'zod/mini'
import type { Region } from './region.ts'

/** What a page is drawn from on the server. */
export type PaintRequest = {
  /** Path and search of the page. */
  href: string
  /** What of the browser's cookies changes the page, as `document.cookie` would have it. */
  cookies: string
  /** The installation's own words, as the page carries them in `#site-config`. */
  siteConfig: unknown
  /** Answers a query of tRPC, by dotted path, as a visitor gets it; rejects when it fails. */
  ask: (path: string, input: unknown) => Promise<unknown>
}

/**
 * The answers a page was drawn from, so that its program need not ask again: when they were given
 * (epoch ms), and keys of the query cache, each with its answer.
 */
export const FirstAnswers = z.object({
  at: z.number(),
  answers: z.array(z.tuple([z.array(z.unknown()), z.unknown()])),
})
export type FirstAnswers = z.infer<typeof FirstAnswers>

/** A page as it looks before its program runs. */
export type Painted = {
  /** For the head: title and description, when the page has its own. */
  head: string
  /** For `#root`. No inline styles, no scripts: the content security policy allows neither. */
  body: string
  /** The region that was assumed because only the browser knows it; null when it changes nothing. */
  assumedRegion: Region | null
  firstAnswers: FirstAnswers
}

/** Draws a page, or null when it cannot be drawn whole. */
export type Paint = (request: PaintRequest) => Promise<Painted | null>
