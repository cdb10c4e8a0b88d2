import { useQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { trpc } from '#app/trpc.ts'
import type { PaymentOptions } from '#contract/payments.ts'

/**
 * The gateways' configuration, once the sandbox scripts of this installation, if any, have run: the gateways'
 * packages use a global that is present and load the real one otherwise.
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

const loading = new Map<string, Promise<void>>()

function load(src: string): Promise<void> {
  const script = document.createElement('script')
  script.src = src
  const done = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      loading.delete(src)
      script.remove()
      reject(new Error(`Failed to fetch ${src}`))
    })
  })
  document.head.append(script)
  return done
}

/** Runs our own server's scripts in order, each once per page; failed ones can be retried. */
async function loadScripts(sources: readonly string[]): Promise<void> {
  for (const src of sources) {
    const known = loading.get(src) ?? load(src)
    loading.set(src, known)
    // In order: a later script may depend on an earlier one.
    // oxlint-disable-next-line no-await-in-loop
    await known
  }
}
