import { Skeleton } from '#app/ui/skeleton.tsx'

/** The map's placeholder while its code loads, and the message if that fails. */
export const mapLoading = {
  pending: <Skeleton className="h-full w-full" />,
  lost: 'The map didn’t load. Check your connection. The rest of this page still works.',
}
