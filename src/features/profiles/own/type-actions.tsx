import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { OwnProfile } from '#contract/profiles-own.ts'
import type { OwnVisitType } from '#contract/profiles-types.ts'
import { useOwnSaved } from './own-section.tsx'

type TypeActionsProps = {
  type: OwnVisitType
  /** The ids of all bookable types, in order. */
  ids: readonly string[]
  onEdit: () => void
  /** Called after an action with the type to focus; null if there is none. */
  onDone: (id: string | null) => void
}

/** The ids with one of them moved up or down by one. */
function moved(ids: readonly string[], id: string, by: 1 | -1): string[] {
  const at = ids.indexOf(id)
  const order = [...ids]
  order.splice(at, 1)
  order.splice(at + by, 0, id)
  return order
}

/** Actions on a visit type: edit, move, archive, or restore. */
export function TypeActions({ type, ids, onEdit, onDone }: TypeActionsProps) {
  const saved = useOwnSaved()
  const done = (words: string, id: string | null) => async (answer: OwnProfile) => {
    await saved(answer)
    void showToast(words)
    onDone(id)
  }
  const order = trpc.profiles.orderVisitTypes.useMutation({
    onSuccess: done(`${type.name} is moved.`, type.id),
  })
  const archive = trpc.profiles.archiveVisitType.useMutation({
    onSuccess: done(
      type.isArchived ? `${type.name} is offered again.` : `${type.name} is archived.`,
      type.isArchived ? type.id : null,
    ),
  })
  const error = order.error ?? archive.error
  const at = ids.indexOf(type.id)
  const move = (by: 1 | -1) => order.mutate({ typeIds: moved(ids, type.id, by) })
  if (type.isArchived) {
    return (
      <>
        <Button
          variant="quiet"
          isBusy={archive.isPending}
          aria-label={`Offer again: ${type.name}`}
          onClick={() => archive.mutate({ typeId: type.id, isArchived: false })}
        >
          Offer again
        </Button>
        <Failed error={error} />
      </>
    )
  }
  return (
    <>
      <div className="-ml-4 flex flex-wrap gap-x-1">
        <Button variant="quiet" aria-label={`Edit ${type.name}`} onClick={onEdit}>
          Edit
        </Button>
        {at > 0 && (
          <Button
            variant="quiet"
            isBusy={order.isPending}
            aria-label={`Move up: ${type.name}`}
            onClick={() => move(-1)}
          >
            Move up
          </Button>
        )}
        {at < ids.length - 1 && (
          <Button
            variant="quiet"
            isBusy={order.isPending}
            aria-label={`Move down: ${type.name}`}
            onClick={() => move(1)}
          >
            Move down
          </Button>
        )}
        {ids.length > 1 && (
          <Button
            variant="quiet"
            isBusy={archive.isPending}
            aria-label={`Archive ${type.name}`}
            onClick={() => archive.mutate({ typeId: type.id, isArchived: true })}
          >
            Archive
          </Button>
        )}
      </div>
      <Failed error={error} />
    </>
  )
}

function Failed({ error }: { error: unknown }) {
  if (error === null) return null
  return (
    <Notice kind="danger" role="alert" title="Not changed">
      <p>{describeFailure(error).sentence}</p>
    </Notice>
  )
}
