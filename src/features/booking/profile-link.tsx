import type { ReactNode } from 'react'
import { ownSearchState, useOwnSearch } from '#app/lib/own-search.ts'
import type { VisitParams } from '#app/lib/visit-params.ts'
import { LinkButton } from '#app/ui/button.tsx'
import type { Region } from '#contract/region.ts'

type ProfileLinkProps = {
  id: string
  region: Region
  distance: string | null | undefined
  /** What the visit is about, and how it takes place. */
  asked: VisitParams
  children: ReactNode
}

/** Link back to the provider's profile with all free times. */
export function ProfileLink({ id, region, distance, asked, children }: ProfileLinkProps) {
  const state = ownSearchState(useOwnSearch())
  return (
    <div className="flex justify-center">
      <LinkButton
        to="/doctor-profile/$id/$distance"
        params={{ id, distance: distance ?? '0' }}
        search={{ region, type: asked.type, mode: asked.mode }}
        state={state}
        hash="times"
        variant="secondary"
      >
        {children}
      </LinkButton>
    </div>
  )
}
