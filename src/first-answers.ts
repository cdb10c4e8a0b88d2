import type { QueryClient } from '@tanstack/react-query'
import { FirstAnswers } from '#contract/first-paint.ts'

/** Fills the cache with the answers the page was served with, so that nothing is asked twice. */
export function takeFirstAnswers(queryClient: QueryClient): void {
  const text = document.getElementById('first-answers')?.textContent
  if (!text) return
  const { at, answers } = FirstAnswers.parse(JSON.parse(text))
  for (const [key, answer] of answers) queryClient.setQueryData(key, answer, { updatedAt: at })
}
