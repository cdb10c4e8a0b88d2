import { MapPin, Plus } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useFocusWhenLost, useFormInPlace } from '#app/lib/browser-hooks.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { plural } from '#app/lib/format/words.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { PracticeFields } from '#app/parts/provider-fields.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Badge, Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { AddPlaceInput, MAX_PLACES, type OwnProfile } from '#contract/profiles-own.ts'
import { OwnSection, useUpdateOwnProfile } from './own-section.tsx'
import { PlaceZone } from './place-zone.tsx'

type Place = OwnProfile['places'][number]

function PlaceText({ place }: { place: Place }) {
  return (
    <div className="flex gap-2.5">
      <MapPin aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="font-semibold wrap-anywhere">{place.hospital_name}</h3>
          {place.isMain && <Badge tone="brand">Main place</Badge>}
        </div>
        <p className="wrap-anywhere">
          {place.address}, {place.locality}{' '}
          <span className="whitespace-nowrap">{place.postcode}</span>
        </p>
        <p className="text-muted">
          {place.phone === null ? (
            'No practice phone yet. Patients have no number to call.'
          ) : (
            <>
              Practice phone <span className="tabular">{place.phone}</span>
            </>
          )}
        </p>
        {place.comingVisits > 0 && (
          <p className="text-sm text-muted">{plural(place.comingVisits, 'upcoming visit')}</p>
        )}
      </div>
    </div>
  )
}

/** Up to six practice locations, each with its own opening hours. */
export function PlacesPart({ profile }: { profile: OwnProfile }) {
  const { places, region } = profile
  return (
    <OwnSection
      id="places"
      title="Places"
      lead="Each has its own hours. Patients near any of them can find you."
    >
      <ul className="flex flex-col divide-y divide-line">
        {places.map((place) => (
          <PlaceItem key={place.id} place={place} region={region} isOnly={places.length === 1} />
        ))}
      </ul>
      <NewPlace region={region} isFull={places.length >= MAX_PLACES} />
    </OwnSection>
  )
}

type PlaceItemProps = {
  place: Place
  region: OwnProfile['region']
  /** The last place cannot be removed. */
  isOnly: boolean
}

function PlaceItem({ place, region, isOnly }: PlaceItemProps) {
  const { box, opener, isOpen, open, close } = useFormInPlace<HTMLLIElement>()
  return (
    <li ref={box} className="py-5 first:pt-0">
      {isOpen ? (
        <PlaceForm region={region} place={place} onClose={close} />
      ) : (
        <div className="flex flex-col gap-3">
          <PlaceText place={place} />
          <PlaceZone place={place} region={region} />
          <PlaceActions place={place} isOnly={isOnly} editButton={opener} onEdit={open} />
        </div>
      )}
    </li>
  )
}

function NewPlace({ region, isFull }: { region: OwnProfile['region']; isFull: boolean }) {
  const { box, opener, isOpen, open, close } = useFormInPlace<HTMLDivElement>()
  return (
    <div ref={box} className="border-t border-line pt-5">
      {isOpen ? (
        <>
          <h3 className="mb-4 font-semibold">Another place</h3>
          <PlaceForm region={region} onClose={close} />
        </>
      ) : (
        <Button ref={opener} variant="secondary" disabled={isFull} onClick={open}>
          <Plus aria-hidden="true" className="size-5" />
          Add a place
        </Button>
      )}
      {isFull && (
        <p className="mt-2 text-sm text-muted">You’ve reached the limit of {MAX_PLACES} places.</p>
      )}
    </div>
  )
}

type PlaceFormProps = {
  region: OwnProfile['region']
  /** The location to edit; a new one if omitted. */
  place?: Place
  onClose: () => void
}

