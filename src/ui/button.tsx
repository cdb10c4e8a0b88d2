import { createLink } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import { Spinner } from './page.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'dangerQuiet'
export type ButtonSize = 'normal' | 'large'

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-brand text-on-brand border-transparent hover:bg-brand-deep',
  secondary: 'bg-surface text-brand-deep border-field hover:bg-tint hover:border-brand',
  quiet: 'bg-transparent text-brand-deep border-transparent hover:bg-tint',
  /** Opens the confirmation of an irreversible action; `danger` confirms it. */
  dangerQuiet: 'bg-surface text-danger border-danger hover:bg-danger hover:text-on-brand',
  danger: 'bg-danger text-on-brand border-transparent hover:opacity-90',
}

const sizes: Record<ButtonSize, string> = {
  normal: 'min-h-11 px-4 text-base',
  large: 'min-h-13 px-6 text-lg',
}

/** Classes of a button, for button elements and for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'primary', size: ButtonSize = 'normal') {
  return cx(
    'inline-flex max-w-full items-center justify-center gap-2 rounded-field border font-semibold no-underline',
    'transition-colors duration-150 select-none',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-60 disabled:cursor-not-allowed disabled:opacity-60',
    variants[variant],
    sizes[size],
  )
}

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  size?: ButtonSize
  /** While work is in progress: presses do nothing, the label stays, a spinner turns. */
  isBusy?: boolean
}

/** The standard button. It keeps focus while busy, so that screen readers stay with it. */
export function Button(props: ButtonProps) {
  const { variant, size, isBusy = false, className, children, onClick, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={cx(buttonClass(variant, size), className)}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** What it does and to what: also shown as a tooltip. */
  label: string
}

/** An icon-only button, 44 by 44 pixels. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={cx(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-field text-brand-deep transition-colors duration-150',
        'hover:bg-tint disabled:cursor-not-allowed disabled:text-field disabled:hover:bg-transparent',
        className,
      )}
    />
  )
}

type AnchorProps = ComponentProps<'a'> & { variant?: ButtonVariant; size?: ButtonSize }

function ButtonAnchor({ variant, size, className, ...rest }: AnchorProps) {
  return <a {...rest} className={cx(buttonClass(variant, size), className)} />
}

/** A router link that looks like a button; `to` and `search` are typed. */
export const LinkButton = createLink(ButtonAnchor)

/** Classes of links in running text: underlined, brand-coloured. */
export const textLinkClass =
  'text-brand underline decoration-1 underline-offset-[0.2em] hover:text-brand-deep hover:decoration-2'

function TextAnchor({ className, ...rest }: ComponentProps<'a'>) {
  return <a {...rest} className={cx(textLinkClass, className)} />
}

/** A router link within text; `to` and `search` are typed. */
export const TextLink = createLink(TextAnchor)

type LinkTabsProps = { label: string; className: string; children: ReactNode }

/** Links to the views of one page, side by side; each is a `Link` with `linkTab`. */
export function LinkTabs({ label, className, children }: LinkTabsProps) {
  return (
    <nav
      aria-label={label}
      className={cx('flex gap-1 rounded-card border border-line bg-surface p-1', className)}
    >
      {children}
    </nav>
  )
}

/** Properties of such a link. They share a path, so the query string decides which one is current. */
export const linkTab = {
  replace: true,
  activeOptions: { exact: true, includeSearch: true },
  className:
    'inline-flex min-h-11 flex-1 items-center justify-center rounded-field px-4 font-semibold text-brand-deep ' +
    'no-underline transition-colors duration-150 hover:bg-tint aria-[current=page]:bg-brand aria-[current=page]:text-on-brand',
} as const

type SummaryProps = { children: ReactNode }

/** The line that opens a `details` within other content: words and a chevron, which turns. */
export function Summary({ children }: SummaryProps) {
  return (
    <summary className="inline-flex min-h-11 list-none items-center gap-1 rounded-field font-semibold text-brand-deep [&::-webkit-details-marker]:hidden">
      {children}
      <ChevronDown
        aria-hidden="true"
        className="size-5 shrink-0 transition-transform duration-150 in-open:rotate-180"
      />
    </summary>
  )
}
