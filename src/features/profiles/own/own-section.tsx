import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormInPlace } from '#app/lib/browser-hooks.ts'
import { useInvalidateMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import type { OwnProfile } from '#contract/profiles-own.ts'

type OwnSectionProps = {
  id: string
  title: string
  lead?: ReactNode
  /** The current values. */
  children: ReactNode
  /** The form that changes them; `close` hides it again. If omitted, there is nothing to edit. */
  renderForm?: (close: () => void) => ReactNode
}

/** A section of the profile, edited in place. Focus moves into the form, and back to the pencil. */
export function OwnSection({ id, title, lead, children, renderForm }: OwnSectionProps) {
  const { box, opener, isOpen, open, close } = useFormInPlace<HTMLElement>()
  return (
    <section
      ref={box}
      id={id}
      aria-labelledby={`${id}-title`}
      className="scroll-mt-4 rounded-card border border-line bg-surface p-4 sm:p-6"
    >
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h2 id={`${id}-title`} className="text-xl font-semibold">
            {title}
          </h2>
          {lead && <p className="mt-1 max-w-prose text-muted">{lead}</p>}
        </div>
        {renderForm && !isOpen && (
          <Button
            ref={opener}
            variant="quiet"
            aria-label={`Edit ${title.toLowerCase()}`}
            onClick={open}
            className="-mt-1.5 -mr-2 shrink-0"
          >
            <Pencil aria-hidden="true" className="size-4.5" />
            Edit
          </Button>
        )}
      </div>
      <div className="mt-4 min-w-0">{renderForm && isOpen ? renderForm(close) : children}</div>
    </section>
  )
}

/** Facts under their names, in two columns from tablet width. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid gap-x-8 gap-y-1 sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-y-3">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted max-sm:text-sm">{name}</dt>
          <dd className="wrap-anywhere max-sm:mb-2">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Shows the updated profile from a response, here and wherever else the profile appears. */
export function useUpdateOwnProfile(): (profile: OwnProfile) => Promise<void> {
  const utils = trpc.useUtils()
  const invalidateMe = useInvalidateMe()
  return async (profile) => {
    utils.profiles.own.setData(undefined, profile)
    await Promise.all([
      invalidateMe(),
      utils.search.preview.invalidate(),
      // Hours belong to places and have the length of a visit.
      utils.availability.invalidate(),
      utils.booking.today.invalidate(),
      utils.booking.week.invalidate(),
      // Compares the name and number with the register.
      utils.verification.mine.invalidate(),
    ])
  }
}

/** Parses a whole number as typed; NaN if it is none. */
export function parseWhole(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN
}
