import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { knownPath } from '#app/lib/known-path.ts'
import { useMe } from '#app/parts/use-me.ts'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import { StaffSignInForm } from './staff-sign-in-form.tsx'

/** `/admin-signin`: where staff sign in, without the public site's header and footer. */
export function StaffSignInPage({ next }: { next: string | undefined }) {
  const router = useRouter()
  const { data: me } = useMe()
  // The session is there and only what this browser kept about it was lost.
  const isStaff = me?.kind === 'staff'
  useEffect(() => {
    if (isStaff) {
      void router.navigate({ href: knownPath(router, next) ?? '/admin-home', replace: true })
    }
  }, [isStaff, next, router])
  return (
    <div className="sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
      <PageTitle title="Staff sign in" />
      <h1 className="text-2xl font-semibold">Staff sign in</h1>
      {me && !isStaff && (
        <Notice className="mt-6" title={`You are signed in as a ${me.kind}`}>
          <p>These pages are for staff. Signing in here ends that session.</p>
        </Notice>
      )}
      <StaffSignInForm next={next} />
    </div>
  )
}
