import { CalendarSync } from 'lucide-react'
import { useState } from 'react'
import { useOpened } from '#app/lib/browser-hooks.ts'
import { formatLocalDate, formatLocalMoment } from '#app/lib/format/dates.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { StepUpDialog, useStepUpState } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, textLinkClass } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Badge } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Me } from '#contract/auth.ts'
import {
  type CalendarFeed,
  CreateFeedInput,
  type CreateFeedResponse,
  MAX_FEEDS,
} from '#contract/calendars.ts'
import { AccountSection, RevokeDialog, ShownOnce, StateRow } from './account-section.tsx'

/** Private URLs by which a calendar app subscribes to the visits. */
export function FeedsSection({ me }: { me: Me }) {
  return (
    <AccountSection
      id="feeds"
      title="Calendar links"
      lead="Subscribe to your visits in Google Calendar, Outlook, Apple Calendar and others. Changes appear automatically: Apple and Outlook check every few hours, Google only every 8 to 24 hours. Links stop working when you sign out everywhere, or change your password or email address."
    >
      <DataBoundary
        failed="Your calendar links didn’t load"
        pending={<PendingShapes shapes={['h-24']} />}
      >
        <Feeds isProvider={me.kind === 'provider'} />
      </DataBoundary>
    </AccountSection>
  )
}

/** The open dialog. */
type Open = { kind: 'create' } | { kind: 'revoke'; feed: CalendarFeed }

function Feeds({ isProvider }: { isProvider: boolean }) {
  const [feeds] = trpc.calendars.list.useSuspenseQuery()
  const [open, setOpen, close] = useOpened<Open>()
  const isFull = feeds.length >= MAX_FEEDS
  const create = (
    <Button variant="secondary" disabled={isFull} onClick={() => setOpen({ kind: 'create' })}>
      Create a link
    </Button>
  )
  return (
    <div className="flex flex-col gap-4">
      {feeds.length === 0 ? (
        <StateRow action={create}>
          <p>You have no calendar links.</p>
        </StateRow>
      ) : (
        <>
          <ul className="divide-y divide-line border-y border-line">
            {feeds.map((feed) => (
              <FeedRow
                key={feed.id}
                feed={feed}
                onRevoke={() => setOpen({ kind: 'revoke', feed })}
              />
            ))}
          </ul>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {create}
            {isFull && (
              <p className="text-muted">
                You can have {MAX_FEEDS} links. Revoke one to create another.
              </p>
            )}
          </div>
        </>
      )}
      {open?.kind === 'create' && <FeedDialog isProvider={isProvider} onClose={close} />}
      {open?.kind === 'revoke' && <RevokeFeedDialog feed={open.feed} onClose={close} />}
    </div>
  )
}

function LastRead({ at }: { at: string | null }) {
  if (at === null) return <>Not read yet</>
  return (
    <>
      Last read <time dateTime={at}>{formatLocalMoment(at)}</time>
    </>
  )
}

type FeedRowProps = { feed: CalendarFeed; onRevoke: () => void }

function FeedRow({ feed: { name, createdAt, lastReadAt, showsNames }, onRevoke }: FeedRowProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 py-4">
      <CalendarSync aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 max-sm:basis-[calc(100%-2.5rem)]">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span className="wrap-anywhere">{name}</span>
          {showsNames && <Badge>First names</Badge>}
        </p>
        <p className="mt-0.5 text-sm text-muted">
          Created <time dateTime={createdAt}>{formatLocalDate(createdAt)}</time>
          <br />
          <LastRead at={lastReadAt} />
        </p>
      </div>
      <Button
        variant="secondary"
        className="max-sm:ml-10"
        aria-label={`Revoke ${name}`}
        onClick={onRevoke}
      >
        Revoke
      </Button>
    </li>
  )
}

function RevokeFeedDialog({ feed, onClose }: { feed: CalendarFeed; onClose: () => void }) {
  const utils = trpc.useUtils()
  const revoking = trpc.calendars.revoke.useMutation({
    onSuccess: async () => {
      await utils.calendars.list.invalidate()
      onClose()
      void showToast('The link is revoked.')
    },
  })
  return (
    <RevokeDialog
      title="Revoke this link?"
      revoking={revoking}
      failureTitle="The link still works"
      onRevoke={() => revoking.mutate({ id: feed.id })}
      onClose={onClose}
    >
      Calendars that use <strong className="wrap-anywhere">{feed.name}</strong> will stop getting
      your visits straight away. Visits they already show may stay until you remove the calendar
      there.
    </RevokeDialog>
  )
}

type FeedDialogProps = { isProvider: boolean; onClose: () => void }

/** Creates a calendar link: its name, what it shows, a step-up if required, and its URL, shown once. */
function FeedDialog({ isProvider, onClose }: FeedDialogProps) {
  const proof = useStepUpState()
  const [made, setMade] = useState<CreateFeedResponse | null>(null)
  return (
    <StepUpDialog
      title={made === null ? 'New calendar link' : 'Copy your calendar link'}
      proof={proof}
      action="Confirm and create"
      onClose={onClose}
    >
      {made === null ? (
        <FeedForm isProvider={isProvider} prove={proof.prove} onMade={setMade} onClose={onClose} />
      ) : (
        <ShownOnce
          label="Calendar link"
          secret={made.url}
          lead={
            <>
              In your calendar, choose to add a calendar from a link or by URL, and paste this. On
              an iPhone or a Mac you can{' '}
              <a href={made.url.replace(/^https?:/, 'webcal:')} className={textLinkClass}>
                open it in Calendar
              </a>
              .
            </>
          }
          warning="Anyone who has this link can see your visits, so don’t share it. You can revoke it here."
          noun="link"
          copy="Copy link"
          done="Done"
          onDone={onClose}
        />
      )}
    </StepUpDialog>
  )
}

type FeedFormProps = FeedDialogProps & {
  prove: ReturnType<typeof useStepUpState>['prove']
  onMade: (made: CreateFeedResponse) => void
}

function FeedForm({ isProvider, prove, onMade, onClose }: FeedFormProps) {
  const utils = trpc.useUtils()
  const form = useForm({
    blank: { name: '', showsNames: false },
    schema: CreateFeedInput,
    send: (input) => prove(() => utils.client.calendars.create.mutate(input)),
    onSent: async (answer) => {
      onMade(answer)
      await utils.calendars.list.invalidate()
    },
  })
  const { showsNames } = form.values
  return (
    <FormFrame form={form} label="New calendar link" failureTitle="No link was created">
      <TextInput
        label="Name"
        hint="The calendar that will use it, such as Phone."
        autoComplete="off"
        maxLength={60}
        {...form.text('name')}
      />
      {isProvider && (
        <div>
          <Checkbox
            label="Show the first names of patients"
            checked={showsNames}
            onChange={() => form.set('showsNames', !showsNames)}
          />
          <p className="text-sm text-muted">
            Without this, visits appear as “Visit” and their reference.
          </p>
        </div>
      )}
      <FormButtons send="Create link" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}
