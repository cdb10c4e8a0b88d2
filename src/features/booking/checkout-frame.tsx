import type { ReactNode } from 'react'
import { Container } from '#app/ui/container.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'

type CheckoutFrameProps = { title: string; lead?: ReactNode; children?: ReactNode }

/** A page of the checkout that is not one of its steps: one heading, what happened, the ways on. */
export function CheckoutFrame({ title, lead, children }: CheckoutFrameProps) {
  return (
    <Container className="py-8 sm:py-12">
      <PageTitle title={title} />
      <div className="max-w-prose">
        <h1 className="text-2xl font-semibold sm:text-3xl">{title}</h1>
        {lead && <div className="mt-3 text-lg text-muted">{lead}</div>}
        {children && <div className="mt-8 flex flex-col gap-8">{children}</div>}
      </div>
    </Container>
  )
}
