import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { fetchFile, saveFile } from '#app/lib/files.ts'
import { Button } from '#app/ui/button.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { EXPORT_MAX, type EXPORT_PATH, type OWN_EXPORT_PATH } from '#contract/payments-history.ts'
import type { RunWithStepUp } from './step-up.tsx'

type HistoryExportProps = {
  path: typeof EXPORT_PATH | typeof OWN_EXPORT_PATH
  /** The filters, as the export endpoint takes them. */
  filters: object
  /** Asks for step-up authentication, where the endpoint requires it. */
  prove?: RunWithStepUp
  total: number
  /** Why the viewer may not export; null or absent if they may. */
  whyNot?: string | null
}

const count = (rows: number) => rows.toLocaleString('en-GB')

/** Downloads the rows that match the filters, up to `EXPORT_MAX`, as a CSV file. */
export function HistoryExport({
  path,
  filters,
  prove = (act) => act(),
  total,
  whyNot = null,
}: HistoryExportProps) {
  const id = useId()
  const save = useMutation({
    mutationFn: () => prove(() => fetchFile(path, filters)),
    onSuccess: ({ name, content }) => {
      saveFile(name, content, 'text/csv;charset=utf-8')
      void showToast(
        total > EXPORT_MAX
          ? `The first ${count(EXPORT_MAX)} rows are downloaded.`
          : `${count(total)} ${total === 1 ? 'row is' : 'rows are'} downloaded.`,
      )
    },
  })
  const failure = save.error ? describeFailure(save.error) : null
  const message =
    whyNot ??
    (failure !== null && failure.code !== 'step_up_required' ? failure.sentence : null) ??
    (total > EXPORT_MAX ? `The file will hold only the first ${count(EXPORT_MAX)} rows.` : null)
  return (
    <>
      {message !== null && (
        <p
          id={id}
          role={failure === null ? undefined : 'alert'}
          className={failure === null ? 'text-sm text-muted' : 'text-sm font-medium text-danger'}
        >
          {message}
        </p>
      )}
      <Button
        variant="secondary"
        isBusy={save.isPending}
        disabled={whyNot !== null}
        aria-describedby={message === null ? undefined : id}
        onClick={() => save.mutate()}
      >
        <Download aria-hidden="true" className="size-5" />
        Download CSV
      </Button>
    </>
  )
}
