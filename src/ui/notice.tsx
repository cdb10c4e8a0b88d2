import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'

type NoticeKind = 'info' | 'ok' | 'warn' | 'danger'

const kinds = {
  info: { icon: Info, color: 'text-info border-info' },
  ok: { icon: CircleCheck, color: 'text-ok border-ok' },
  warn: { icon: TriangleAlert, color: 'text-warn border-warn' },
  danger: { icon: CircleAlert, color: 'text-danger border-danger' },
} satisfies Record<NoticeKind, unknown>

type NoticeProps = {
  kind?: NoticeKind
  title?: string
  children?: ReactNode
  /** Announced when it appears: `alert` at once, `status` when the screen reader is idle. */
  role?: 'alert' | 'status'
  className?: string
}

/** A short message with an icon and a coloured edge; never colour alone. */
export function Notice({ kind = 'info', title, children, role, className }: NoticeProps) {
  const { icon: Icon, color } = kinds[kind]
  return (
    <div
      role={role}
      className={cx('flex gap-3 rounded-field border bg-surface p-4', color, className)}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0 text-ink">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  )
}
