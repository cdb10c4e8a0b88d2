import { Container } from '#app/ui/card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'

/** Placeholder for a page whose code or data is loading. */
export function PagePending() {
  return (
    <Container className="flex flex-col gap-4 py-12">
      <p role="status" className="sr-only">
        Loading the page
      </p>
      <Skeleton className="h-10 w-72 max-w-full" />
      <Skeleton className="h-5 w-full max-w-prose" />
      <div className="mt-4 grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Skeleton className="h-64 rounded-card" />
        <Skeleton className="h-40 rounded-card" />
      </div>
    </Container>
  )
}
