import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { withDefaultWeek } from '#app/features/availability/hours/draft.ts'
import {
  type DatesEditing,
  DatesFields,
  useDatesForm,
} from '#app/features/availability/own/dates-form.tsx'
import {
  HoursPage,
  Panel,
  useConfirmedChange,
  useNewestMine,
} from '#app/features/availability/own/own-hours.tsx'
import { PreviewCalendar } from '#app/features/availability/own/preview-calendar.tsx'
import { useFocusWhenLost } from '#app/lib/browser-hooks.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { plural } from '#app/lib/format/words.ts'
import { LeaveQuestion } from '#app/parts/leave-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkTabs, linkTab, TextLink } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { LiveRegion } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability } from '#contract/availability.ts'
import { RulesPart, showFirstProblem, WeekPart } from './hours-form.tsx'
import { type Editor, useEditor } from './use-editor.ts'

type EditorTab = 'hours' | 'dates'

function EditorTabs() {
  return (
    <LinkTabs label="Availability type" className="mt-4 max-w-form">
      <Link to="/doctor/availability/new" resetScroll={false} {...linkTab}>
        Weekly hours
      </Link>
      <Link
        to="/doctor/availability/new"
        search={{ view: 'dates' }}
        resetScroll={false}
        {...linkTab}
      >
        Extra dates
      </Link>
    </LinkTabs>
  )
}

