import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useConfirmedChange, useNewestMine } from '#app/features/availability/own/own-hours.tsx'
import { useOpened } from '#app/lib/browser-hooks.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability, ChangeResponse } from '#contract/availability.ts'

/** Which form or question of the list is open. */
type Open = { kind: 'new' } | { kind: 'edit' | 'remove'; id: string }

type Entry = { id: string }

type EntryListProps<One extends Entry> = {
  entries: readonly One[]
  /** For labels: "the extra date on Sat 7 March 2026". */
  nameOf: (entry: One) => string
  render: (entry: One) => ReactNode
  renderForm: (entry: One | null, close: () => void) => ReactNode
  renderRemove: (entry: One, close: () => void) => ReactNode
  /** "Add time off"; omitted if adding happens elsewhere. */
  addLabel?: string
  /** Shown when the list is empty. */
  empty: string
}

/** A list with inline forms to edit and delete entries. Focus moves into a form and back afterwards. */
export function EntryList<One extends Entry>(props: EntryListProps<One>) {
  const { entries, nameOf, render, renderForm, renderRemove, addLabel, empty } = props
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen, close] = useOpened<Open>()
  const load = useNewestMine()
  const back = useRef<string | null>(null)
  useEffect(() => {
    const root = box.current
    if (open !== null) {
      back.current = open.kind === 'new' ? '[data-add]' : `[data-${open.kind}="${open.id}"]`
      if (open.kind !== 'remove') {
        root?.querySelector<HTMLElement>('form input, form select')?.focus()
      }
      return
    }
    if (back.current === null) return
    // Whoever has moved on while it was saved keeps the focus.
    if (document.activeElement === document.body) {
      const target = root?.querySelector<HTMLElement>(back.current)
      // The focused element was removed with its entry, so the heading above takes the focus.
      const heading = root?.closest('section')?.querySelector<HTMLElement>('h2')
      ;(target ?? heading)?.focus()
    }
    back.current = null
  }, [open])
  const removed = open?.kind === 'remove' ? entries.find(({ id }) => id === open.id) : undefined
  return (
    <div ref={box}>
      {entries.length === 0 && <p className="text-muted">{empty}</p>}
      <ul className="flex flex-col divide-y divide-line">
        {entries.map((entry) => (
          <li key={entry.id} className="py-3 first:pt-0 last:pb-0">
            {open?.kind === 'edit' && open.id === entry.id ? (
              renderForm(entry, close)
            ) : (
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <div className="min-w-0">{render(entry)}</div>
                <div className="-mx-4 flex">
                  <Button
                    variant="quiet"
                    data-edit={entry.id}
                    aria-label={`Edit ${nameOf(entry)}`}
                    onClick={() => setOpen({ kind: 'edit', id: entry.id })}
                  >
                    Edit
                  </Button>
                  <Button
                    variant="quiet"
                    data-remove={entry.id}
                    aria-label={`Delete ${nameOf(entry)}`}
                    onClick={() => setOpen({ kind: 'remove', id: entry.id })}
                    className="text-danger"
                  >
                    Delete
                  </Button>
                </div>
              </div>
            )}
          </li>
        ))}
      </ul>
      {addLabel !== undefined && (
        <div className={entries.length > 0 ? 'mt-4 border-t border-line pt-4' : 'mt-4'}>
          {open?.kind === 'new' ? (
            renderForm(null, close)
          ) : (
            <Button data-add variant="secondary" onClick={() => setOpen({ kind: 'new' })}>
              {addLabel}
            </Button>
          )}
        </div>
      )}
      {removed &&
        renderRemove(removed, () => {
          close()
          // Reloading resolves a conflict with a change from another window.
          void load().catch(() => undefined)
        })}
    </div>
  )
}

type RemoveDialogProps = {
  places: Availability['places']
  title: string
  /** Explains the consequences. */
  children: ReactNode
  /** Label of the button: "Delete extra date". */
  action: string
  done: string
  act: (confirmed: string[]) => Promise<ChangeResponse>
  onClose: (isRemoved: boolean) => void
}

/** Confirms a deletion; affected booked visits are listed in a second step. */
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
