import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'

type BadgeTone = 'plain' | 'brand' | 'solid' | 'accent' | 'ok'

const tones: Record<BadgeTone, string> = {
  plain: 'border-line text-muted',
  brand: 'border-transparent bg-tint text-brand-deep',
  /** Stands out on grounds that are tinted themselves. */
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
