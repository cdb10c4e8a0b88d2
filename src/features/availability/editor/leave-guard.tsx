import { useBlocker } from '@tanstack/react-router'
import { plural } from '#app/features/availability/hours/words.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import type { Editor } from './use-editor.ts'

/** Asks before a page with changes that are not saved is left, whichever way. */
export function LeaveGuard({ editor }: { editor: Editor }) {
  const { isTouched, changes } = editor
  const { status, proceed, reset } = useBlocker({
    // The other half of the page keeps everything.
    shouldBlockFn: ({ current, next }) => isTouched && current.pathname !== next.pathname,
    enableBeforeUnload: () => isTouched,
    withResolver: true,
  })
  return (
    <Dialog
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      title="Leave without saving?"
      footer={
        <>
          <Button variant="danger" onClick={() => proceed?.()}>
            Leave without saving
          </Button>
          <Button variant="secondary" onClick={() => reset?.()}>
            Stay here
          </Button>
        </>
      }
    >
      <p>
        {changes === 0 ? 'What you changed is' : `${plural(changes, 'change')} in your hours`}
        {changes === 1 && ' is'}
        {changes > 1 && ' are'} not saved yet.
      </p>
    </Dialog>
  )
}
