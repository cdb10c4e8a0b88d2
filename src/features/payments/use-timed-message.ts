import { useCallback, useEffect, useState } from 'react'

/** A message that disappears after `ms` milliseconds; showing it again restarts the timer. */
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
