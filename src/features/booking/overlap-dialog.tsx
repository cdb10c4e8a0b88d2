import { useRouter } from '@tanstack/react-router'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import type { ProviderProfile } from '#contract/search.ts'

type OverlapDialogProps = {
  profile: ProviderProfile
  distance: string | undefined
  /** Which visit they have then. */
  sentence: string
  onBook: () => void
}

/** Asks somebody who has another visit at that time whether they want this one as well. */
export function OverlapDialog({ profile, distance, sentence, onBook }: OverlapDialogProps) {
  const router = useRouter()
  const goBack = () => {
    void router.navigate({
      to: '/doctor-profile/$id/$distance',
      params: { id: profile.id, distance: distance ?? '0' },
      search: { region: profile.region },
      hash: 'times',
      replace: true,
    })
  }
  return (
    <Dialog
      isOpen
      onClose={goBack}
      title="Two appointments at the same time?"
      footer={
        <>
          <Button onClick={onBook}>Book this one as well</Button>
          <Button variant="secondary" onClick={goBack}>
            Choose another time
          </Button>
        </>
      }
    >
      <p>{sentence} Book this one as well?</p>
    </Dialog>
  )
}
