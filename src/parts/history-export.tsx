import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { saveFile } from '#app/lib/files.ts'
import { Button } from '#app/ui/button.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { EXPORT_MAX, type ExportFile } from '#contract/payments-history.ts'

type HistoryExportProps = {
  onExport: () => Promise<ExportFile>
  total: number
  /** Why the viewer may not. */
  whyNot?: string | null
}

const count = (rows: number) => rows.toLocaleString('en-GB')

/** Saves all that the filters leave of a history as a file. */
export function HistoryExport({ onExport, total, whyNot = null }: HistoryExportProps) {
  const id = useId()
  const save = useMutation({
    mutationFn: onExport,
    onSuccess: ({ fileName, text, rows, isCut }) => {
      saveFile(fileName, text, 'text/csv;charset=utf-8')
      void showToast(
        isCut ? `The first ${count(rows)} rows are saved.` : `${count(rows)} rows are saved.`,
      )
    },
  })
  const failure = save.error ? describeFailure(save.error) : null
  const said =
    whyNot ??
    (failure !== null && failure.code !== 'step_up_required' ? failure.sentence : null) ??
    (total > EXPORT_MAX ? `A file holds the first ${count(EXPORT_MAX)} rows.` : null)
  return (
    <>
      {said !== null && (
        <p
          id={id}
          role={failure === null ? undefined : 'alert'}
          className={failure === null ? 'text-sm text-muted' : 'text-sm font-medium text-danger'}
        >
          {said}
        </p>
      )}
      <Button
        variant="secondary"
        isBusy={save.isPending}
        disabled={whyNot !== null}
        aria-describedby={said === null ? undefined : id}
        onClick={() => save.mutate()}
      >
        <Download aria-hidden="true" className="size-5" />
        Download CSV
      </Button>
    </>
  )
}
