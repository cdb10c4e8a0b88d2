import { cx } from '#app/lib/cx.ts'
import { textLinkClass } from '#app/ui/button.tsx'
import type { PartState } from './provider-parts.ts'

type FormProgressProps = {
  parts: readonly PartState[]
  /** Ids of fields are `<id>-<path>`. */
  id: string
}

/** How much of a long form is filled in, in view all along, and the way to what is not. */
export function FormProgress({ parts, id }: FormProgressProps) {
  const done = parts.filter(({ firstOpen }) => firstOpen === null).length
  const next = parts.find(({ firstOpen }) => firstOpen !== null)
  const nextField = `${id}-${next?.firstOpen ?? ''}`
  return (
    <nav
      aria-label="Parts of this form"
      className="sticky top-0 z-10 -mx-4 flex flex-col gap-1.5 border-b border-line bg-paper px-4 pt-3 pb-1 sm:-mx-8 sm:bg-surface sm:px-8"
    >
      <ol aria-hidden="true" className="grid grid-cols-5 gap-2">
        {parts.map(({ title, firstOpen }) => (
          <li
            key={title}
            className={cx('h-1 rounded-full', firstOpen === null ? 'bg-brand' : 'bg-line')}
          />
        ))}
      </ol>
      <p className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 text-sm pointer-coarse:min-h-11">
        <span className="tabular text-muted">
          {done} of {parts.length} parts filled in
        </span>
        {next && (
          <a
            href={`#${nextField}`}
            className={cx(
              textLinkClass,
              'inline-flex min-h-6 items-center pointer-coarse:min-h-11',
            )}
            onClick={(event) => {
              event.preventDefault()
              document.getElementById(nextField)?.focus()
            }}
          >
            Next: {next.title}
          </a>
        )}
      </p>
    </nav>
  )
}
