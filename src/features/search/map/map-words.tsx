import { Skeleton } from '#app/ui/skeleton.tsx'

/** What stands in for the map while its code is fetched, and what is said when it cannot be. */
export const mapWords = {
  pending: <Skeleton className="h-full w-full" />,
  lost: 'The map didn’t load. Check your connection. The rest of this page still works.',
}
