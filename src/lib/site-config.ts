import * as z from 'zod/mini'

const Company = z.object({
  name: z.string(),
  registration: z.string(),
  address: z.array(z.string()),
})

const SiteConfig = z.object({
  demo: z._default(z.boolean(), true),
  tileUrl: z._default(z.nullable(z.string()), null),
  tileAttribution: z._default(z.nullable(z.string()), null),
  supportEmail: z._default(z.string(), 'support@apposite.example'),
  // Whose it is the server knows, in a demo as well; pages served without it name nobody.
  company: z._default(Company, { name: '', registration: '', address: [] }),
})
export type SiteConfig = z.infer<typeof SiteConfig>

let read: SiteConfig | undefined

function fromPage(): SiteConfig {
  const text = document.getElementById('site-config')?.textContent ?? ''
  try {
    return SiteConfig.parse(JSON.parse(text))
  } catch {
    return SiteConfig.parse({})
  }
}

/** Takes the place of what the page says while the server draws it. */
export function takeSiteConfig(installation: unknown): void {
  read = SiteConfig.parse(installation)
}

/** What this installation says about itself, written into the page by the server. Read once. */
export function siteConfig(): SiteConfig {
  read ??= fromPage()
  return read
}
