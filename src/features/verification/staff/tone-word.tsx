import { CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import type { Tone } from './staff-words.ts'

const tones = {
  ok: { icon: CircleCheck, color: 'text-ok' },
  warn: { icon: TriangleAlert, color: 'text-warn' },
  danger: { icon: CircleAlert, color: 'text-danger' },
  muted: { icon: CircleDashed, color: 'text-muted' },
} satisfies Record<Tone, unknown>

/** A few words with the sign of how good that is. */
export function ToneWord({ tone, children }: { tone: Tone; children: ReactNode }) {
  const { icon: Icon, color } = tones[tone]
  return (
    <span className={cx('inline-flex items-start gap-1.5 text-sm', color)}>
      <Icon aria-hidden="true" strokeWidth={2} className="mt-0.75 size-4 shrink-0" />
      {children}
    </span>
  )
}
