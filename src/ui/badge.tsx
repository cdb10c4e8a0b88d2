import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'

type BadgeTone = 'plain' | 'brand' | 'solid' | 'accent' | 'ok'

const tones: Record<BadgeTone, string> = {
  plain: 'border-line text-muted',
  brand: 'border-transparent bg-tint text-brand-deep',
  /** For tinted backgrounds. */
  solid: 'border-transparent bg-brand text-on-brand',
  accent: 'border-transparent bg-accent-tint text-accent',
  ok: 'border-transparent bg-tint text-ok',
}

/** A short fact in a pill: "Verified", "Video". Not a control. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 rounded-full border px-2.5 py-0.5 text-sm font-medium',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}

type RemovableChipProps = { children: ReactNode; removeLabel: string; onRemove: () => void }

/** An applied choice that one press takes away, such as a filter. */
export function RemovableChip({ children, removeLabel, onRemove }: RemovableChipProps) {
  return (
    <button
      type="button"
      aria-label={removeLabel}
      onClick={onRemove}
      className="inline-flex min-h-9 items-center gap-1.5 rounded-full border border-brand bg-tint px-3 text-sm font-medium text-brand-deep transition-colors duration-150 hover:bg-surface pointer-coarse:min-h-11"
    >
      {children}
      <X aria-hidden="true" className="size-4" />
    </button>
  )
}
