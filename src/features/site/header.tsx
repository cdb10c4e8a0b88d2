import { ClientOnly, Link, useParams, useSearch } from '@tanstack/react-router'
import { Menu, X } from 'lucide-react'
import { lazy, Suspense, useRef } from 'react'
import { cx } from '#app/lib/cx.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { siteConfig } from '#app/lib/site-config.ts'
import { Logo } from '#app/parts/logo.tsx'
import { ThemeSwitch } from '#app/parts/theme-switch.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { buttonClass, LinkButton } from '#app/ui/button.tsx'
import { Container } from '#app/ui/card.tsx'
import { useCollapsingMenu } from './use-collapsing-menu.ts'

const UserMenu = lazy(async () => ({ default: (await import('./user-menu.tsx')).UserMenu }))

const item =
  'inline-flex min-h-11 items-center rounded-field px-3 font-medium text-ink no-underline transition-colors ' +
  'duration-150 hover:bg-tint hover:text-brand-deep aria-[current=page]:text-brand-deep ' +
  'aria-[current=page]:underline aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-8'

function MenuItems({ onChoose }: { onChoose: () => void }) {
  const isSignedIn = useSignedInUser() !== null
  const place = <span className="size-8 nav:w-32" />
  return (
    <>
      <Link to="/about-us" className={item} onClick={onChoose}>
        About us
      </Link>
      <Link to="/contact-us" className={item} onClick={onChoose}>
        Contact us
      </Link>
      <ThemeSwitch />
      {isSignedIn ? (
        <ClientOnly fallback={place}>
          <Suspense fallback={place}>
            <UserMenu onChoose={onChoose} />
          </Suspense>
        </ClientOnly>
      ) : (
        <LinkButton to="/sign-in" variant="secondary" className="max-nav:mt-2" onClick={onChoose}>
          Log in
        </LinkButton>
      )}
    </>
  )
}

function Brand() {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-1 min-[22.5rem]:gap-x-3">
      <Link
        to="/home"
        aria-label="Apposite, home"
        className="flex min-h-11 items-center rounded-field no-underline"
      >
        <Logo />
      </Link>
      {siteConfig().demo && <Badge tone="accent">Demo</Badge>}
    </div>
  )
}

/** The checkout's header: the logo, and the way back to the provider's free times. */
export function CheckoutHeader() {
  const { doc_id: id = '' } = useParams({ strict: false })
  const { distance, region } = useSearch({ strict: false })
  return (
    <header className="no-print border-b border-line bg-paper">
      <Container className="flex min-h-16 flex-wrap items-center justify-between gap-x-2">
        <Brand />
        <LinkButton
          to="/doctor-profile/$id/$distance"
          params={{ id, distance: distance ?? '0' }}
          search={region === 'uk' || region === 'usa' ? { region } : {}}
          hash="times"
          variant="quiet"
          className="-mr-4"
        >
          <X aria-hidden="true" className="size-5" />
          Close<span className="sr-only"> and go back to the free times</span>
        </LinkButton>
      </Container>
    </header>
  )
}

/** The header of every public page. Below 960 pixels the menu collapses behind a toggle. */
export function Header() {
  const box = useRef<HTMLDivElement>(null)
  const { isOpen, toggle, close } = useCollapsingMenu(box)
  return (
    <header className="no-print relative z-30 border-b border-line bg-paper">
      <Container className="flex min-h-16 flex-wrap items-center justify-between gap-x-2 min-[22.5rem]:gap-x-4">
        <Brand />
        <div ref={box} className="max-nav:-mr-4">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls="site-menu"
            onClick={toggle}
            className={cx(buttonClass('quiet'), 'nav:hidden')}
          >
            {isOpen ? (
              <X aria-hidden="true" className="size-5" />
            ) : (
              <Menu aria-hidden="true" className="size-5" />
            )}
            Menu
          </button>
          <nav
            id="site-menu"
            aria-label="Site"
            className={cx(
              'nav:static nav:flex nav:flex-row nav:items-center nav:gap-1 nav:border-0 nav:bg-transparent nav:p-0 nav:shadow-none',
              'absolute inset-x-0 top-full flex-col border-b border-line bg-surface p-4 shadow-float',
              isOpen ? 'flex' : 'hidden',
            )}
          >
            <MenuItems onChoose={close} />
          </nav>
        </div>
      </Container>
    </header>
  )
}
