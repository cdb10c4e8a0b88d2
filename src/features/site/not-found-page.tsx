import { LinkButton } from '#app/ui/button.tsx'
import { Container } from '#app/ui/card.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'

/** The screen for addresses that lead nowhere. */
export function NotFoundPage() {
  return (
    <Container className="py-18">
      <PageTitle title="Page not found" />
      <p className="font-semibold text-accent">404</p>
      <h1 className="mt-2 text-3xl font-semibold">Page not found</h1>
      <p className="mt-4 max-w-prose text-lg text-muted">
        There is nothing at this address. If you typed it, check it. If you followed a link, it may
        be old.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <LinkButton to="/home">Go home</LinkButton>
        <LinkButton to="/contact-us" variant="secondary">
          Tell us about it
        </LinkButton>
      </div>
    </Container>
  )
}
