import { useMutation } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useEffect } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { HistorySheet } from '#contract/payments-history.ts'

/** Fetches everything the filters leave, and prints it once it is on the page. */
export function useHistoryPrint(onPrint: () => Promise<HistorySheet>) {
  const {
    data: sheet = null,
    isPending,
    mutate,
    reset,
  } = useMutation({
    mutationFn: onPrint,
    onError: (error) => void showToast(describeFailure(error).sentence),
  })
  useEffect(() => {
    if (sheet === null) return
    window.addEventListener('afterprint', reset)
    print()
    return () => window.removeEventListener('afterprint', reset)
  }, [sheet, reset])
  return { sheet, isBusy: isPending, start: () => mutate() }
}

/** Opens a print view of everything the filters leave. */
export function PrintButton({ isBusy, onPrint }: { isBusy: boolean; onPrint: () => void }) {
  return (
    <Button variant="secondary" isBusy={isBusy} onClick={onPrint}>
      <Printer aria-hidden="true" className="size-5" />
      Print
    </Button>
  )
}
