import { useQuery } from '@tanstack/react-query'
import { useApi, useTrpc } from '#app/trpc.ts'
import type { PaymentOptions } from '#contract/payments.ts'
import { loadScripts } from './load-scripts.ts'

/**
 * How to reach the gateways, once their stand-ins, if this installation has any, stand: the packages
 * take what is there already and fetch the real thing otherwise.
 */
export function useGateways() {
  const api = useApi()
  const { queryKey } = useTrpc().payments.options.queryOptions()
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<PaymentOptions> => {
      const options = await api.payments.options.query(undefined, { signal })
      await loadScripts(options.standIns)
      return options
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
