import { Container, Skeleton } from '#app/ui/page.tsx'

/** Placeholder in the shape of a profile. */
export function ProfilePending() {
  return (
    <Container className="py-5 md:py-8">
      <p role="status" className="sr-only">
        Loading the profile
      </p>
      <Skeleton className="h-5 w-64 max-w-full" />
      <div className="mt-5 grid gap-12 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <div className="flex gap-6">
            <Skeleton className="size-24 rounded-card sm:size-32" />
            <div className="flex min-w-0 flex-1 flex-col gap-3">
              <Skeleton className="h-9 w-72 max-w-full" />
              <Skeleton className="h-6 w-40" />
              <Skeleton className="h-5 w-64 max-w-full" />
            </div>
          </div>
          <Skeleton className="h-28 w-full" />
        </div>
        <Skeleton className="h-128 w-full rounded-card" />
      </div>
    </Container>
  )
}
