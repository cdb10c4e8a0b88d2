import { useMutation } from '@tanstack/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { saveFile } from '#app/lib/files.ts'
import { useProving } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { showToast } from '#app/ui/toast.tsx'
import type { AuditFilters } from '#contract/audit.ts'

/** Saves what the filters leave as a file, after a proof where none is fresh. */
export function useAuditExport() {
  const utils = trpc.useUtils()
  const prove = useProving()
  return useMutation({
    mutationFn: (filters: AuditFilters) => prove(() => utils.client.audit.export.mutate(filters)),
    onSuccess: ({ fileName, text, rows, isCut }) => {
      saveFile(fileName, text, 'text/csv;charset=utf-8')
      const count = rows.toLocaleString('en-GB')
      void showToast(
        isCut
          ? `The newest ${count} entries are in ${fileName}. Choose fewer days for the others.`
          : `${count} ${rows === 1 ? 'entry is' : 'entries are'} in ${fileName}.`,
      )
      void utils.audit.list.invalidate()
    },
    onError: (error) => {
      const { code, sentence } = describeFailure(error)
      if (code !== 'step_up_required') void showToast(sentence)
    },
  })
}
