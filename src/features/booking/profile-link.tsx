import type { ReactNode } from 'react'
import { LinkButton } from '#app/ui/button.tsx'
import type { Region } from '#contract/region.ts'

type ProfileLinkProps = {
  id: string
  region: Region
  distance: string | null | undefined
  children: ReactNode
}

/** Back to the provider, to choose among all times. */
export function ProfileLink({ id, region, distance, children }: ProfileLinkProps) {
  return (
    <div className="flex justify-center">
      <LinkButton
        to="/doctor-profile/$id/$distance"
        params={{ id, distance: distance ?? '0' }}
        search={{ region }}
        hash="times"
        variant="secondary"
      >
        {children}
      </LinkButton>
    </div>
  )
}