function DatesTab({ mine, editing }: { mine: Availability; editing: DatesEditing }) {
  return (
    <>
      <Panel
        id="extra-dates"
        title="Extra dates"
        lead="Hours on single days besides the weekly ones: a Saturday clinic, a late evening."
      >
        <DatesFields mine={mine} {...editing} />
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

/** Asks for confirmation before leaving the page with unsaved changes or chosen days. */
function LeaveGuard({ editor, chosenDays }: { editor: Editor; chosenDays: number }) {
  const { changes } = editor
  const isTouched = editor.isTouched || chosenDays > 0
  return (
    // The page's other tab keeps the draft.
    <LeaveQuestion isUnsaved={() => isTouched} keepsTabs>
      {editor.isTouched && (
        <p>
          {changes === 0 ? 'What you changed is' : `${plural(changes, 'change')} in your hours`}
          {changes === 1 && ' is'}
          {changes > 1 && ' are'} not saved yet.
        </p>
      )}
      {chosenDays > 0 && (
        <p>
          {plural(chosenDays, 'extra date')} {chosenDays === 1 ? 'is' : 'are'} not added yet.
        </p>
      )}
    </LeaveQuestion>
  )
}

function Parts({ mine, half }: { mine: Availability; half: EditorTab }) {
  const editor = useEditor(mine)
  // Here, so that what is typed in one tab outlasts a look at the other.
  const dates = useDatesForm({ mine })
  return (
    <>
      <LeaveGuard editor={editor} chosenDays={dates.form.values.dates.length} />
      <EditorTabs />
      <div className="mt-6 flex min-w-0 flex-col gap-6">
        {half === 'hours' ? (
          <HoursEditor editor={editor} />
        ) : (
          <DatesTab mine={mine} editing={dates} />
        )}
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

/** Saves the draft; if booked visits would fall outside it, lists them and asks first. */
function useSaveHours(editor: Editor) {
  const { client } = trpc.useUtils()
  const { send, question } = useConfirmedChange(editor.base.places)
  const saving = useMutation({
    mutationFn: async () => {
      const sent = editor.draft
      const input = { ...editor.input(), version: editor.base.version }
      const answer = await send((confirmed) =>
        client.availability.saveHours.mutate({ ...input, confirmed }),
      )
      return { ...answer, sent }
    },
    onSuccess: ({ saved, mine, sent }) => {
      if (!saved) return
      editor.adoptSaved(mine, sent)
      void showToast('Your hours are saved.')
    },
  })
  return { saving, question }
}

type SaveFailureProps = { error: unknown; editor: Editor; onSettled: () => void }

/** Why saving failed. After a change in another window it offers both versions; the draft is kept. */
function SaveFailure({ error, editor, onSettled }: SaveFailureProps) {
  const load = useNewestMine()
  const [message, setMessage] = useState('')
  const { code, sentence, reference } = describeFailure(error)
  const resolveConflict = async (keepsDraft: boolean) => {
    try {
      const mine = await load()
      if (keepsDraft) editor.rebase(mine)
      else editor.reset(mine)
      onSettled()
    } catch (failure) {
      setMessage(describeFailure(failure).sentence)
    }
  }
  return (
    <Notice kind="danger" role="alert" title="Not saved">
      <p>{sentence}</p>
      {reference && <p className="text-sm text-muted">Reference: {reference}</p>}
      {code === 'changed_meanwhile' && (
        <>
          <p className="mt-1">What you set here is still here.</p>
          {message !== '' && <p className="mt-1">{message}</p>}
          <div className="mt-3 flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => void resolveConflict(true)}>
              Keep mine, then save
            </Button>
            <Button variant="secondary" onClick={() => void resolveConflict(false)}>
              Reload what is saved
            </Button>
          </div>
        </>
      )}
    </Notice>
  )
}

/** Shows a typical week to start from, or offers it as a button. */
function FirstWeek({ editor }: { editor: Editor }) {
  const { base, draft, change } = editor
  const [place] = base.places
  if (place === undefined || base.hours.length > 0) return null
  // Stays while the week is edited: removing it during a press would shift what is pressed.
  if (base.version === 0) {
    return (
      <Notice title="A typical week to start from">
        <p>
          Monday to Friday, nine to five, with an hour for lunch. Change what doesn’t suit you, then
          save: patients can book straight away.
        </p>
      </Notice>
    )
  }
  if (draft.ranges.length > 0) return null
  return (
    <Notice title="You have no weekly hours">
      <Button
        variant="secondary"
        className="mt-3"
        onClick={() => change(withDefaultWeek(draft, place.id), 'Monday to Friday filled in')}
      >
        Start with Monday to Friday, nine to five
      </Button>
    </Notice>
  )
}

type SaveBarProps = {
  editor: Editor
  isBusy: boolean
  /** The last attempt to save failed, and the page offers what to do. */
  isFailed: boolean
  onSave: () => void
}

function statusText({ base, changes, isTouched, isSound, problems }: Editor): string {
  if (!isSound) {
    return plural(Math.max(1, problems.size), 'mistake')
  }
  if (base.version === 0 && !isTouched) return 'A week to start from, not saved yet'
  return changes === 0 ? 'Everything is saved' : plural(changes, 'change')
}

/** Unsaved changes with the Save button, always in view while there are any. */
function SaveBar({ editor, isBusy, isFailed, onSave }: SaveBarProps) {
  const { changes, isTouched, discard } = editor
  const hasWork = changes > 0 || !editor.isSound
  const status = useRef<HTMLParagraphElement>(null)
  // Saving, discarding and filling in a first week remove the button that was pressed.
  useFocusWhenLost(status, `${hasWork} ${isTouched} ${isFailed}`)
  return (
    <div
      className={
        hasWork
          ? 'sticky bottom-[calc(var(--banner-height,0px)+0.75rem)] z-10 rounded-card border border-line bg-surface p-3 shadow-float sm:px-4'
          : 'rounded-card border border-transparent py-1'
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p
          ref={status}
          role="status"
          tabIndex={-1}
          className={hasWork ? 'font-semibold' : 'text-muted'}
        >
          {statusText(editor)}
        </p>
        {hasWork && (
          <div className="flex gap-2">
            {isTouched && (
              <Button variant="quiet" onClick={discard}>
                Discard
              </Button>
            )}
            <Button isBusy={isBusy} onClick={onSave}>
              Save hours
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

/** The editor of the weekly hours: booking rules, hours, preview and saving. */
function HoursEditor({ editor }: { editor: Editor }) {
  const { saving, question } = useSaveHours(editor)
  const save = () => {
    if (saving.isPending) return
    if (editor.isSound) saving.mutate()
    else showFirstProblem(editor)
  }
  const hasDraft = editor.changes > 0
  return (
    <form
      data-wide-page
      noValidate
      aria-label="Weekly hours"
      // Scrolls focused controls clear of the sticky bar with the Save button.
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 min-[86rem]:grid-cols-[minmax(0,1fr)_24rem] [&_:is(button,input,select)]:scroll-mb-28"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className="flex min-w-0 flex-col gap-6">
        <LiveRegion text={editor.said} />
        <FirstWeek editor={editor} />
        <Panel
          id="weekly-hours"
          title="Weekly hours"
          lead="When you see patients in a usual week, in local time."
        >
          <div className="flex flex-col gap-5">
            <RulesPart editor={editor} />
            <WeekPart editor={editor} />
          </div>
        </Panel>
        {saving.error && (
          <SaveFailure error={saving.error} editor={editor} onSettled={() => saving.reset()} />
        )}
        <SaveBar
          editor={editor}
          isBusy={saving.isPending}
          isFailed={saving.error !== null}
          onSave={save}
        />
      </div>
      {/* On wide screens beside the hours and sticky, so that it stays in view. */}
      <div className="min-w-0 min-[86rem]:sticky min-[86rem]:top-6">
        <Panel
          id="preview"
          title="The next four weeks"
          lead={hasDraft ? 'As they would be with these hours.' : 'As patients can book them now.'}
        >
          <PreviewCalendar
            mine={editor.base}
            {...(hasDraft && editor.isSound && { draft: editor.input() })}
            isWaiting={!editor.isSound}
          />
        </Panel>
      </div>
      {question}
    </form>
  )
}
