import { useMutation } from '@tanstack/react-query'
import { trpc } from '#app/trpc.ts'
import { showToast } from '#app/ui/toast.tsx'
import type { LinkedVisit, VisitLink } from '#contract/visits.ts'
import { LinkConfirmStep } from './link-dialogs.tsx'
import { AskedTimes, KEPT } from './proposed-times.tsx'

type Linked = { link: VisitLink; visit: LinkedVisit }
type OfLinkProps = Linked & {
  proposed: NonNullable<LinkedVisit['proposed']>
  /** The question is gone from the page: focus goes on from elsewhere. */
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
    // Whatever has changed meanwhile, or an answer that was lost, is shown before it is asked again.
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

/** The times proposed for the visit of a link of an email. Nothing where nothing is asked. */
export function LinkProposedTimes(props: Linked & Pick<OfLinkProps, 'onAnswered'>) {
  const { proposed } = props.visit
  // Another question is not the one that was being answered.
  return proposed === null ? null : <OfLink key={proposed.at} {...props} proposed={proposed} />
}
