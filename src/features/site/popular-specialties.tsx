import { Link, useNavigate } from '@tanstack/react-router'
import {
  Baby,
  Bone,
  Brain,
  Ear,
  Eye,
  HeartPulse,
  type LucideIcon,
  ScanFace,
  Search,
  Smile,
  Stethoscope,
  Venus,
  Wind,
} from 'lucide-react'
import { createElement, useId, useState } from 'react'
import { isPlainPress } from '#app/lib/press.ts'
import { useLastPlace, useSelectedRegion } from '#app/lib/visitor-place.ts'
import { PlaceField, placeProblem } from '#app/parts/search-box.tsx'
import { useSpecialityList } from '#app/parts/use-specialities.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { LoadNotice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import type { Region } from '#contract/base/region.ts'
import type { Specialty } from '#contract/search.ts'

/** The most wanted specialties, in this order; others from the list fill the row. */
const POPULAR = [
  'gp',
  'dentist',
  'dermatologist',
  'paediatrician',
  'gynaecologist',
  'ophthalmologist',
  'psychiatrist',
  'orthodontist',
]
const SHOWN_COUNT = 8

/** Shortcuts to a search for one specialty: near the place searched last, or else near one asked for. */
export function PopularSpecialties() {
  const region = useSelectedRegion()
  const { specialities: all, error, retry } = useSpecialityList(region)
  const popular = POPULAR.flatMap((slug) => all.filter((one) => one.slug === slug))
  const place = useLastPlace(region)
  const [chosen, setChosen] = useState<Specialty | null>(null)
  const shown = [...popular, ...all.filter((one) => !popular.includes(one))].slice(0, SHOWN_COUNT)
  return (
    <section aria-labelledby="popular">
      <h2 id="popular" className="text-2xl font-semibold">
        Popular specialties
      </h2>
      {place !== null && <p className="mt-1 text-muted">Near {place}, where you last searched</p>}
      {error && (
        <div className="mt-6">
          <LoadNotice title="The specialties didn’t load" error={error} onRetry={retry} />
        </div>
      )}
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
                setChosen(one)
              }}
              className="group flex min-h-14 w-full items-center gap-3 rounded-card border border-line bg-surface p-3 text-ink no-underline transition-colors duration-150 hover:border-brand hover:bg-tint sm:items-start sm:p-4 max-[26rem]:flex-col max-[26rem]:items-start"
            >
              <SpecialtyIcon slug={one.slug} />
              <span className="min-w-0 max-[26rem]:w-full">
                <span className="block text-sm font-semibold text-brand-deep sm:text-lg">
                  {one.plural}
                </span>
                <span className="mt-1 block text-sm text-muted max-sm:hidden">{one.about}</span>
              </span>
            </Link>
          </li>
        ))}
        {shown.length === 0 &&
          !error &&
          Array.from({ length: SHOWN_COUNT }, (_, at) => (
            <li key={at}>
              <Skeleton className="h-15 rounded-card sm:h-32" />
            </li>
          ))}
      </ul>
      {chosen && <PlaceDialog region={region} specialty={chosen} onClose={() => setChosen(null)} />}
    </section>
  )
}

/** Icons of specialties associated with a part of the body; the others have the stethoscope. */
const icons = new Map<string, LucideIcon>([
  ['cardiologist', HeartPulse],
  ['vascular-surgeon', HeartPulse],
  ['child-psychiatrist', Brain],
  ['neurologist', Brain],
  ['psychiatrist', Brain],
  ['childrens-dentist', Smile],
  ['dentist', Smile],
  ['gum-specialist', Smile],
  ['oral-surgeon', Smile],
  ['orthodontist', Smile],
  ['dermatologist', ScanFace],
  ['plastic-surgeon', ScanFace],
  ['ear-nose-throat', Ear],
  ['gynaecologist', Venus],
  ['lung-specialist', Wind],
  ['ophthalmologist', Eye],
  ['orthopaedic-surgeon', Bone],
  ['rheumatologist', Bone],
  ['paediatrician', Baby],
])

/** A specialty's icon on a tinted background; the name beside it says what it is. */
function SpecialtyIcon({ slug }: { slug: string }) {
  return (
    <span className="flex size-9 shrink-0 items-center justify-center rounded-field bg-tint text-brand-deep sm:size-11">
      {createElement(icons.get(slug) ?? Stethoscope, {
        'aria-hidden': true,
        className: 'size-5 sm:size-6',
      })}
    </span>
  )
}

type PlaceDialogProps = { region: Region; specialty: Specialty; onClose: () => void }

/** Asks for the place, and leads to the results for one specialty near it. */
function PlaceDialog({ region, specialty, onClose }: PlaceDialogProps) {
  const id = useId()
  const navigate = useNavigate()
  const [place, setPlace] = useState('')
  const [isRefused, setIsRefused] = useState(false)
  const problem = placeProblem(place.trim(), region)
  const submit = () => {
    setIsRefused(problem !== undefined)
    if (problem !== undefined) return document.getElementById(`${id}-place`)?.focus()
    void navigate({
      to: '/results',
      search: { selectedRegion: region, postcode: place.trim(), specialty: specialty.slug },
    })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${specialty.plural} near you`}
      footer={
        <Button type="submit" form={`${id}-form`} className="max-sm:flex-1">
          <Search aria-hidden="true" className="size-5" />
          Search
        </Button>
      }
    >
      <form
        id={`${id}-form`}
        noValidate
        // Leaves space for the place suggestions, which the dialog would cut off.
        className="min-h-60"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <PlaceField
          id={`${id}-place`}
          region={region}
          value={place}
          error={isRefused ? problem : undefined}
          onChange={(typed) => {
            setPlace(typed)
            setIsRefused(false)
          }}
        />
      </form>
    </Dialog>
  )
}
