import { useRouter } from '@tanstack/react-router'
import type { SiteConfig } from '#contract/base/server-rendering.ts'

/** What the server renders a page from, besides its data; dehydrated with the router. */
export type PageContext = {
  site: SiteConfig
  /** Names of the cookies that were there, so far as they affect pages; empty if the server rendered nothing. */
  cookies: readonly string[]
}

/** The installation that Vite serves during development, where no server renders the document. */
export const DEVELOPMENT_SITE: SiteConfig = {
  demo: true,
  tileUrl: null,
  tileAttribution: null,
  supportEmail: 'support@apposite.example',
  company: { name: '', registration: '', address: [] },
}

/** What this page may know of the installation; loaders have it in their context as well. */
export function useSiteConfig(): SiteConfig {
  return useRouter().options.context.site
}

/** Whether a cookie was there when the server rendered this page: what hydration has to assume. */
export function useRenderedCookie(name: string): boolean {
  return useRouter().options.context.cookies.includes(name)
}
