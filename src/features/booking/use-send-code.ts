import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { serverNow } from '#app/lib/server-clock.ts'
import { useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { toIso } from '#contract/time.ts'
import { recallSentCode, rememberSentCode, type SentCode } from './sent-code.ts'

/** As the server masks it: everything after the first two characters is an x. */
function mask(email: string): string {
  return email.slice(0, 2) + 'x'.repeat(Math.max(0, email.length - 2))
}

/**
 * Mails the one-time code of a hold. Asked too soon after the last one, it learns when it can: then
 * a code is in the mailbox already, or is asked for with the button.
 */
export function useSendCode(holdId: string) {
  const { client } = trpc.useUtils()
  const { data: me } = useMe()
  const [sent, setSent] = useState<SentCode | null>(() => recallSentCode(holdId))
  const email = sent?.email ?? mask(me?.email ?? '')
  const note = (code: Omit<SentCode, 'holdId'>) => {
    const known = { holdId, ...code }
    rememberSentCode(known)
    setSent(known)
  }
  const sending = useMutation({
    mutationFn: async () => {
      try {
        const answer = await client.auth.sendCode.mutate({ purpose: 'booking', object: holdId })
        note({ ...answer, isSent: true })
      } catch (error) {
        const { retryAfter } = describeFailure(error)
        if (retryAfter === null) throw error
        const resendAt = toIso(serverNow() + retryAfter * 1_000)
        note({ email, resendAt, isSent: sent?.isSent ?? false })
      }
    },
  })
  return { email, resendAt: sent?.resendAt, isSent: sent?.isSent ?? false, sending }
}

export type CodeSender = ReturnType<typeof useSendCode>
