import type { ReactNode } from 'react'

/** The ways on and back at the end of a step: the way on first for thumbs, last for eyes. */
export function StepActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap-reverse items-center justify-between gap-3 border-t border-line pt-6 max-sm:[&>*]:w-full">
      {children}
    </div>
  )
}
