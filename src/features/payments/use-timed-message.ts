import { useCallback, useEffect, useState } from 'react'

/** A message that stands for a while and then goes by itself; the same one again stands anew. */
export function useTimedMessage(ms: number) {
  const [said, setSaid] = useState<{ words: string } | null>(null)
  useEffect(() => {
    if (said === null) return
    const going = setTimeout(() => setSaid(null), ms)
    return () => clearTimeout(going)
  }, [said, ms])
  const say = useCallback((words: string) => setSaid({ words }), [])
  const clear = useCallback(() => setSaid(null), [])
  return { words: said?.words ?? null, say, clear }
}
