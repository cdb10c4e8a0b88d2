import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { OwnProfile } from '#contract/profiles-own.ts'
import { useOwnSaved } from './own-section.tsx'

type PlaceActionsProps = {
  place: OwnProfile['places'][number]
  /** The last place cannot be removed. */
  isOnly: boolean
  onEdit: () => void
}

/** Actions on a practice location: edit, make it the first, or remove it after a confirmation. */
export function PlaceActions({ place, isOnly, onEdit }: PlaceActionsProps) {
  const saved = useOwnSaved()
  const [isAsking, setAsking] = useState(false)
  const makeMain = trpc.profiles.makeMainPlace.useMutation({
    onSuccess: async (answer) => {
      await saved(answer)
      void showToast(`${place.hospital_name} is now your main place.`)
    },
  })
  const remove = trpc.profiles.removePlace.useMutation({
    onSuccess: async (answer) => {
      setAsking(false)
      await saved(answer)
      void showToast('The place is removed.')
    },
  })
  const failure = makeMain.error ? describeFailure(makeMain.error) : null
  const name = place.hospital_name
  return (
    <>
      <div className="-ml-4 flex flex-wrap gap-x-1 sm:ml-3.5">
        <Button variant="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
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
