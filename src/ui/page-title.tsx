import { useEffect } from 'react'

type PageTitleProps = { title: string; description?: string }

/** Names the browser tab ("Contact us · Apposite") and says what the page is for to search engines. */
export function PageTitle({ title, description }: PageTitleProps) {
  useEffect(() => {
    document.title = title.includes('Apposite') ? title : `${title} · Apposite`
  }, [title])
  useEffect(() => {
    if (description === undefined) return
    document.querySelector('meta[name="description"]')?.setAttribute('content', description)
  }, [description])
  return null
}
