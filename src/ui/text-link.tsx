import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { cx } from '#app/lib/cx.ts'

/** How links in running text look: underlined, brand-coloured. */
export const textLinkClass =
  'text-brand underline decoration-1 underline-offset-[0.2em] hover:text-brand-deep hover:decoration-2'

function TextAnchor({ className, ...rest }: ComponentProps<'a'>) {
  return <a {...rest} className={cx(textLinkClass, className)} />
}

/** A link to one of our screens within text; `to` and `search` are typed. */
export const TextLink = createLink(TextAnchor)
