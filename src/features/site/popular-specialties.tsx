import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLastPlace } from '#app/lib/last-place.ts'
import { isPlainPress } from '#app/lib/plain-press.ts'
import { useSelectedRegion } from '#app/lib/selected-region.ts'
import { SpecialtyIcon } from '#app/parts/specialty-icon.tsx'
import { useSpecialities } from '#app/parts/use-specialities.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Specialty } from '#contract/search.ts'
import { PlaceDialog } from './place-dialog.tsx'

/** What people look for most, in this order; others of the list fill the row. */
const WANTED = [
  'gp',
  'dentist',
  'dermatologist',
  'paediatrician',
  'gynaecologist',
  'ophthalmologist',
  'psychiatrist',
  'orthodontist',
]
const SHOWN = 8

/** Short cuts to a search for one specialty: near the place searched last, or else near one asked for. */
export function PopularSpecialties() {
  const region = useSelectedRegion()
  const all = useSpecialities(region)
  const wanted = WANTED.flatMap((slug) => all.filter((one) => one.slug === slug))
  const place = useLastPlace(region)
  const [asked, setAsked] = useState<Specialty | null>(null)
  const shown = [...wanted, ...all.filter((one) => !wanted.includes(one))].slice(0, SHOWN)
  return (
    <section aria-labelledby="popular">
      <h2 id="popular" className="text-2xl font-semibold">
        Popular specialties
      </h2>
      {place !== null && <p className="mt-1 text-muted">Near {place}, where you last searched</p>}
      <ul className="mt-6 grid grid-cols-2 gap-3 lg:grid-cols-4">
        {shown.map((one) => (
          <li key={one.slug} className="flex">
            <Link
              to="/results"
              search={{
                selectedRegion: region,
                specialty: one.slug,
                ...(place !== null && { postcode: place }),
              }}
              {...(place === null && { 'aria-haspopup': 'dialog' as const })}
              onClick={(event) => {
                if (place !== null || !isPlainPress(event)) return
                event.preventDefault()
                setAsked(one)
              }}
              className="group flex min-h-14 w-full items-center gap-3 rounded-card border border-line bg-surface p-3 text-ink no-underline transition-colors duration-150 hover:border-brand hover:bg-tint sm:items-start sm:p-4 max-[22rem]:flex-col max-[22rem]:items-start"
            >
              <SpecialtyIcon slug={one.slug} />
              <span className="min-w-0">
                <span className="block text-sm font-semibold text-brand-deep sm:text-lg">
                  {one.plural}
                </span>
                <span className="mt-1 block text-sm text-muted max-sm:hidden">{one.about}</span>
              </span>
            </Link>
          </li>
        ))}
        {shown.length === 0 &&
          Array.from({ length: SHOWN }, (_, at) => (
            <li key={at}>
              <Skeleton className="h-15 rounded-card sm:h-32" />
            </li>
          ))}
      </ul>
      {asked && <PlaceDialog region={region} specialty={asked} onClose={() => setAsked(null)} />}
    </section>
  )
}
