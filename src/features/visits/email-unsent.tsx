import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { type DeskUnsent, deskUnsentTexts } from '#contract/booking-desk.ts'

export type Unsent = {
  /** What was done all the same. */
  done: string
  email: DeskUnsent
}

/** Says that a desk visit was changed and why its patient was not emailed; stays until it is closed. */
export function EmailUnsent({ done, email, onClose }: Unsent & { onClose: () => void }) {
  return (
    <div className="flex flex-col gap-5">
      <Notice kind="warn" role="alert" title={done}>
        <p>{deskUnsentTexts[email]} Let the patient know yourself.</p>
      </Notice>
      <div>
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  )
}
