import { type ReactNode, useEffect } from 'react'

type PageTitleProps = { title: string; description?: string }

/** Sets the browser tab's title ("Contact us · Apposite") and the description for search engines. */
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
  // React renders these before everything else; the server moves them to the head.
  return (
    <>
      <title>{full}</title>
      {description !== undefined && <meta name="description" content={description} />}
    </>
  )
}

/** Breadcrumb, outermost first; pass links, the current page last as plain text. */
export function Breadcrumb({ trail, current }: { trail: readonly ReactNode[]; current: string }) {
  return (
    <nav aria-label="Breadcrumb" className="no-print text-sm">
      <ol className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
        {trail.map((step, at) => (
          // A page's breadcrumb never changes order, so the position identifies an item.
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
