import { useState } from 'react'
import { useBannerWanted } from '#app/lib/consent.ts'
import { readStored, writeStored } from '#app/lib/storage.ts'
import { PromoDialog } from '#app/parts/promo-dialog.tsx'
import { useHomepage } from './use-homepage.ts'

const SEEN = 'promotionSeen'

/**
 * Shows a promotion on the home page, once in a browser session, when staff have enabled it. It waits
 * until the question about cookies is answered: one thing at a time asks for attention.
 */
export function PromoModal() {
  const { homepage } = useHomepage()
  const [seen, setSeen] = useState(() => readStored(SEEN, 'session'))
  // Words that staff have changed since are another promotion.
  const words = `${homepage.modal_heading}\n${homepage.modal_description}`
  const close = () => {
    writeStored(SEEN, words, 'session')
    setSeen(words)
  }
  const isAsking = useBannerWanted()
  const isOpen = homepage.show_modal && seen !== words && !isAsking
  return <PromoDialog homepage={homepage} isOpen={isOpen} onClose={close} />
}
