import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { saveFile } from '#app/lib/files.ts'
import { useWhyNot } from '#app/parts/role-gate.tsx'
import { useProving } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { EXPORT_MAX, type ExportInput, type StaffHistoryInput } from '#contract/payments-staff.ts'

type ExportButtonProps = { input: StaffHistoryInput; total: number }

const count = (rows: number) => rows.toLocaleString('en-GB')

/** Saves the filtered history as a file; a superuser's, with a proof where none is fresh. */
export function ExportButton({ input, total }: ExportButtonProps) {
  const id = useId()
  const { client } = trpc.useUtils()
  const prove = useProving()
  const whyNot = useWhyNot('export')
  const save = useMutation({
    mutationFn: () => {
      const { page: _page, ...filters } = input
      const wanted: ExportInput = filters
      return prove(() => client.payments.exportHistory.mutate(wanted))
    },
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
