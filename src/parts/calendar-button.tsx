import { useMutation } from '@tanstack/react-query'
import { CalendarPlus } from 'lucide-react'
import { describeFailure } from '#app/lib/errors.ts'
import { saveFile } from '#app/lib/files.ts'
import { trpc } from '#app/trpc.ts'
import { Button, type ButtonVariant } from '#app/ui/button.tsx'

type CalendarButtonProps = {
  visitId: string
  /** Told apart from others on the same page by screen readers: "Dr Amara Okafor, 9 March". */
  what: string
  variant?: ButtonVariant
}

/** Fetches the calendar file of a visit and hands it to the browser. */
export function CalendarButton({ visitId, what, variant = 'secondary' }: CalendarButtonProps) {
  const { client } = trpc.useUtils()
  const fetching = useMutation({
    mutationFn: () => client.booking.calendar.query({ id: visitId }),
    onSuccess: ({ fileName, text }) => saveFile(fileName, text, 'text/calendar;charset=utf-8'),
  })
  return (
    <>
      <Button variant={variant} isBusy={fetching.isPending} onClick={() => fetching.mutate()}>
        {!fetching.isPending && <CalendarPlus aria-hidden="true" className="size-5" />}
        Add to calendar
        <span className="sr-only">: {what}</span>
      </Button>
      {fetching.error && (
        <p role="alert" className="basis-full font-medium text-danger">
          {describeFailure(fetching.error).sentence}
        </p>
      )}
    </>
  )
}
