import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useConfirmedChange } from '#app/features/availability/own/use-mine.tsx'
import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability, ChangeAnswer } from '#contract/availability.ts'

type RemoveDialogProps = {
  places: Availability['places']
  title: string
  /** What it means. */
  children: ReactNode
  /** "Delete extra date". */
  action: string
  done: string
  act: (confirmed: string[]) => Promise<ChangeAnswer>
  onClose: (isRemoved: boolean) => void
}

/** The question before something is deleted; booked visits it hits are listed next. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { places, title, children, action, done, act, onClose } = props
  const { send, question } = useConfirmedChange(places)
  const removing = useMutation({
    mutationFn: () => send(act),
    onSuccess: ({ saved }) => {
      onClose(saved)
      if (saved) void showToast(done)
    },
  })
  if (question) return question
  return (
    <Dialog
      isOpen
      onClose={() => onClose(false)}
      title={title}
      footer={
        <>
          <Button variant="danger" isBusy={removing.isPending} onClick={() => removing.mutate()}>
            {action}
          </Button>
          <Button variant="secondary" onClick={() => onClose(false)}>
            Keep it
          </Button>
        </>
      }
    >
      {children}
      {removing.error && (
        <Notice kind="danger" role="alert" title="Not deleted" className="mt-4">
          <p>{describeFailure(removing.error).sentence}</p>
        </Notice>
      )}
    </Dialog>
  )
}
