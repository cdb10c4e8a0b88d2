import { createFileRoute, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { FirstSuperuserPage } from '#app/features/auth/staff-sign-in.tsx'

export const Route = createFileRoute('/admin-start')({
  staticData: { isBare: true },
  component: FirstSuperuserScreen,
})

/** The token is in the URL's `#` part, and is removed from the address and the history at once. */
function FirstSuperuserScreen() {
  const navigate = Route.useNavigate()
  const hash = useLocation({ select: (here) => here.hash })
  const [token] = useState(hash)
  useEffect(() => {
    if (hash !== '') void navigate({ hash: '', replace: true })
  }, [hash, navigate])
  return <FirstSuperuserPage token={token === '' ? null : token} />
}
