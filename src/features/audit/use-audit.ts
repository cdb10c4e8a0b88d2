import { useMutation } from '@tanstack/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { fetchFile, saveFile } from '#app/lib/files.ts'
import { useProving } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { showToast } from '#app/ui/toast.tsx'
import { AUDIT_EXPORT_PATH, type AuditFilters } from '#contract/audit.ts'

/** Saves what the filters leave as a file, after a proof where none is fresh. */
export function useAuditExport() {
  const utils = trpc.useUtils()
  const prove = useProving()
  return useMutation({
    mutationFn: (filters: AuditFilters) => prove(() => fetchFile(AUDIT_EXPORT_PATH, filters)),
    onSuccess: ({ name, content }) => {
      saveFile(name, content, 'text/csv;charset=utf-8')
      void showToast(`Saved as ${name}.`)
      void utils.audit.list.invalidate()
    },
    onError: (error) => {
      const { code, sentence } = describeFailure(error)
      if (code !== 'step_up_required') void showToast(sentence)
    },
  })
}
