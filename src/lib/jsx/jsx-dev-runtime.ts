import * as react from 'react/jsx-dev-runtime'
import { withTextElements } from './text-elements.ts'

export const { Fragment } = react

/** Creates an element in development, with React's warnings. */
export const jsxDEV: typeof react.jsxDEV = (...[type, props, key, isStatic, ...origin]) => {
  const next = withTextElements(type, Object(props))
  // React wants static children to be an array.
  const isArray = 'children' in next && Array.isArray(next.children)
  return react.jsxDEV(type, next, key, isStatic && isArray, ...origin)
}
