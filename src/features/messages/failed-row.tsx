import { describeFailure } from '#app/lib/errors.ts'
import { type Gate } from '#app/parts/role-gate.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { dateFormat } from '#contract/intl.ts'
import type { FailedDelivery } from '#contract/messages-staff.ts'
import { causeWords, kindWords } from './failed-words.ts'

/** On the reader's own clock: this is about our servers, not about a visit. */
function when(at: string): string {
  return dateFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
}

/** Has a letter tried again at once; the list then shows what is left. */
function useRetry() {
  const utils = trpc.useUtils()
  return trpc.messages.retry.useMutation({
    onSuccess: () => void showToast('It is on its way again.'),
    onError: (error) => void showToast(describeFailure(error).sentence),
    onSettled: async () => {
      await Promise.all([
        utils.messages.failed.invalidate(),
        utils.messages.failedCount.invalidate(),
      ])
    },
  })
}

type FailedRowProps = { delivery: FailedDelivery; gate: Gate }

/** A letter that was given up: what, to whom, why, and the way to try it again. */
export function FailedRow({ delivery, gate }: FailedRowProps) {
  const retry = useRetry()
  const { id, kind, to, writtenAt, failedAt, tries, why, hasSecret } = delivery
  return (
    <li className="flex flex-col gap-3 px-4 py-4 sm:px-6 lg:flex-row lg:items-start lg:gap-6">
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{kindWords[kind]}</p>
        <p className="wrap-anywhere text-muted">
          {to.length === 0 ? 'No letter, or nobody to write to any more' : to.join(', ')}
        </p>
        {hasSecret && (
          <p className="mt-1 text-sm text-muted">
            Its link or code may have run out: who waits for it can ask for a new one.
          </p>
        )}
      </div>
      <div className="min-w-0 lg:w-80">
        <p>{causeWords(why)}</p>
        <p className="tabular text-sm text-muted">
          Given up {when(failedAt)} after {tries} tries; written {when(writtenAt)}
        </p>
      </div>
      <Button
        variant="secondary"
        {...gate}
        isBusy={retry.isPending}
        onClick={() => retry.mutate({ id })}
        className="self-start"
      >
        Send again
        <span className="sr-only">({[kindWords[kind], ...to].join(', ')})</span>
      </Button>
    </li>
  )
}
