import { useState } from 'react'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Availability } from '#contract/availability.ts'

/** Asks the server for what is saved now, whatever the cache holds. */
export function useNewestMine(): () => Promise<Availability> {
  const utils = trpc.useUtils()
  return () => utils.availability.mine.fetch(undefined, { staleTime: 0 })
}

/** Under a form that was refused because of another window: loads what is saved, keeps what was typed. */
export function StaleHelp({ failure }: { failure: Failure | null }) {
  const load = useNewestMine()
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  if (failure?.code !== 'changed_meanwhile') return null
  const reload = async () => {
    setBusy(true)
    setTrouble(null)
    try {
      await load()
    } catch (error) {
      setTrouble(describeFailure(error).sentence)
    }
    setBusy(false)
  }
  return (
    <Notice kind="warn" title="What you typed is still here">
      <p>Load what is saved now, look at it, then send this again.</p>
      {trouble !== null && <p role="alert">{trouble}</p>}
      <Button variant="secondary" className="mt-3" isBusy={isBusy} onClick={() => void reload()}>
        Load what is saved now
      </Button>
    </Notice>
  )
}
