import { createElement, type ReactNode } from 'react'

let isTranslated = false

/** Keeps the texts of a page that was translated before React hydrates it. */
export function keepTranslatedTexts(): void {
  isTranslated = true
}

/**
 * Gives every text of the page an element of its own, before React sees it.
 *
 * Translation by the browser replaces text nodes. React then fails when it inserts or removes a node beside one
 * (`NotFoundError`), and changes the text of one that is no longer shown. It keeps text nodes for itself only where
 * text has siblings: text that is an element's only content is set through that element, which always works.
 *
 * Hence text beside text becomes one text, and text beside elements, or beside what may become one, gets a `span`
 * (decision 059).
 */
export function withTextElements(type: unknown, props: object): object {
  if (!('children' in props)) return props
  const { children } = props
  if (hasNoElement(type)) {
    const alone = isText(children) ? [children] : children
    return hasText(alone) ? { ...props, children: separated(alone) } : props
  }
  const text = hasText(children) ? textOf(children) : null
  if (text !== null) return withText({ ...props, children: text })
  if (isText(children)) return withText(props)
  return hasText(children) ? { ...props, children: separated(children) } : props
}

/** What was translated is other text than React expects, and stays; packages' components pass this on to their element. */
function withText(props: object): object {
  return isTranslated ? { ...props, suppressHydrationWarning: true } : props
}

const CONTEXTS = new Set<unknown>([Symbol.for('react.context'), Symbol.for('react.consumer')])

/** Fragments, `Suspense` and contexts: text in them becomes a sibling of whatever is around them. */
function hasNoElement(type: unknown): boolean {
  if (typeof type === 'symbol') return true
  return (
    typeof type === 'object' && type !== null && '$$typeof' in type && CONTEXTS.has(type.$$typeof)
  )
}

function isText(child: unknown): child is string | number | bigint {
  const isShown = typeof child === 'number' || typeof child === 'bigint'
  return isShown || (typeof child === 'string' && child !== '')
}

function hasText(children: unknown): children is readonly unknown[] {
  return Array.isArray(children) && children.some((child) => isText(child) || hasText(child))
}

/** The text of a child, empty if it shows nothing; null if there are elements in it. */
function textOf(child: unknown): string | null {
  if (isText(child)) return String(child)
  if (Array.isArray(child)) {
    const texts = child.map(textOf)
    return texts.includes(null) ? null : texts.join('')
  }
  return typeof child === 'object' && child !== null ? null : ''
}

/** As many children as before, so that React finds each one in its place. */
function separated(children: readonly unknown[]): unknown[] {
  const texts = children.map(textOf)
  return children.map((child, at) => {
    const text = texts[at]
    if (text === '') return child
    if (typeof text !== 'string') return Array.isArray(child) ? separated(child) : child
    // The first of adjacent texts shows them all.
    if (typeof texts.slice(0, at).findLast((other) => other !== '') === 'string') return null
    const end = texts.indexOf(null, at)
    return textElement(texts.slice(at, end === -1 ? undefined : end).join(''), at)
  })
}

function textElement(text: string, at: number): ReactNode {
  // Space alone gets no box: in a flex container that would be an item.
  const className = text.trim() === '' ? 'contents' : undefined
  return createElement('span', withText({ key: `text-${at}`, className, children: text }))
}
