import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { cx } from '#app/lib/cx.ts'

type PageTitleProps = { title: string; description?: string }

const SITE_DESCRIPTION =
  'Find a doctor or dentist near a postcode or ZIP code, see the times they are free, book and pay.'

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
  // React moves these to the head.
  return (
    <>
      <title>{full}</title>
      <meta name="description" content={description ?? SITE_DESCRIPTION} />
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

/** A bordered surface that groups related content. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      {...rest}
      className={cx('rounded-card border border-line bg-surface p-4 sm:p-6', className)}
    />
  )
}

/** The page's width: full with gutters, at most 1200 pixels (base.css names the exception). */
export function Container({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={cx('mx-auto w-full max-w-(--page-width) px-4 sm:px-6 lg:px-8', className)}>
      {children}
    </div>
  )
}

/** The first tab stop: skips the header to the main content. */
export function SkipLink() {
  return (
    <a
      href="#main"
      onClick={(event) => {
        event.preventDefault()
        document.getElementById('main')?.focus()
      }}
      className="absolute top-2 left-2 z-50 -translate-y-24 rounded-field bg-brand px-4 py-3 font-semibold text-on-brand focus:translate-y-0"
    >
      Skip to main content
    </a>
  )
}

/** Announces its text to screen readers whenever it changes, without showing it. */
export function LiveRegion({ text }: { text: string }) {
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  )
}

/** A placeholder for content; give it the size of that content. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx('block animate-pulse rounded-field bg-line/60', className)}
    />
  )
}

type PendingShapesProps = {
  /** Classes of each shape: the height of what will be there. */
  shapes: readonly string[]
  /** Layout of the shapes; stacked if omitted. */
  className?: string
}

/** Placeholder in the shape of the content while data loads. */
export function PendingShapes({ shapes, className }: PendingShapesProps) {
  return (
    <div aria-busy="true" className={cx(className ?? 'flex flex-col gap-6')}>
      {shapes.map((shape, at) => (
        // The list never changes while it is shown.
        <Skeleton key={at} className={shape} />
      ))}
    </div>
  )
}

/** A spinning ring beside text that says what is going on; hidden from screen readers. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-[1.1em] shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  )
}
