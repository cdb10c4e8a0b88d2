import { useForm } from '#app/lib/forms/use-form.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Select } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { clockText } from '#contract/base/time.ts'
import { EARLIEST_HOURS, LATEST_HOURS, SaveRemindersInput } from '#contract/reminders.ts'
import { AccountSection } from './account-section.tsx'

/** Settings of visit reminders by email: which, when, and how much detail. */
export function RemindersSection() {
  return (
    <AccountSection
      id="reminders"
      title="Reminders"
      lead="We email you before your visits. You’ll always hear from us when a visit changes or is cancelled."
    >
      <DataBoundary
        failed="Your reminders didn’t load"
        pending={<PendingShapes shapes={['h-80']} />}
      >
        <RemindersForm />
      </DataBoundary>
    </AccountSection>
  )
}

/** "08:00", in local time at the practice. */
function hourText(hour: number): string {
  return clockText(hour * 60)
}

function RemindersForm() {
  const [settings] = trpc.reminders.settings.useSuspenseQuery()
  const utils = trpc.useUtils()
  const form = useForm({
    blank: {
      ...settings,
      fromHour: String(settings.fromHour),
      toHour: String(settings.toHour),
    },
    schema: SaveRemindersInput,
    toInput: ({ fromHour, toHour, ...rest }) => ({
      ...rest,
      fromHour: Number(fromHour),
      toHour: Number(toHour),
    }),
    send: (input) => utils.client.reminders.save.mutate(input),
    onSent: (saved) => {
      utils.reminders.settings.setData(undefined, saved)
      void showToast('Your reminders are saved.')
    },
  })
  const { week, day, discreet } = form.values
  return (
    <FormFrame form={form} label="Reminders" failureTitle="Not saved">
      <fieldset>
        <legend className="font-semibold">Email me</legend>
        <Checkbox
          label="A week before a visit"
          checked={week}
          onChange={() => form.set('week', !week)}
        />
        <Checkbox
          label="The day before a visit"
          checked={day}
          onChange={() => form.set('day', !day)}
        />
      </fieldset>
      <div className="grid max-w-120 gap-6 sm:grid-cols-2">
        <Select
          label="Not before"
          hint="In local time at the practice"
          disabled={!week && !day}
          {...form.text('fromHour')}
        >
          {EARLIEST_HOURS.map((hour) => (
            <option key={hour} value={hour}>
              {hourText(hour)}
            </option>
          ))}
        </Select>
        <Select
          label="Not after"
          hint="In local time at the practice"
          disabled={!week && !day}
          {...form.text('toHour')}
        >
          {LATEST_HOURS.map((hour) => (
            <option key={hour} value={hour}>
              {hourText(hour)}
            </option>
          ))}
        </Select>
      </div>
      <fieldset>
        <legend className="font-semibold">Privacy</legend>
        <Checkbox
          label="Keep provider names out of email subjects and calendars"
          checked={discreet}
          onChange={() => form.set('discreet', !discreet)}
        />
      </fieldset>
      <div>
        <Button type="submit" isBusy={form.isBusy}>
          Save reminders
        </Button>
      </div>
    </FormFrame>
  )
}
