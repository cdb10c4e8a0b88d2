import { Link } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useId } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { formatLocalMoment } from '#app/lib/format/dates.ts'
import { StaffHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { type DisabledProps, RoleReason, useStaffRefusal } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { FailedDelivery, FailedKind, FailedPage } from '#contract/messages.ts'

function Frame({ lead, children }: { lead?: string; children: ReactNode }) {
  return (
    <>
      <StaffHeading title="Failed emails" lead={lead} />
      <div className="mt-6">{children}</div>
    </>
  )
}

function Deliveries({ failed }: { failed: FailedPage }) {
  const id = useId()
  const isBarred = useStaffRefusal('retryMail') !== null
  const disabledProps = isBarred ? { disabled: true, 'aria-describedby': id } : { disabled: false }
  return (
    <div className="flex flex-col gap-4">
      <RoleReason act="retryMail" id={id} />
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {failed.deliveries.map((delivery) => (
          <FailedRow key={delivery.id} delivery={delivery} disabledProps={disabledProps} />
        ))}
      </ul>
      <Pagination
        page={failed.current_page}
        pages={failed.total_pages}
        renderLink={(page, props) => (
          <Link to="/admin-home/mail" search={page === 1 ? {} : { page }} {...props} />
        )}
      />
    </div>
  )
}

function Failed({ page }: { page: number }) {
  const [failed] = trpc.messages.failed.useSuspenseQuery(
    { page: useDeferredValue(page) },
    { refetchOnWindowFocus: 'always' },
  )
  if (failed.total === 0) {
    return (
      <Frame>
        <EmptyState title="Everything was delivered">
          We try to deliver an email 24 times, over most of a day. Those that still couldn’t be
          delivered are listed here.
        </EmptyState>
      </Frame>
    )
  }
  return (
    <Frame lead="Emails we stopped retrying after 24 attempts, newest first.">
      <Deliveries failed={failed} />
    </Frame>
  )
}

/** `/admin-home/mail`: emails that could not be delivered and are no longer retried. */
export function FailedMailPage({ page }: { page: number }) {
  return (
    <DataBoundary
      failed="The list didn’t load"
      renderFrame={(state) => <Frame>{state}</Frame>}
      pending={<PendingShapes shapes={['h-64']} />}
    >
      <Failed page={page} />
    </DataBoundary>
  )
}

/** Retries an email at once and refetches the list. */
function useRetry() {
  const utils = trpc.useUtils()
  return trpc.messages.retry.useMutation({
    onSuccess: () => void showToast('We’re sending it again.'),
    onError: (error) => void showToast(describeFailure(error).sentence),
    onSettled: async () => {
      await Promise.all([
        utils.messages.failed.invalidate(),
        utils.messages.failedCount.invalidate(),
      ])
    },
  })
}

type FailedRowProps = { delivery: FailedDelivery; disabledProps: DisabledProps }

/** An undelivered email: its kind, recipient and error, with a Retry button. */
function FailedRow({ delivery, disabledProps }: FailedRowProps) {
  const retry = useRetry()
  const { id, kind, isReadable, to, writtenAt, failedAt, tries, why, hasSecret } = delivery
  const noRecipient = isReadable
    ? 'Not an email, or it no longer has a recipient'
    : 'We can’t read its contents: they’re damaged, or encrypted with another key'
  return (
    <li className="flex flex-col gap-3 px-4 py-4 sm:px-6 lg:flex-row lg:items-start lg:gap-6">
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{kindLabels[kind]}</p>
        <p className="wrap-anywhere text-muted">{to.length === 0 ? noRecipient : to.join(', ')}</p>
        {hasSecret && (
          <p className="mt-1 text-sm text-muted">
            Its link or code may have expired. The recipient can ask for a new one.
          </p>
        )}
      </div>
      <div className="min-w-0 lg:w-80">
        <p>{causeText(why)}</p>
        <p className="tabular text-sm text-muted">
          Stopped retrying {formatLocalMoment(failedAt)} after {tries} attempts; created{' '}
          {formatLocalMoment(writtenAt)}
        </p>
      </div>
      <Button
        variant="secondary"
        {...disabledProps}
        isBusy={retry.isPending}
        onClick={() => retry.mutate({ id })}
        className="self-start"
      >
        Send again
        <span className="sr-only">({[kindLabels[kind], ...to].join(', ')})</span>
      </Button>
    </li>
  )
}

/** Label of each kind of failed delivery. */
const kindLabels: Record<FailedKind, string> = {
  contact: 'Message from the contact form',
  confirm_email: 'Link to confirm an address',
  reset_password: 'Link to reset a password',
  one_time_code: 'One-time code',
  account: 'Account update',
  visit: 'Confirmation of a visit',
  refund: 'Refund update',
  payment_alert: 'Payment that needs review',
  differences: 'Payment discrepancies',
  bank_account: 'Bank account change',
  access_token: 'New access token',
  standing_lost: 'Verification lost',
  decision: 'Decision about a provider',
  request: 'Request to a provider',
  company: 'Decision about a company',
  clean_up: 'Background task',
}

/** Wording of the most common mail server and network error codes. */
const causeLabels = new Map([
  ['ECONNREFUSED', 'The mail server refused the connection'],
  ['ECONNECTION', 'The mail server couldn’t be reached'],
  ['ECONNRESET', 'The mail server dropped the connection'],
  ['ETIMEDOUT', 'The mail server didn’t answer in time'],
  ['ENOTFOUND', 'The mail server wasn’t found'],
  ['EAUTH', 'The mail server didn’t accept our password'],
  ['EENVELOPE', 'The mail server didn’t accept the address'],
])

/** Cause of a failure: known codes in words, others as the server reported them. */
function causeText(why: string): string {
  const code = why.split(' ').at(-1) ?? ''
  if (/^5\d\d$/.test(code)) return `The mail server rejected it permanently (${code})`
  if (/^4\d\d$/.test(code)) return `The mail server kept deferring it until we gave up (${code})`
  return causeLabels.get(code) ?? (why === '' ? 'Unknown' : why)
}
