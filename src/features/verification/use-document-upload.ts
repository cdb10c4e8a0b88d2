import { useEffect, useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { uploadDocument, whyNotDocument } from './upload-document.ts'

export type PickedDocument = {
  name: string
  /** Bytes. */
  size: number
  /** From 0 to 1; null once it is there, or was refused. */
  progress: number | null
  /** Why it was not taken. */
  objection: string | null
}

type Options = {
  /** Its id as soon as it is kept; empty when there is none any more. */
  onDocument: (id: string) => void
}

/** Uploads a document as soon as it is picked; picking another one takes its place. */
export function useDocumentUpload({ onDocument }: Options) {
  const [picked, setPicked] = useState<PickedDocument | null>(null)
  const leaving = useRef<AbortController | null>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  const clear = () => {
    leaving.current?.abort()
    setPicked(null)
    onDocument('')
  }

  const pick = async (file: File | undefined) => {
    if (file === undefined) return
    clear()
    const facts = { name: file.name, size: file.size }
    const objection = whyNotDocument(file)
    if (objection !== null) {
      setPicked({ ...facts, progress: null, objection })
      return
    }
    const mine = new AbortController()
    leaving.current = mine
    const show = (progress: number | null, why: string | null = null) => {
      if (!mine.signal.aborted) setPicked({ ...facts, progress, objection: why })
    }
    show(0)
    try {
      const { document } = await uploadDocument({ file, onProgress: show, signal: mine.signal })
      show(null)
      if (!mine.signal.aborted) onDocument(document)
    } catch (error) {
      show(null, describeFailure(error).sentence)
    }
  }

  return { picked, pick, clear }
}
