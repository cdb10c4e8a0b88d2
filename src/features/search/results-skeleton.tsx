import { Skeleton } from '#app/ui/skeleton.tsx'

function CardSkeleton() {
  return (
    <div className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 sm:p-5">
      <div className="flex gap-4">
        <Skeleton className="size-20 rounded-card" />
        <div className="flex flex-1 flex-col gap-2">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-6 w-48 max-w-full" />
          <Skeleton className="h-5 w-32" />
          <Skeleton className="h-4 w-56 max-w-full" />
        </div>
      </div>
      <Skeleton className="h-5 w-full max-w-md" />
      <Skeleton className="h-5 w-56 max-w-full" />
      <div className="grid max-w-md grid-cols-4 gap-2 border-t border-line pt-4">
        {[1, 2, 3, 4].map((at) => (
          <Skeleton key={at} className="h-11" />
        ))}
      </div>
    </div>
  )
}

/** Cards in grey, as tall as the real ones, while the first results are on their way. */
export function ResultsSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="sr-only">
        Searching
      </p>
      {[1, 2, 3].map((at) => (
        <CardSkeleton key={at} />
      ))}
    </div>
  )
}
