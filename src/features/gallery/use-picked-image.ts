import { useEffect, useState } from 'react'
import { whyNotImage } from './upload-image.ts'

export type PickedImage = {
  file: File
  /** For showing it before it is sent. */
  address: string
  /** Why it cannot be sent; undefined while that is looked at, null when it can. */
  objection: string | null | undefined
}

/** The image that was chosen or dropped, looked at before it is sent. */
export function usePickedImage() {
  const [picked, setPicked] = useState<PickedImage | null>(null)
  const address = picked?.address
  useEffect(() => {
    if (address === undefined) return
    return () => URL.revokeObjectURL(address)
  }, [address])

  return {
    picked,
    clear: () => setPicked(null),
    pick: async (file: File | undefined): Promise<void> => {
      if (file === undefined) return
      const mine: PickedImage = { file, address: URL.createObjectURL(file), objection: undefined }
      setPicked(mine)
      const objection = await whyNotImage(file, mine.address)
      // Another one may have been chosen meanwhile.
      setPicked((now) => (now?.address === mine.address ? { ...mine, objection } : now))
    },
  }
}
