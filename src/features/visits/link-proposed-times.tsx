import { useMutation } from '@tanstack/react-query'
import { trpc } from '#app/trpc.ts'
import { showToast } from '#app/ui/toast.tsx'
import type { LinkedVisit, VisitLink } from '#contract/visits.ts'
import { LinkConfirmStep } from './link-dialogs.tsx'
import { AskedTimes, KEPT } from './proposed-times.tsx'

type Linked = { link: VisitLink; visit: LinkedVisit }
type OfLinkProps = Linked & {
  proposed: NonNullable<LinkedVisit['proposed']>
  /** Called when the question leaves the page, so that focus moves elsewhere. */
  onAnswered: () => void
}

function OfLink({ link, visit, proposed, onAnswered }: OfLinkProps) {
  const { client, visits, availability } = trpc.useUtils()
  const keeping = useMutation({
    mutationFn: () => client.visits.keepTimeByLink.mutate({ ...link, at: proposed.at }),
    onSuccess: ({ visit: kept }) => {
      visits.byLink.setData(link, kept)
      void showToast(KEPT)
      onAnswered()
    },
    // Shows what has changed, or the result of a lost response, before asking again.
    onError: () => visits.invalidate(),
  })
  return (
    <AskedTimes
      visit={visit}
      proposed={proposed}
      keeping={keeping}
      renderConfirm={({ onMoved, ...step }) => (
        <LinkConfirmStep
          {...step}
          link={link}
          visit={visit}
          onMoved={async (moved) => {
            await onMoved(moved)
            onAnswered()
          }}
        />
      )}
      onChanged={() => Promise.all([visits.invalidate(), availability.invalidate()])}
    />
  )
}

/** The times proposed for the visit of an email's link. Nothing without a proposal. */
export function LinkProposedTimes(props: Linked & Pick<OfLinkProps, 'onAnswered'>) {
  const { proposed } = props.visit
  // A new proposal starts with fresh state.
  return proposed === null ? null : <OfLink key={proposed.at} {...props} proposed={proposed} />
}
