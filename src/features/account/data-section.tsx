import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { openCookieBanner, useConsentId } from '#app/lib/consent.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { saveFile } from '#app/lib/files.ts'
import { dayOf, formatDay, formatTime } from '#app/lib/format/dates.ts'
import { formatMoney } from '#app/lib/format/money.ts'
import { plural } from '#app/lib/format/words.ts'
import { endSession } from '#app/lib/session.ts'
import { PartBoundary } from '#app/parts/data-boundary.tsx'
import { useStepUp } from '#app/parts/step-up.tsx'
import { clearPrivateQueries } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import { LoadNotice, Notice } from '#app/ui/notice.tsx'
import { PendingShapes, Skeleton } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Me } from '#contract/auth.ts'
import type { AffectedVisit, ErasurePreview } from '#contract/erasure.ts'
import { AccountSection, ErrorNotice, StateRow } from './account-section.tsx'

/** The person's consent choices, and the way to change them. */
export function ConsentSection() {
  const id = useConsentId()
  return (
    <AccountSection id="consent" title="Cookies">
      <StateRow
        action={
          <Button variant="secondary" onClick={openCookieBanner}>
            Change
            <span className="sr-only"> cookie settings</span>
          </Button>
        }
      >
        {id === null ? (
          <p>{NECESSARY_ONLY}</p>
        ) : (
          <PartBoundary
            failed="Your cookie settings didn’t load"
            pending={<PendingShapes shapes={['h-6 w-72 max-w-full']} />}
          >
            <ConsentText id={id} />
          </PartBoundary>
        )}
      </StateRow>
    </AccountSection>
  )
}

const NECESSARY_ONLY = 'You’ve accepted necessary cookies only.'

function ConsentText({ id }: { id: string }) {
  const [consent] = trpc.profiles.consent.useSuspenseQuery({ consentID: id })
  const agreed = [
    consent?.preferences && 'preferences',
    consent?.statistics && 'statistics',
  ].filter(Boolean)
  return (
    <p>
      {agreed.length > 0
        ? `You’ve accepted necessary cookies, and ${agreed.join(' and ')}.`
        : NECESSARY_ONLY}
    </p>
  )
}

/** Download of all data held about the person. */
export function DataSection() {
  const { client } = trpc.useUtils()
  const prove = useStepUp()
  const download = useMutation({
    mutationFn: () => prove(() => client.profiles.exportData.mutate()),
    onSuccess: (data) => {
      const day = data.made_at.slice(0, 10)
      saveFile(`apposite-data-${day}.json`, JSON.stringify(data, null, 2), 'application/json')
    },
  })
  return (
    <AccountSection
      id="data"
      title="Your data"
      lead="A file with all the data we hold about you, in a machine-readable format."
    >
      <div className="flex flex-col gap-4">
        <ErrorNotice error={download.error} title="We couldn’t create the file" />
        <StateRow
          action={
            <Button
              variant="secondary"
              isBusy={download.isPending}
              onClick={() => download.mutate()}
            >
              {download.isPending ? 'Collecting' : 'Download your data'}
            </Button>
          }
        >
          <p role="status">
            {download.isSuccess ? 'Your download has started.' : 'One JSON file.'}
          </p>
        </StateRow>
      </div>
    </AccountSection>
  )
}

/** The patient's visits; the list is rendered by another feature. */
export function VisitsSection({ children }: { children: ReactNode }) {
  return (
    <AccountSection id="visits" title="Visits">
      {children}
    </AccountSection>
  )
}

/** Permanently deletes the account, after a confirmation and step-up authentication. */
export function EraseSection({ me }: { me: Me }) {
  const utils = trpc.useUtils()
  const prove = useStepUp()
  const client = useQueryClient()
  const router = useRouter()
  const [isAsking, setAsking] = useState(false)
  const [isSure, setSure] = useState(false)
  // Data loaded for an earlier confirmation may be out of date.
  const ahead = trpc.erasure.ahead.useQuery({}, { enabled: isAsking, staleTime: 0, gcTime: 0 })
  const { data: coming } = trpc.booking.visits.useQuery(
    { when: 'coming' },
    { enabled: isAsking && me.kind === 'patient', staleTime: 0 },
  )
  const erase = useMutation({
    mutationFn: (seen: string | undefined) =>
      prove(() =>
        utils.client.erasure.erase.mutate({ confirm: true, ...(seen !== undefined && { seen }) }),
      ),
    // Closes first, as step-up opens its own dialog and two at once would conflict.
    onMutate: () => setAsking(false),
    onError: async (error) => {
      if (describeFailure(error).code !== 'visits_changed') return
      // Shows the current state next time.
      await utils.erasure.ahead.reset()
      setAsking(true)
    },
    onSuccess: async (answer) => {
      await router.navigate({ to: '/home', ignoreBlocker: true })
      endSession(answer.localStorage)
      clearPrivateQueries(client)
      void showToast('Your account is deleted.')
    },
  })
  const ask = () => {
    setSure(false)
    erase.reset()
    setAsking(true)
  }
  return (
    <AccountSection
      id="erase"
      title="Delete your account"
      lead="This can’t be undone. Download your data first if you want to keep it."
    >
      <div className="flex flex-col gap-4">
        {!isAsking && <ErrorNotice error={erase.error} title="Your account wasn’t deleted" />}
        <div>
          <Button variant="dangerQuiet" isBusy={erase.isPending} onClick={ask}>
            Delete account
          </Button>
        </div>
      </div>
      <EraseDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        ahead={ahead.isFetching ? undefined : ahead.data}
        aheadError={ahead.isFetching ? null : ahead.error}
        isVisiting={coming?.visits.some(({ state }) => state === 'confirmed') ?? false}
        onRetry={() => void ahead.refetch()}
        refusal={erase.error}
        isSure={isSure}
        onSure={setSure}
        onErase={() => erase.mutate(ahead.data?.version)}
      />
    </AccountSection>
  )
}

