import { useRouter } from '@tanstack/react-router'
import {
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'

/** Whether any part of an element is on the screen; false until first observed. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [isInView, setIsInView] = useState(false)
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver((entries) => {
      setIsInView(entries.at(-1)?.isIntersecting ?? false)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isInView
}

/**
 * Moves focus into a form that replaces the button that opens it, and back to the button. Returns the ref of the element
 * around both, which has `tabIndex={-1}` if the form loads first: meanwhile it has the focus.
 */
export function useSwappedFocus<E extends HTMLElement>(isOpen: boolean): RefObject<E | null> {
  const box = useRef<E>(null)
  const before = useRef(isOpen)
  useEffect(() => {
    if (before.current === isOpen) return
    before.current = isOpen
    const control = box.current?.querySelector<HTMLElement>(
      isOpen ? 'input:not([hidden])' : 'button',
    )
    ;(control ?? box.current)?.focus()
  }, [isOpen])
  return box
}

/**
 * Keeps the current link of a row that scrolls sideways in view: narrow screens show only part of the row. `state` is
 * whatever changes which link that is, or how wide they are. Scrolls the row only, never the page.
 */
export function useCurrentInView<E extends HTMLElement>(state: string): RefObject<E | null> {
  const row = useRef<E>(null)
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (shown.current === state) return
    shown.current = state
    const current = row.current?.querySelector('[aria-current=page]')
    if (!row.current || !current) return
    const view = row.current.getBoundingClientRect()
    const { left, right } = current.getBoundingClientRect()
    if (left < view.left) row.current.scrollLeft -= view.left - left
    else if (right > view.right) row.current.scrollLeft += right - view.right
  }, [state])
  return row
}

const onServer = () => false

/** Whether a media query matches, kept up to date: `(min-width: 64rem)`. False during server rendering. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches, onServer)
}

/** From 1024 pixels list and map stand side by side. */
export const WIDE = '(min-width: 64rem)'

function subscribeOnline(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** Whether the browser believes it has a network. True may be wrong; false is certain. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribeOnline,
    () => navigator.onLine,
    () => true,
  )
}

/** Tells `public/boot.js` that the page now handles presses, so that it replays the last earlier one. */
export function useSignalHydrated(): void {
  useEffect(() => {
    dispatchEvent(new Event('live'))
  }, [])
}

/** Moves focus to `target` when a change of `state` has removed the element that had it, as a pressed button. */
export function useFocusWhenLost(target: RefObject<HTMLElement | null>, state: string): void {
  const seen = useRef(state)
  useEffect(() => {
    if (seen.current === state) return
    seen.current = state
    // A removed element leaves the focus on the body.
    if (document.activeElement === document.body) target.current?.focus({ preventScroll: true })
  }, [target, state])
}

/** Moves focus to a heading, if it is there, for when the element that had it is gone. */
export function focusHeading(heading: HTMLElement | null | undefined): void {
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** Moves focus to the page's heading, for when the element that had it is gone. */
export function focusPageHeading(): void {
  focusHeading(document.querySelector<HTMLElement>('main h1'))
}

/**
 * Moves focus to the new heading after navigation, so that it is announced. A heading that appears late or
 * replaces another also takes focus, unless the user has moved focus meanwhile.
 */
export function useFocusOnArrival(): void {
  const router = useRouter()
  useEffect(() => {
    /** The element that had focus after navigation, or was focused here. */
    let focused: Element | null
    const followHeading = () => {
      const { activeElement, body } = document
      if (activeElement !== focused && activeElement !== body) {
        observer.disconnect()
        return
      }
      const heading = document.querySelector<HTMLElement>('main h1')
      if (heading === null || heading === activeElement) return
      focused = heading
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(followHeading)
    const stop = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return
      focused = document.activeElement
      observer.observe(document, { childList: true, subtree: true })
      followHeading()
    })
    return () => {
      stop()
      observer.disconnect()
    }
  }, [router])
}

/** Debounced value: updates after `ms` milliseconds without a change. */
export function useDebounced<Value>(value: Value, ms: number): Value {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return debounced
}

/**
 * The form or question that is open on a page, if any; `open` also replaces it. `close` closes the one it was made
 * for, so that a slow answer does not close what was opened since, with all that was typed there.
 */
export function useOpened<What>(): [What | null, (what: What) => void, () => void] {
  const [opened, setOpened] = useState<What | null>(null)
  return [opened, setOpened, () => setOpened((now) => (now === opened ? null : now))]
}

/**
 * A form that opens where an entry of a page stands. Every entry has its own, so that opening one never drops what is
 * typed in another. Focus moves into the form, and back to the opener unless it has moved elsewhere meanwhile.
 */
export function useFormInPlace<Box extends HTMLElement>() {
  const box = useRef<Box>(null)
  const opener = useRef<HTMLButtonElement>(null)
  // Each opening is one of its own: a slow answer to an earlier one does not close it.
  const [opened, setOpened, close] = useOpened<{ at: number }>()
  const count = useRef(0)
  useEffect(() => {
    // Not on the first render, when nothing has been pressed yet.
    if (count.current === 0) return
    if (opened) box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    // A removed element leaves the focus on the body.
    else if (document.activeElement === document.body) opener.current?.focus()
  }, [opened])
  const open = () => {
    count.current += 1
    setOpened({ at: count.current })
  }
  return { box, opener, isOpen: opened !== null, open, close }
}

/** Scrolls the section named in the URL's hash into view, as the router does only for what is there at once. */
export function useHashInView(hash: string): void {
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [hash])
}
