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
  // The server always knows the company, in a demo as well; pages served without it name none.
  company: z._default(Company, { name: '', registration: '', address: [] }),
})
export type SiteConfig = z.infer<typeof SiteConfig>

let config: SiteConfig | undefined

function readFromPage(): SiteConfig {
  const text = document.getElementById('site-config')?.textContent ?? ''
  try {
    return SiteConfig.parse(JSON.parse(text))
  } catch {
    return SiteConfig.parse({})
  }
}

/** Sets the configuration during server rendering, in place of the one embedded in the page. */
export function setSiteConfig(installation: unknown): void {
  config = SiteConfig.parse(installation)
}

/** Configuration of this installation, embedded in the page by the server. Read once. */
export function siteConfig(): SiteConfig {
  config ??= readFromPage()
  return config
}
