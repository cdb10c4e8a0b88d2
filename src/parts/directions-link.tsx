import { mapLink } from '#app/lib/format.ts'
import { textLinkClass } from '#app/ui/button.tsx'

type DirectionsLinkProps = { point: { latitude: number; longitude: number }; name: string }

/** "Map and directions", with the name added for screen readers; links to OpenStreetMap. */
export function DirectionsLink({ point, name }: DirectionsLinkProps) {
  return (
    <a
      href={mapLink(point)}
      target="_blank"
      rel="noopener noreferrer"
      className={`${textLinkClass} inline-block min-h-6 @md:whitespace-nowrap`}
    >
      Map and directions
      <span className="sr-only"> for {name} (opens in a new tab)</span>
    </a>
  )
}
