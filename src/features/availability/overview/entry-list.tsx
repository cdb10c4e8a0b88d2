import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useConfirmedChange, useNewestMine } from '#app/features/availability/own/own-hours.tsx'
import { useFormInPlace, useOpened } from '#app/lib/browser-hooks.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability, ChangeResponse } from '#contract/availability.ts'

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
  const { entries, renderForm, renderRemove, addLabel, empty } = props
  const box = useRef<HTMLDivElement>(null)
  const [removedId, setRemovedId, close] = useOpened<string>()
  const load = useNewestMine()
  const back = useRef<string | null>(null)
  useEffect(() => {
    if (removedId !== null) {
      back.current = removedId
      return
    }
    // Whoever has moved on while it was saved keeps the focus.
    if (back.current !== null && document.activeElement === document.body) {
      const target = box.current?.querySelector<HTMLElement>(`[data-remove="${back.current}"]`)
      // The focused element was removed with its entry, so the heading above takes the focus.
      const heading = box.current?.closest('section')?.querySelector<HTMLElement>('h2')
      ;(target ?? heading)?.focus()
    }
    back.current = null
  }, [removedId])
  const removed = entries.find(({ id }) => id === removedId)
  return (
    <div ref={box}>
      {entries.length === 0 && <p className="text-muted">{empty}</p>}
      <ul className="flex flex-col divide-y divide-line">
        {entries.map((entry) => (
          <EntryItem key={entry.id} {...props} entry={entry} onRemove={setRemovedId} />
        ))}
      </ul>
      {addLabel !== undefined && (
        <NewEntry
          label={addLabel}
          renderForm={(closeForm) => renderForm(null, closeForm)}
          className={entries.length > 0 ? 'mt-4 border-t border-line pt-4' : 'mt-4'}
        />
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

type EntryItemProps<One extends Entry> = Pick<
  EntryListProps<One>,
  'nameOf' | 'render' | 'renderForm'
> & { entry: One; onRemove: (id: string) => void }

function EntryItem<One extends Entry>(props: EntryItemProps<One>) {
  const { entry, nameOf, render, renderForm, onRemove } = props
  const { box, opener, isOpen, open, close } = useFormInPlace<HTMLLIElement>()
  return (
    <li ref={box} className="py-3 first:pt-0 last:pb-0">
      {isOpen ? (
        renderForm(entry, close)
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <div className="min-w-0">{render(entry)}</div>
          <div className="-mx-4 flex">
            <Button
              ref={opener}
              variant="quiet"
              aria-label={`Edit ${nameOf(entry)}`}
              onClick={open}
            >
              Edit
            </Button>
            <Button
              variant="quiet"
              data-remove={entry.id}
              aria-label={`Delete ${nameOf(entry)}`}
              onClick={() => onRemove(entry.id)}
              className="text-danger"
            >
              Delete
            </Button>
          </div>
        </div>
      )}
    </li>
  )
}

type NewEntryProps = {
  label: string
  renderForm: (close: () => void) => ReactNode
  className: string
}

function NewEntry({ label, renderForm, className }: NewEntryProps) {
  const { box, opener, isOpen, open, close } = useFormInPlace<HTMLDivElement>()
  return (
    <div ref={box} className={className}>
      {isOpen ? (
        renderForm(close)
      ) : (
        <Button ref={opener} variant="secondary" onClick={open}>
          {label}
        </Button>
      )}
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
  if (question) return <>{question}</>
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
