import type { ElementType, Key, ReactElement } from 'react'
import * as react from 'react/jsx-runtime'
import type { JSX } from './jsx-types.ts'
import { withTextElements } from './text-elements.ts'

// What TypeScript looks for here.
export type { JSX }

export const { Fragment } = react

/** Creates an element: what JSX compiles to, here and in `jsx-dev-runtime.ts`. */
export function jsx(type: ElementType, props: object, key?: Key): ReactElement {
  return react.jsx(type, withTextElements(type, props), key)
}

// React's two differ in development only, which has a runtime of its own.
export { jsx as jsxs }
