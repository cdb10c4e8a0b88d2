import { trpc } from '#app/trpc.ts'

/** What was changed is read anew: lists, numbers, and the payment itself. */
export function usePaymentsChanged(): () => Promise<void> {
  const utils = trpc.useUtils()
  return () => utils.payments.invalidate()
}
