import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { PlaceField, placeProblem } from '#app/parts/place-field.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import type { Region } from '#contract/region.ts'
import type { Specialty } from '#contract/search.ts'

type PlaceDialogProps = { region: Region; specialty: Specialty; onClose: () => void }

/** Asks for the place, and leads to the results for one specialty near it. */
export function PlaceDialog({ region, specialty, onClose }: PlaceDialogProps) {
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
        // Room below for the places on offer: the dialog would cut them off.
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
