import { HeadContent, Scripts, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { programFiles } from '#app/lib/program-files.ts'
import { Logo } from '#app/parts/site-frame.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { DEFAULT_REGION, Region } from '#contract/base/region.ts'

/** The HTML document around every page. What only the server renders in it is not React's in the browser. */
export function Document({ children }: { children: ReactNode }) {
  return (
    // `public/boot.js` and translators change its attributes.
    <html lang="en-GB" suppressHydrationWarning>
      <head>
        {/* The router would take the second for a correction of the first. */}
        <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0f1614" media="(prefers-color-scheme: dark)" />
        <HeadContent />
        {import.meta.env.SSR && <Program />}
      </head>
      <body>
        <noscript>
          Apposite needs JavaScript. Turn it on in your browser and load this page again.
        </noscript>
        {import.meta.env.SSR ? (
          <RenderedRoot>{children}</RenderedRoot>
        ) : (
          <div id="root" suppressHydrationWarning>
            {children}
          </div>
        )}
        <Scripts />
      </body>
    </html>
  )
}

/** What the server knows of the page it is rendering: its routes, and whether it renders more than the document. */
function useRendered() {
  const router = useRouter()
  const { matches } = router.state
  return { router, matches, isWhole: matches[0]?.ssr === true }
}

/**
 * Styles and scripts. Those of a whole page are left to `public/boot.js`, which fetches them after the first paint: on a
 * slow network they would compete with the styles.
 */
function Program() {
  const { router, matches, isWhole } = useRendered()
  const build = router.options.context.build ?? {}
  const { scripts, styles } = programFiles(
    build,
    matches.map(({ routeId }) => routeId),
  )
  const [entry, ...others] = scripts
  return (
    <>
      <script src="/boot.js" data-program={isWhole ? scripts.join(' ') : undefined} />
      {styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      {!isWhole && others.map((href) => <link key={href} rel="modulepreload" href={href} />)}
      {!isWhole && <script type="module" src={entry} />}
    </>
  )
}

/** `data-rendered` until the page is hydrated; `data-assumed-region` where what is shown depends on the visitor's. */
function RenderedRoot({ children }: { children: ReactNode }) {
  const { matches, isWhole } = useRendered()
  const isAssumed = matches.some(
    ({ staticData, search }) =>
      staticData.hasSearch === true &&
      !('selectedRegion' in search && Region.safeParse(search.selectedRegion).success),
  )
  return (
    <div
      id="root"
      data-rendered={isWhole ? '' : undefined}
      data-assumed-region={isWhole && isAssumed ? DEFAULT_REGION : undefined}
    >
      {children}
    </div>
  )
}

/** What the header will look like, until the site is there. */
export function SitePending() {
  return (
    <>
      <PageTitle title="Apposite: find a doctor or dentist near you" />
      <div className="border-b border-line bg-paper" aria-hidden="true">
        <div className="mx-auto flex min-h-16 w-full max-w-page items-center px-4 sm:px-6 lg:px-8">
          <Logo />
        </div>
      </div>
    </>
  )
}
