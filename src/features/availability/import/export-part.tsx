import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId, useState } from 'react'
import { Panel } from '#app/features/availability/own/page-states.tsx'
import { addDays } from '#app/lib/calendar-days.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { fetchFile, saveFile } from '#app/lib/files.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability } from '#contract/availability.ts'
import { HOURS_EXPORT_PATH, VISITS_EXPORT_PATH } from '#contract/booking-export.ts'

type ExportRequest = { path: string; body: object; type: string }

/** Downloads of the provider's visits and hours. */
export function ExportPart({ mine }: { mine: Availability }) {
  const id = useId()
  const [from, setFrom] = useState(mine.today)
  const [to, setTo] = useState(addDays(mine.today, 27))
  const save = useMutation({
    mutationFn: async ({ path, body, type }: ExportRequest) => {
      const { name, content } = await fetchFile(path, body)
      saveFile(name, content, type)
    },
    onSuccess: () => void showToast('The file is saved.'),
  })
  const pending = save.isPending ? save.variables : null
  const visits = (format: 'csv' | 'ics'): ExportRequest => ({
    path: VISITS_EXPORT_PATH,
    body: { from, to, format },
    type: format === 'csv' ? 'text/csv;charset=utf-8' : 'text/calendar;charset=utf-8',
  })
  const hours: ExportRequest = { path: HOURS_EXPORT_PATH, body: {}, type: 'text/csv;charset=utf-8' }
  const isSaving = (request: ExportRequest) =>
    JSON.stringify(pending?.body) === JSON.stringify(request.body)
  const isDated = from !== '' && to !== '' && from <= to
  const button = (wish: ExportRequest, label: string) => (
    <Button
      variant="secondary"
      isBusy={isSaving(wish)}
      disabled={wish !== hours && !isDated}
      onClick={() => save.mutate(wish)}
    >
      <Download aria-hidden="true" className="size-5" />
      {label}
    </Button>
  )
  return (
    <Panel
      id="export"
      title="Export"
      lead="Your visits with the names of patients, never what they are for, and your hours."
    >
      <div className="flex flex-col gap-4">
        <div className="grid gap-4 sm:max-w-md sm:grid-cols-2">
          <TextInput
            id={`${id}-from`}
            type="date"
            label="First day"
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
          <TextInput
            id={`${id}-to`}
            type="date"
            label="Last day"
            value={to}
            min={from}
            error={
              from !== '' && to !== '' && to < from ? 'This is before the first day.' : undefined
            }
            onChange={({ target }) => setTo(target.value)}
          />
        </div>
        <div className="flex flex-wrap gap-3">
          {button(visits('csv'), 'Visits as CSV')}
          {button(visits('ics'), 'Visits as a calendar')}
          {button(hours, 'Hours as CSV')}
        </div>
        {save.error && (
          <Notice kind="danger" role="alert" title="Not saved">
            <p>{describeFailure(save.error).sentence}</p>
          </Notice>
        )}
      </div>
    </Panel>
  )
}
