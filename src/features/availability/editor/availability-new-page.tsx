import { Link, useBlocker } from '@tanstack/react-router'
import { plural } from '#app/features/availability/hours/format.ts'
import { DatesForm } from '#app/features/availability/own/dates-form.tsx'
import { HoursPage, Panel } from '#app/features/availability/own/page-states.tsx'
import { PreviewCalendar } from '#app/features/availability/own/preview-calendar.tsx'
import { Button, TextLink } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import type { Availability } from '#contract/availability.ts'
import { HoursEditor } from './hours-editor.tsx'
import { type Editor, useEditor } from './use-editor.ts'

type EditorTab = 'hours' | 'dates'

const linkClass =
  'inline-flex min-h-11 flex-1 items-center justify-center rounded-field px-4 font-semibold text-brand-deep ' +
  'no-underline transition-colors duration-150 hover:bg-tint aria-[current=page]:bg-brand aria-[current=page]:text-on-brand'

const exactMatch = { exact: true, includeSearch: true }

function EditorTabs() {
  return (
    <nav
      aria-label="Kind of availability"
      className="mt-4 flex max-w-form gap-1 rounded-card border border-line bg-surface p-1"
    >
      <Link
        to="/doctor/availability/new"
        replace
        resetScroll={false}
        activeOptions={exactMatch}
        className={linkClass}
      >
        Weekly hours
      </Link>
      <Link
        to="/doctor/availability/new"
        search={{ view: 'dates' }}
        replace
        resetScroll={false}
        activeOptions={exactMatch}
        className={linkClass}
      >
        Extra dates
      </Link>
    </nav>
  )
}

function DatesTab({ mine }: { mine: Availability }) {
  return (
    <>
      <Panel
        id="extra-dates"
        title="Extra dates"
        lead="Hours on single days besides the weekly ones: a Saturday clinic, a late evening."
      >
        <DatesForm mine={mine} />
      </Panel>
      <Panel
        id="preview"
        title="The next four weeks"
        lead="As patients can book them now. A plus marks extra hours."
      >
        <PreviewCalendar mine={mine} />
      </Panel>
    </>
  )
}

/** Asks for confirmation before leaving the page with unsaved changes. */
function LeaveGuard({ editor }: { editor: Editor }) {
  const { isTouched, changes } = editor
  const { status, proceed, reset } = useBlocker({
    // The page's other tab has the same path and keeps the draft.
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

function Parts({ mine, half }: { mine: Availability; half: EditorTab }) {
  const editor = useEditor(mine)
  return (
    <>
      <LeaveGuard editor={editor} />
      <EditorTabs />
      <div className="mt-6 flex min-w-0 flex-col gap-6">
        {half === 'hours' ? <HoursEditor editor={editor} /> : <DatesTab mine={mine} />}
        <p className="text-muted">
          Days off, everything you have set, and why a time is not offered:{' '}
          <TextLink to="/doctor/availability/all">All Availabilities</TextLink>.
        </p>
      </div>
    </>
  )
}

/** `/doctor/availability/new`: the weekly hours, and extra dates. */
export function AvailabilityNewPage({ half }: { half: EditorTab }) {
  return (
    <HoursPage title="Add New Availability">
      {(mine) => <Parts mine={mine} half={half} />}
    </HoursPage>
  )
}
