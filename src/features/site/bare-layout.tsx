import type { ReactNode } from 'react'
import { siteConfig } from '#app/lib/site-config.ts'
import { Logo } from '#app/parts/logo.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Toaster } from '#app/ui/toast.tsx'

/** For pages that the specification lists with no layout wrapper: neither header nor footer. */
export function BareLayout({ children }: { children: ReactNode }) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto flex min-h-dvh max-w-form flex-col px-4 py-8 has-data-wide:max-w-page sm:py-12 sm:has-data-wide:px-6 lg:has-data-wide:px-8"
    >
      <div className="flex flex-wrap items-center gap-3">
        <Logo />
        {siteConfig().demo && <Badge tone="accent">Demo</Badge>}
      </div>
      <div className="mt-6 sm:mt-8">{children}</div>
      <Toaster />
    </main>
  )
}
