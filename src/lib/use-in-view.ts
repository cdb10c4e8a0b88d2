import { type RefObject, useEffect, useState } from 'react'

/** Whether any of an element is on the screen now; false until it was looked at. */
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
