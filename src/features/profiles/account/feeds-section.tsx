import { CalendarSync } from 'lucide-react'
import { useState } from 'react'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Me } from '#contract/auth.ts'
import { type CalendarFeed, MAX_FEEDS } from '#contract/calendars.ts'
import { AccountSection, FailureNotice, StateRow } from './account-section.tsx'
import { FeedDialog } from './feed-dialog.tsx'
import { dayOf, momentOf } from './token-words.ts'

/** Private URLs by which a calendar app subscribes to the visits. */
export function FeedsSection({ me }: { me: Me }) {
  return (
    <AccountSection
      id="feeds"
      title="Calendar links"
      lead="Subscribe to your visits in Google Calendar, Outlook, Apple Calendar and others. Changes appear automatically: Apple and Outlook check every few hours, Google only every 8 to 24 hours."
    >
      <DataBoundary
        failed="Your calendar links did not load"
        pending={<PendingShapes shapes={['h-24']} />}
      >
        <Feeds isProvider={me.kind === 'provider'} />
      </DataBoundary>
    </AccountSection>
  )
}

function Feeds({ isProvider }: { isProvider: boolean }) {
  const [feeds] = trpc.calendars.list.useSuspenseQuery()
  const [isMaking, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<CalendarFeed | null>(null)
  const isFull = feeds.length >= MAX_FEEDS
  const create = (
    <Button variant="secondary" disabled={isFull} onClick={() => setMaking(true)}>
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
              <FeedRow key={feed.id} feed={feed} onRevoke={() => setRevoking(feed)} />
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
      {isMaking && <FeedDialog isProvider={isProvider} onClose={() => setMaking(false)} />}
      {revoking && <RevokeDialog feed={revoking} onClose={() => setRevoking(null)} />}
    </div>
  )
}

function LastRead({ at }: { at: string | null }) {
  if (at === null) return <>Not read yet</>
  return (
    <>
      Last read <time dateTime={at}>{momentOf(at)}</time>
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
          Created <time dateTime={createdAt}>{dayOf(createdAt)}</time>
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

function RevokeDialog({ feed, onClose }: { feed: CalendarFeed; onClose: () => void }) {
  const utils = trpc.useUtils()
  const revoke = trpc.calendars.revoke.useMutation({
    onSuccess: async () => {
      await utils.calendars.list.invalidate()
      onClose()
      void showToast('The link is revoked.')
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Revoke this link?"
      footer={
        <>
          <Button
            variant="danger"
            isBusy={revoke.isPending}
            onClick={() => revoke.mutate({ id: feed.id })}
          >
            Revoke
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          Calendars that use <strong className="wrap-anywhere">{feed.name}</strong> will stop
          getting your visits straight away. Visits they already show may stay until you remove the
          calendar there.
        </p>
        <FailureNotice error={revoke.error} title="The link still works" />
      </div>
    </Dialog>
  )
}
