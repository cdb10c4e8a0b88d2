import type { ReactNode } from 'react'
import { Container } from '#app/ui/card.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'

type InfoPageProps = { title: string; lead: string; children: ReactNode }

/**
 * A text page: a heading and a one-sentence summary, which stay beside the sections on wide screens and above
 * them on narrow ones.
 */
export function InfoPage({ title, lead, children }: InfoPageProps) {
  return (
    <Container className="gap-18 pt-8 sm:pt-12 lg:grid lg:grid-cols-[20rem_minmax(0,1fr)] lg:pt-16">
      <PageTitle title={title} description={lead} />
      <div>
        <div className="lg:sticky lg:top-16">
          <h1 className="text-3xl font-semibold">{title}</h1>
          <p className="mt-4 max-w-prose text-lg text-muted">{lead}</p>
        </div>
      </div>
      <div className="flex flex-col gap-8 max-lg:mt-10">{children}</div>
    </Container>
  )
}

/** A section of such a page; `id` makes it a link target. */
export function InfoSection(props: { title: string; id?: string; children: ReactNode }) {
  return (
    <section
      id={props.id}
      className="scroll-mt-8 border-t border-line pt-8 lg:first:border-t-0 lg:first:pt-0"
    >
      <h2 className="text-xl font-semibold">{props.title}</h2>
      <div className="mt-3 flex max-w-prose flex-col gap-3 [&_ul]:flex [&_ul]:list-disc [&_ul]:flex-col [&_ul]:gap-1.5 [&_ul]:pl-5">
        {props.children}
      </div>
    </section>
  )
}
