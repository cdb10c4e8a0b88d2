import { useQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { trpc } from '#app/trpc.ts'
import type { PaymentOptions } from '#contract/payments.ts'
import { loadScripts } from './load-scripts.ts'

/**
 * How to reach the gateways, once their stand-ins, if this installation has any, stand: the packages
 * take what is there already and fetch the real thing otherwise.
 */
export function useGateways() {
  const { client } = trpc.useUtils()
  return useQuery({
    queryKey: getQueryKey(trpc.payments.options, undefined, 'query'),
    queryFn: async ({ signal }): Promise<PaymentOptions> => {
      const options = await client.payments.options.query(undefined, { signal })
      await loadScripts(options.standIns)
      return options
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
