import { useEffect } from 'react'

type PageTitleProps = { title: string; description?: string }

/** Names the browser tab ("Contact us · Apposite") and says what the page is for to search engines. */
export function PageTitle({ title, description }: PageTitleProps) {
  const full = title.includes('Apposite') ? title : `${title} · Apposite`
  useEffect(() => {
    document.title = full
  }, [full])
  useEffect(() => {
    if (description === undefined) return
    document.querySelector('meta[name="description"]')?.setAttribute('content', description)
  }, [description])
  if (!import.meta.env.SSR) return null
  // React puts these in front of everything else, from where the server moves them to the head.
  return (
    <>
      <title>{full}</title>
      {description !== undefined && <meta name="description" content={description} />}
    </>
  )
}
