/** What every page may know of this installation; nothing of it is secret. */
export type SiteConfig = {
  demo: boolean
  tileUrl: string | null
  tileAttribution: string | null
  supportEmail: string
  /** The operator of the site. */
  company: { name: string; registration: string; address: readonly string[] }
}

/** Vite's manifest of a build: files by source path or, for files that several sources share, by chunk name. */
export type BuildManifest = Readonly<
  Record<
    string,
    { file: string; imports?: readonly string[] | undefined; css?: readonly string[] | undefined }
  >
>

/** What the server renders a page from. */
export type RenderRequest = {
  /** Its URL selects the page; its signal aborts rendering. */
  request: Request
  /** Nonce for the scripts in this response. */
  nonce: string
  /** Renders only the document and the site's mark; the browser does the rest. */
  isBare: boolean
  site: SiteConfig
  /** Names of the cookies that are there and affect the page. */
  cookies: readonly string[]
  /** Answers a tRPC query by dotted path, as for a visitor; rejects when it fails. */
  query: (path: string, input: unknown) => Promise<unknown>
  build: BuildManifest
}

/** A whole document. Its scripts carry the nonce; the content security policy forbids inline styles. */
export type RenderedPage = { html: string; status: 200 | 404 }

/** Renders a page's document, or null when the page redirects or cannot be rendered whole. */
export type Render = (request: RenderRequest) => Promise<RenderedPage | null>
