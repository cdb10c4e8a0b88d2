import { type ReactNode, useEffect } from 'react'

type PageTitleProps = { title: string; description?: string }

/** Names the browser tab ("Contact us · Apposite") and says what the page is for to search engines. */
export function PageTitle({ title, description }: PageTitleProps) {
  const full = title.includes('Apposite') ? title : `${title} · Apposite`
  useEffect(() => {
    document.title = full
  }, [full])
  useEffect(() => {
    if (description === undefined) return
    document.querySelector('meta[name="description"]')?.setAttribute('content', description)
  }, [description])
  if (!import.meta.env.SSR) return null
  // React puts these in front of everything else, from where the server moves them to the head.
  return (
    <>
      <title>{full}</title>
      {description !== undefined && <meta name="description" content={description} />}
    </>
  )
}

/** The way here, outermost first; pass links, the current page last as plain text. */
export function Breadcrumb({ trail, current }: { trail: readonly ReactNode[]; current: string }) {
  return (
    <nav aria-label="Breadcrumb" className="no-print text-sm">
      <ol className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
        {trail.map((step, at) => (
          // The trail of a page never changes order, so the position is the identity.
          <li key={at} className="after:ml-2 after:text-field after:content-['/']">
            {step}
          </li>
        ))}
        <li aria-current="page" className="min-w-0 truncate">
          {current}
        </li>
      </ol>
    </nav>
  )
}