/** Name, address and phone of a practice location. */
function PlaceForm({ region, place, onClose }: PlaceFormProps) {
  const { client } = trpc.useUtils()
  const updateProfile = useUpdateOwnProfile()
  const form = useForm({
    blank: {
      hospital_name: place?.hospital_name ?? '',
      address: place?.address ?? '',
      postcode: place?.postcode ?? '',
      phone: place?.phone ?? '',
    },
    schema: AddPlaceInput,
    toInput: ({ phone, ...rest }) => ({ ...rest, ...(phone.trim() !== '' && { phone }) }),
    send: (input) =>
      place === undefined
        ? client.profiles.addPlace.mutate(input)
        : client.profiles.editPlace.mutate({ ...input, placeId: place.id }),
    codeFields: { place_in_use: 'postcode' },
    onSent: async (answer) => {
      onClose()
      await updateProfile(answer)
      void showToast(place === undefined ? 'The place is added.' : 'The place is saved.')
    },
  })
  return (
    <FormFrame
      form={form}
      label={place === undefined ? 'Another place' : place.hospital_name}
      failureTitle="Not saved"
    >
      <PracticeFields text={form.text} region={region} />
      <TextInput
        type="tel"
        inputMode="tel"
        label="Practice phone"
        hint="Public: patients see it on your profile, with their visit and in their confirmation email."
        isOptional
        autoComplete="tel"
        {...form.text('phone')}
      />
      <FormButtons
        send={place === undefined ? 'Add place' : 'Save place'}
        isBusy={form.isBusy}
        onCancel={onClose}
      />
    </FormFrame>
  )
}

type PlaceActionsProps = Omit<PlaceItemProps, 'region'> & {
  editButton: RefObject<HTMLButtonElement | null>
  onEdit: () => void
}

/** Actions on a practice location: edit, make it the first, or remove it after a confirmation. */
function PlaceActions({ place, isOnly, editButton, onEdit }: PlaceActionsProps) {
  const updateProfile = useUpdateOwnProfile()
  const [isAsking, setAsking] = useState(false)
  const makeMain = trpc.profiles.makeMainPlace.useMutation({
    onSuccess: async (answer) => {
      await updateProfile(answer)
      void showToast(`${place.hospital_name} is now your main place.`)
    },
  })
  const remove = trpc.profiles.removePlace.useMutation({
    onSuccess: async (answer) => {
      setAsking(false)
      await updateProfile(answer)
      void showToast('The place is removed.')
    },
  })
  // The main place has no button to make it so, and moves to the top.
  useFocusWhenLost(editButton, String(place.isMain))
  const failure = makeMain.error ? describeFailure(makeMain.error) : null
  const name = place.hospital_name
  return (
    <>
      <div className="-ml-4 flex flex-wrap gap-x-1 sm:ml-3.5">
        <Button ref={editButton} variant="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        {!place.isMain && (
          <Button
            variant="quiet"
            isBusy={makeMain.isPending}
            aria-label={`Make main place: ${name}`}
            onClick={() => makeMain.mutate({ placeId: place.id })}
          >
            Make main place
          </Button>
        )}
        {!isOnly && (
          <Button
            variant="dangerQuiet"
            aria-label={`Remove ${name}`}
            onClick={() => {
              remove.reset()
              setAsking(true)
            }}
          >
            Remove
          </Button>
        )}
      </div>
      {failure && (
        <Notice kind="danger" role="alert" title="Not changed">
          <p>{failure.sentence}</p>
        </Notice>
      )}
      <Dialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Remove ${name}?`}
        footer={
          <>
            <Button
              variant="danger"
              isBusy={remove.isPending}
              // Confirmed only if the question mentioned upcoming visits; otherwise new ones need another
              // confirmation.
              onClick={() =>
                remove.mutate({ placeId: place.id, confirmed: place.comingVisits > 0 })
              }
            >
              Remove the place
            </Button>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Keep it
            </Button>
          </>
        }
      >
        <p>Its hours and free times will be removed too.</p>
        {place.comingVisits > 0 && (
          <p className="mt-2 font-semibold">
            {place.comingVisits === 1
              ? '1 visit is booked there and stays booked.'
              : `${place.comingVisits} visits are booked there and stay booked.`}
          </p>
        )}
        {remove.error && (
          <Notice kind="danger" role="alert" title="Not removed" className="mt-4">
            <p>{describeFailure(remove.error).sentence}</p>
          </Notice>
        )}
      </Dialog>
    </>
  )
}
