import { SearchX } from 'lucide-react'
import { MessagePage } from '#app/parts/message-page.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'

/** The page for unknown addresses. */
export function NotFoundPage() {
  return (
    <>
      <PageTitle title="Page not found" />
      <MessagePage
        icon={SearchX}
        title="Page not found"
        lead="There’s nothing at this address (404). Check it for typos. If you followed a link, it may be out of date."
        actions={
          <>
            <LinkButton to="/home">Go home</LinkButton>
            <LinkButton to="/contact-us" variant="secondary">
              Tell us about it
            </LinkButton>
          </>
        }
      />
    </>
  )
}
