import type { ElementType, Key, ReactElement } from 'react'
import * as react from 'react/jsx-dev-runtime'
import { withTextElements } from './text-elements.ts'

export const { Fragment } = react

/** Creates an element in development, with React's warnings; it refuses static children that are no array. */
// oxlint-disable-next-line max-params -- what compiled JSX calls
export function jsxDEV(
  type: ElementType,
  props: object,
  key: Key | undefined,
  ...[isStatic, ...origin]: [isStatic: boolean, source?: react.JSXSource, self?: unknown]
): ReactElement {
  const next = withTextElements(type, props)
  const isArray = 'children' in next && Array.isArray(next.children)
  return react.jsxDEV(type, next, key, isStatic && isArray, ...origin)
}
