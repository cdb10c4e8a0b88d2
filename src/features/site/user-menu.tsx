import { Link } from '@tanstack/react-router'
import { ChevronDown, CircleUser } from 'lucide-react'
import { useRef, useState } from 'react'
import { useMedia } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { signedInUser } from '#app/lib/session.ts'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { readStored } from '#app/lib/storage.ts'
import { LogoutDialog, useSignOut } from '#app/parts/sign-out.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { buttonClass } from '#app/ui/button.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { useCollapsingMenu } from './use-collapsing-menu.ts'

const entry =
  'flex min-h-11 w-full items-center rounded-field px-3 text-left font-medium text-ink no-underline ' +
  'transition-colors duration-150 hover:bg-tint hover:text-brand-deep aria-[current=page]:text-brand-deep'

/** First name and picture; until the server responds, the name stored in this browser. */
function Person() {
  const { data: me } = useMe()
  const name = me?.first_name ?? readStored('firstName') ?? 'Your account'
  return (
    <>
      {me?.profile_image ? (
        <img
          src={me.profile_image}
          alt=""
          width={32}
          height={32}
          className="size-8 shrink-0 rounded-full bg-tint object-cover"
        />
      ) : (
        <CircleUser aria-hidden="true" className="size-8 shrink-0" />
      )}
      <span className="max-w-40 truncate">{name}</span>
    </>
  )
}

type EntriesProps = { onChoose: () => void; onLogout: () => void }

function Entries({ onChoose, onLogout }: EntriesProps) {
  const { data: me } = useMe()
  const signOut = useSignOut()
  const leaveDemo = () =>
    signOut.mutate('demo', {
      onSuccess: onChoose,
      onError: (error) => void showToast(describeFailure(error).sentence),
    })
  return (
    <ul>
      {me?.kind === 'provider' && (
        <li>
          <Link to="/dochome" className={entry} onClick={onChoose}>
            DashBoard
          </Link>
        </li>
      )}
      {me?.kind === 'staff' && (
        <li>
          <Link to="/admin-home" className={entry} onClick={onChoose}>
            Staff pages
          </Link>
        </li>
      )}
      <li>
        <Link to="/userProfile" className={entry} onClick={onChoose}>
          Profile
        </Link>
      </li>
      <li>
        <button type="button" className={entry} onClick={onLogout}>
          Logout
        </button>
      </li>
      {useSiteConfig().demo && (
        <li>
          <button type="button" className={entry} onClick={leaveDemo}>
            Demo Logout
          </button>
        </li>
      )}
    </ul>
  )
}

/**
 * The signed-in user's menu in the header: a drop-down from 960 pixels, below that part of the site's menu,
 * which `onChoose` closes.
 */
export function UserMenu({ onChoose }: { onChoose: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  const { isOpen, toggle, close } = useCollapsingMenu(box)
  const [isAsking, setAsking] = useState(false)
  const isWide = useMedia('(min-width: 60rem)')
  const done = () => {
    close()
    onChoose()
  }
  const stay = () => {
    setAsking(false)
    // The menu item that opened the dialog is hidden by now: focus goes to the toggle that shows it again.
    requestAnimationFrame(() => {
      const toggles = document.querySelectorAll<HTMLElement>('header [aria-expanded]')
      const shown = [...toggles].find((one) => one.getClientRects().length > 0)
      if (signedInUser() !== null) shown?.focus()
    })
  }
  const entries = (
    <Entries
      onChoose={done}
      onLogout={() => {
        setAsking(true)
        done()
      }}
    />
  )
  return (
    <div ref={box} className="nav:relative nav:-mr-2">
      {isWide ? (
        <>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls="user-menu"
            onClick={toggle}
            className={cx(buttonClass('quiet'), 'px-2')}
          >
            <Person />
            <ChevronDown
              aria-hidden="true"
              className={cx('size-4 transition-transform duration-150', isOpen && 'rotate-180')}
            />
          </button>
          <div
            id="user-menu"
            hidden={!isOpen}
            className="absolute top-full right-0 mt-2 w-52 rounded-card border border-line bg-surface p-2 shadow-float"
          >
            {entries}
          </div>
        </>
      ) : (
        <div className="mt-3 border-t border-line pt-3">
          <p className="flex items-center gap-2 px-3 py-1 font-semibold">
            <Person />
          </p>
          {entries}
        </div>
      )}
      <LogoutDialog isOpen={isAsking} onClose={stay} />
    </div>
  )
}
