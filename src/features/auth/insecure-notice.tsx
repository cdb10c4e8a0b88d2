import { Notice } from '#app/ui/notice.tsx'

/** Warns that browsers drop our cookies when the page came over plain HTTP from another machine. */
export function InsecureNotice() {
  if (isSecureContext) return null
  return (
    <Notice kind="warn" title="This connection is not encrypted">
      <p>
        Your browser cannot keep you signed in here. Open the site with https, or on the computer it
        runs on.
      </p>
    </Notice>
  )
}
