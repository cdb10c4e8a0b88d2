import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useEffectEvent, useLayoutEffect } from 'react'
import { cx } from '#app/lib/cx.ts'
import { describeFailure, isFinalRefusal } from '#app/lib/errors.ts'
import { Button } from './button.tsx'

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

/** Retries once the network is back. */
export function useRetryOnline(onRetry: () => void): void {
  const retry = useEffectEvent(onRetry)
  // With the message, not after it is painted: the network may be back by then.
  useLayoutEffect(() => {
    const again = () => retry()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [])
}

type LoadNoticeProps = { title: string; error: unknown; onRetry: () => void }

/**
 * Why data didn’t load, inside a part of a page that is of use without it, and "Try again" where that can bring it.
 */
export function LoadNotice({ title, error, onRetry }: LoadNoticeProps) {
  const { sentence, reference } = describeFailure(error)
  useRetryOnline(onRetry)
  return (
    <Notice kind="danger" role="alert" title={title}>
      <p>{sentence}</p>
      {reference && (
        <p className="text-sm text-muted">
          Reference: <span className="tabular select-all">{reference}</span>
        </p>
      )}
      {!isFinalRefusal(error) && (
        <Button variant="secondary" className="mt-3" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Notice>
  )
}

type EmptyStateProps = {
  title: string
  children?: ReactNode
  actions?: ReactNode
  /** Heading level: one below the heading of the empty section. */
  level?: 2 | 3
}

/** Nothing to show, and what to do about it. */
export function EmptyState({ title, children, actions, level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div className="rounded-card border border-dashed border-field bg-surface px-4 py-12 text-center sm:px-8">
      <Heading className="text-xl font-semibold">{title}</Heading>
      {children && <div className="mx-auto mt-2 max-w-prose text-muted">{children}</div>}
      {actions && <div className="mt-6 flex flex-wrap justify-center gap-3">{actions}</div>}
    </div>
  )
}

type ErrorStateProps = {
  title: string
  sentence: string
  reference: string | null
  /** Actions to recover; there always is one. */
  actions: ReactNode
}

/** An error: what failed, what to do, and the reference number to quote. */
export function ErrorState({ title, sentence, reference, actions }: ErrorStateProps) {
  return (
    <div role="alert" className="rounded-card border border-line bg-surface p-6 sm:p-8">
      <h2 className="text-xl font-semibold">{title}</h2>
      <p className="mt-2 max-w-prose text-muted">{sentence}</p>
      {reference && (
        <p className="mt-2 text-sm text-muted">
          Reference: <span className="tabular select-all">{reference}</span>
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">{actions}</div>
    </div>
  )
}
