import { Star } from 'lucide-react'

type RatingProps = { rating: { average: number; count: number } | null }

/** "4.8 (23)" with a star, or "New here" while nobody has rated yet. */
export function Rating({ rating }: RatingProps) {
  if (rating === null || rating.count === 0) {
    return <span className="text-sm text-muted">New here</span>
  }
  const average = rating.average.toFixed(1)
  return (
    <span className="inline-flex items-center gap-1 text-sm whitespace-nowrap">
      <Star aria-hidden="true" strokeWidth={1.75} className="size-4 fill-warn text-warn" />
      <span className="sr-only">
        Rated {average} out of 5 by {rating.count} {rating.count === 1 ? 'person' : 'people'}
      </span>
      <span aria-hidden="true" className="tabular font-semibold">
        {average}
      </span>
      <span aria-hidden="true" className="tabular text-muted">
        ({rating.count})
      </span>
    </span>
  )
}
