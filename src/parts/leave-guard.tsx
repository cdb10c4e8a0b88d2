import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Saving, UnsavedForms } from '#app/lib/forms/unsaved-forms.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

type LeaveQuestionProps = {
  /** Whether anything would be lost now. */
  isUnsaved: () => boolean
  /** Waits for what is being saved at the moment; whether anything would be lost even then. */
  staysUnsaved?: () => Promise<boolean>
  /** The page's search parameters only choose a tab: input outlasts a change of them. */
  keepsTabs?: boolean
  /** Says what would be lost. */
  children: ReactNode
}

/** Asks for confirmation before leaving a page with unsaved input. */
export function LeaveQuestion(props: LeaveQuestionProps) {
  const { isUnsaved, staysUnsaved, keepsTabs = false, children } = props
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      const isLeaving =
        current.pathname !== next.pathname ||
        (!keepsTabs && JSON.stringify(current.search) !== JSON.stringify(next.search))
      return isLeaving && isUnsaved() && (staysUnsaved === undefined || staysUnsaved())
    },
    enableBeforeUnload: isUnsaved,
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
      {children}
    </Dialog>
  )
}

/** Asks before leaving while any form inside, in place or in a dialog, has unsaved input. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const [forms] = useState(() => new Map<string, Saving>())
  const staysUnsaved = async () => {
    const saved = await Promise.all(forms.values())
    return saved.includes(false)
  }
  return (
    <UnsavedForms value={forms}>
      {children}
      <LeaveQuestion isUnsaved={() => forms.size > 0} staysUnsaved={staysUnsaved}>
        <p>What you entered isn’t saved yet.</p>
      </LeaveQuestion>
    </UnsavedForms>
  )
}
