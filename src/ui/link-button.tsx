import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { cx } from '#app/lib/cx.ts'
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts'

type AnchorProps = ComponentProps<'a'> & { variant?: ButtonVariant; size?: ButtonSize }

function ButtonAnchor({ variant, size, className, ...rest }: AnchorProps) {
  return <a {...rest} className={cx(buttonClass(variant, size), className)} />
}

/** A link to one of our screens that looks like a button; `to` and `search` are typed. */
export const LinkButton = createLink(ButtonAnchor)
