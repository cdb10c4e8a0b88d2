import { Container } from '#app/ui/card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'

/** What stands in for a page whose code or data is on its way. */
export function PagePending() {
  return (
    <Container className="flex flex-col gap-4 py-12">
      <p role="status" className="sr-only">
        Loading the page
      </p>
      <Skeleton className="h-10 w-72 max-w-full" />
      <Skeleton className="h-5 w-full max-w-prose" />
      <Skeleton className="h-5 w-4/5 max-w-prose" />
      <Skeleton className="mt-6 h-64 w-full rounded-card" />
    </Container>
  )
}
