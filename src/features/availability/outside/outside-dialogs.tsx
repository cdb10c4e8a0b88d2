import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button, Summary } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import {
  AddOutsideCalendarInput,
  ChangeOutsideCalendarInput,
  type OutsideCalendar,
} from '#contract/outside-calendars.ts'

const nameProps = {
  label: 'Name',
  hint: 'Only you see it, such as Family.',
  autoComplete: 'off',
  maxLength: 60,
}

const urlProps = { type: 'url', autoComplete: 'off', spellCheck: false, maxLength: 2_000 } as const

/** Refetches the external calendars, and everything that shows what they block. */
export function useInvalidateBusyTimes(): () => Promise<void> {
  const { outsideCalendars, availability, booking } = trpc.useUtils()
  return async () => {
    await Promise.all([
      outsideCalendars.list.invalidate(),
      availability.invalidate(),
      booking.today.invalidate(),
    ])
  }
}

/** Adds an external calendar by its URL. */
export function AddCalendarDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils()
  const invalidate = useInvalidateBusyTimes()
  const form = useForm({
    blank: { name: '', address: '', skipsAllDay: false },
    schema: AddOutsideCalendarInput,
    send: (input) => utils.client.outsideCalendars.add.mutate(input),
    codeFields: { outside_calendar_known: 'address' },
    onSent: async ({ failure }) => {
      await invalidate()
      onClose()
      void showToast(
        failure === null
          ? 'The calendar is added.'
          : 'The calendar is added. We’ll read it as soon as its server answers.',
      )
    },
  })
  const { skipsAllDay } = form.values
  return (
    <Dialog isOpen onClose={onClose} title="Add a calendar">
      <FormFrame form={form} label="Add a calendar" failureTitle="The calendar wasn’t added">
        <TextInput {...nameProps} {...form.text('name')} />
        <TextInput
          label="Address"
          hint="Begins with https:// or webcal:// and often ends in .ics. We keep it encrypted and never show it again."
          {...urlProps}
          {...form.text('address')}
        />
        <Checkbox
          label="Ignore all-day events"
          checked={skipsAllDay}
          onChange={() => form.set('skipsAllDay', !skipsAllDay)}
        />
        <details className="text-sm">
          <Summary>Where to find the address</Summary>
          <dl className="mt-2 flex flex-col gap-2">
            <div>
              <dt className="font-semibold">Google Calendar</dt>
              <dd className="text-muted">
                Settings of the calendar, Integrate calendar, Secret address in iCal format.
              </dd>
            </div>
            <div>
              <dt className="font-semibold">Outlook</dt>
              <dd className="text-muted">
                Settings, Calendar, Shared calendars, Publish a calendar, ICS.
              </dd>
            </div>
            <div>
              <dt className="font-semibold">Apple Calendar</dt>
              <dd className="text-muted">
                Share the calendar, turn on Public Calendar, copy the link.
              </dd>
            </div>
          </dl>
        </details>
        <FormButtons send="Add calendar" isBusy={form.isBusy} onCancel={onClose} />
      </FormFrame>
    </Dialog>
  )
}

type CalendarDialogProps = { calendar: OutsideCalendar; onClose: () => void }

/** Changes the name or URL of a calendar; the saved URL is never shown. */
export function EditCalendarDialog({ calendar, onClose }: CalendarDialogProps) {
  const { id, name, host, skipsAllDay } = calendar
  const utils = trpc.useUtils()
  const invalidate = useInvalidateBusyTimes()
  const form = useForm({
    blank: { name, address: '' },
    schema: ChangeOutsideCalendarInput,
    toInput: ({ address, ...rest }) => ({
      ...rest,
      id,
      skipsAllDay,
      ...(address.trim() !== '' && { address }),
    }),
    send: (input) => utils.client.outsideCalendars.change.mutate(input),
    codeFields: { outside_calendar_known: 'address' },
    onSent: async ({ failure }) => {
      await invalidate()
      onClose()
      void showToast(
        form.values.address.trim() === '' || failure === null
          ? 'The calendar is saved.'
          : 'The calendar is saved. We’ll read it as soon as its server answers.',
      )
    },
  })
  return (
    <Dialog isOpen onClose={onClose} title="Edit this calendar">
      <FormFrame form={form} label="Edit this calendar" failureTitle="The calendar wasn’t saved">
        <TextInput {...nameProps} {...form.text('name')} />
        <TextInput
          label="New address"
          isOptional
          hint={`Leave this empty to keep reading the one at ${host}. If the address was reset, paste the new one; what we know stays blocked until we’ve read it.`}
          {...urlProps}
          {...form.text('address')}
        />
        <FormButtons send="Save" isBusy={form.isBusy} onCancel={onClose} />
      </FormFrame>
    </Dialog>
  )
}

/** Confirms the removal of a calendar. */
export function RemoveCalendarDialog({ calendar, onClose }: CalendarDialogProps) {
  const invalidate = useInvalidateBusyTimes()
  const remove = trpc.outsideCalendars.remove.useMutation({
    onSuccess: async () => {
      await invalidate()
      onClose()
      void showToast('The calendar is removed.')
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Remove this calendar?"
      footer={
        <>
          <Button
            variant="danger"
            isBusy={remove.isPending}
            onClick={() => remove.mutate({ id: calendar.id })}
          >
            Remove
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <p>
        Times when you’re busy in <strong className="wrap-anywhere">{calendar.name}</strong> can be
        booked again straight away.
      </p>
      {remove.error && (
        <Notice kind="danger" role="alert" title="Not removed" className="mt-4">
          <p>{describeFailure(remove.error).sentence}</p>
        </Notice>
      )}
    </Dialog>
  )
}
