import { type ComponentProps, createElement } from 'react'

type IconData = { node: [tag: string, attributes: Record<string, string>][] }

/**
 * Stands in for lucide's own renderer in the build (see `vite.config.ts`): the same drawing, in the
 * house's stroke, without the contexts and options of which we use none (1.2 kB brotli a page).
 */
// The module it stands in for has a default export.
// oxlint-disable-next-line import/no-default-export
export default function createLucideIcon({ node }: IconData) {
  return (props: ComponentProps<'svg'>) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 1.75,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...props,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
}
