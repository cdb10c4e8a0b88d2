import { type RefObject, useEffect, useState } from 'react'

/** The width from which the menu is always open in the header (specification: 960 pixels). */
const WIDE = '(min-width: 960px)'

/**
 * A menu behind a toggle that closes on a click outside `box`, on Escape (giving focus back to
 * the toggle) and when the window reaches 960 pixels.
 */
export function useCollapsingMenu(box: RefObject<HTMLElement | null>) {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    const off = new AbortController()
    const { signal } = off
    const close = () => setIsOpen(false)
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        if (!(target instanceof Node && box.current?.contains(target))) close()
      },
      { signal },
    )
    document.addEventListener(
      'keydown',
      ({ key }) => {
        if (key !== 'Escape') return
        close()
        box.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus()
      },
      { signal },
    )
    matchMedia(WIDE).addEventListener('change', ({ matches }) => matches && close(), { signal })
    return () => off.abort()
  }, [isOpen, box])
  return { isOpen, toggle: () => setIsOpen((open) => !open), close: () => setIsOpen(false) }
}
