import type { Component, ReactElement, JSX as ReactJsx } from 'react'

/** What a component may return: a text would have no element of its own. */
type Rendered = ReactElement | readonly Rendered[] | boolean | null | undefined

/** What TypeScript checks JSX against: React's types, except that components may not return text. */
export declare namespace JSX {
  type ElementType =
    | keyof IntrinsicElements
    | ((props: never) => Rendered)
    | (new (
        props: never,
      ) => Component)
    | { $$typeof: symbol }
  interface Element extends ReactJsx.Element {}
  interface ElementClass extends ReactJsx.ElementClass {}
  interface ElementAttributesProperty extends ReactJsx.ElementAttributesProperty {}
  interface ElementChildrenAttribute extends ReactJsx.ElementChildrenAttribute {}
  type LibraryManagedAttributes<C, P> = ReactJsx.LibraryManagedAttributes<C, P>
  interface IntrinsicAttributes extends ReactJsx.IntrinsicAttributes {}
  interface IntrinsicClassAttributes<T> extends ReactJsx.IntrinsicClassAttributes<T> {}
  interface IntrinsicElements extends ReactJsx.IntrinsicElements {}
}
