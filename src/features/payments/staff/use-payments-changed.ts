import { useQueryClient } from '@tanstack/react-query'

/** What was changed is read anew: lists, numbers, and the payment itself. */
export function usePaymentsChanged(): () => Promise<void> {
  const client = useQueryClient()
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [path] }) => Array.isArray(path) && path[0] === 'payments',
    })
}
