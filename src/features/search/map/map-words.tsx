import { Skeleton } from '#app/ui/skeleton.tsx'

/** What stands in for the map while its code is fetched, and what is said when it cannot be. */
export const mapWords = {
  pending: <Skeleton className="h-full w-full" />,
  lost: 'The map could not be loaded. Check your connection; everything else on this page still works.',
}
