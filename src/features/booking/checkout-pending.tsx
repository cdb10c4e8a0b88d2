import { Container } from '#app/ui/container.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'

/** The checkout in grey while the time is being held. */
export function CheckoutPending() {
  return (
    <Container className="py-4 lg:py-10">
      <p role="status" className="sr-only">
        Holding your time
      </p>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12">
        <div className="flex flex-col gap-5 max-lg:order-2">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-10 w-72 max-w-full" />
          <Skeleton className="h-36 w-full rounded-card" />
          <Skeleton className="h-36 w-full rounded-card" />
        </div>
        <Skeleton className="h-44 w-full rounded-card lg:h-120" />
      </div>
    </Container>
  )
}
