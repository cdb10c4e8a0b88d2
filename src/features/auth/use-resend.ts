import { useMutation } from '@tanstack/react-query'
import { useApi } from '#app/trpc.ts'
import type { UserType } from '#contract/auth.ts'

type Addressee = { email: string; userType: UserType }

/** Asks for the verification mail once more; the answer is the same whether one is sent or not. */
export function useResend({ email, userType }: Addressee) {
  const api = useApi()
  return useMutation({
    mutationFn: () => api.auth.resendVerification.mutate({ email, user_type: userType }),
  })
}
