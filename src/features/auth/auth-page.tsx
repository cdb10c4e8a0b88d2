import type { ReactNode } from 'react'
import { Container } from '#app/ui/container.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'

type AuthPageProps = { title: string; lead?: ReactNode; children: ReactNode }

/** One narrow column with one thing to do: signing in, registering, a new password. */
export function AuthPage({ title, lead, children }: AuthPageProps) {
  return (
    <Container className="pt-8 sm:pt-12">
      <PageTitle title={title} />
      <div className="mx-auto max-w-form">
        <h1 className="text-3xl font-semibold">{title}</h1>
        {lead && <p className="mt-3 text-lg text-muted">{lead}</p>}
        <div className="mt-8 flex flex-col gap-8">{children}</div>
      </div>
    </Container>
  )
}

/** The same column without header and footer, inside the bare layout. */
export function BarePage({ title, lead, children }: AuthPageProps) {
  return (
    <>
      <PageTitle title={title} />
      <h1 className="text-2xl font-semibold">{title}</h1>
      {lead && <p className="mt-3 text-lg text-muted">{lead}</p>}
      <div className="mt-6 flex flex-col gap-6">{children}</div>
    </>
  )
}
