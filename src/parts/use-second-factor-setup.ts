import { useState } from 'react'
import type { Me } from '#contract/auth.ts'

/**
 * Whether a page has to show the setup of the second factor, once it was required: also afterwards, because the recovery
 * codes are shown when nothing is left to set up.
 */
export function useSecondFactorSetup(me: Me | null | undefined): boolean {
  const [isShown, setShown] = useState(false)
  if (me?.must_set_second_factor && !isShown) setShown(true)
  return isShown
}