function AheadRow({ startsAt, timeZone, patientName }: AffectedVisit) {
  return (
    <li className="flex flex-wrap justify-between gap-x-4">
      <span className="tabular">
        {formatDay(dayOf(startsAt, timeZone), timeZone)}, {formatTime(startsAt, timeZone)}
      </span>
      <span>{patientName ?? 'Former patient'}</span>
    </li>
  )
}

/** The effect on visits the provider added at the desk; most of those patients gave no email address. */
function DeskNotice({ deskCount: count }: Pick<ErasurePreview, 'deskCount'>) {
  if (count === 0) return null
  const what = count === 1 ? '1 phone or walk-in visit' : `${count} phone and walk-in visits`
  return (
    <Notice kind="warn" title={`${what} will be cancelled`}>
      <p>We email only patients whose email address you entered. Tell the others first.</p>
    </Notice>
  )
}

/** The effect on paid visits of the provider's patients. */
function AheadNotice({ count, visits, refunds }: ErasurePreview) {
  if (count === 0) return null
  const sum = refunds.map(formatMoney).join(' and ')
  const rest = count - visits.length
  return (
    <Notice kind="warn" title={`${plural(count, 'upcoming visit')} will be cancelled`}>
      <p>
        {sum === '' ? 'We’ll email your patients.' : `We’ll email your patients and refund ${sum}.`}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, with the keyboard too */}
      <ul aria-label="Upcoming visits" tabIndex={0} className="mt-2 max-h-40 overflow-y-auto pr-2">
        {visits.map((visit) => (
          <AheadRow key={visit.id} {...visit} />
        ))}
        {rest > 0 && <li>and {rest} more</li>}
      </ul>
    </Notice>
  )
}

/** The effect on a patient's own visits: none, which would surprise those who expect their money back. */
function OwnVisitsNotice() {
  return (
    <Notice kind="warn" title="Your upcoming visits stay booked">
      <p>
        Deleting your account doesn’t cancel or refund them, and you can’t do so online afterwards.
        Cancel the visits you don’t need first, in{' '}
        <TextLink to="/userProfile" search={{ section: 'visits' }}>
          your visits
        </TextLink>
        .
      </p>
    </Notice>
  )
}

type EraseDialogProps = {
  isOpen: boolean
  onClose: () => void
  /** What would be cancelled; undefined while unknown. */
  ahead: ErasurePreview | undefined
  /** Why that is unknown. */
  aheadError: unknown
  /** The viewer is a patient with an upcoming visit. */
  isVisiting: boolean
  onRetry: () => void
  /** Why the last attempt was refused. */
  refusal: unknown
  isSure: boolean
  onSure: (isSure: boolean) => void
  onErase: () => void
}

/** Confirms deleting the account, and shows whose visits would be cancelled. */
function EraseDialog(props: EraseDialogProps) {
  const { isOpen, onClose, ahead, aheadError, isVisiting, onRetry } = props
  const { refusal, isSure, onSure, onErase } = props
  const isUnknown = ahead === undefined && Boolean(aheadError)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Delete your account?"
      footer={
        <>
          <Button variant="danger" disabled={!isSure || ahead === undefined} onClick={onErase}>
            Delete for good
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep my account
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ErrorNotice error={refusal} title="Your account wasn’t deleted" />
        <p>
          Your name, address, phone number, photo and messages are deleted straight away, on all
          devices. We keep only what the law requires, without your name.
        </p>
        {isUnknown && (
          <LoadNotice
            title="Your upcoming visits didn’t load"
            error={aheadError}
            onRetry={onRetry}
          />
        )}
        {ahead === undefined && !isUnknown && <Skeleton className="h-24 w-full" />}
        {ahead !== undefined && (
          <>
            <AheadNotice {...ahead} />
            <DeskNotice {...ahead} />
            {isVisiting && <OwnVisitsNotice />}
          </>
        )}
        <Checkbox
          label="I want to delete my account."
          checked={isSure}
          onChange={({ target }) => onSure(target.checked)}
        />
      </div>
    </Dialog>
  )
}
