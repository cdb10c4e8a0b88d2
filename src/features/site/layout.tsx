import { ClientOnly, Link, useParams, useSearch } from '@tanstack/react-router'
import { Menu, X } from 'lucide-react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { openCookieBanner, useBannerWanted } from '#app/lib/consent.ts'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { late } from '#app/lib/late-code.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { Logo, ThemeSwitch } from '#app/parts/site-frame.tsx'
import { useInvalidateMe, useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button, buttonClass, LinkButton, TextLink } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Badge, Notice } from '#app/ui/notice.tsx'
import { Container, SkipLink } from '#app/ui/page.tsx'
import { Toaster } from '#app/ui/toast.tsx'
import { useCollapsingMenu } from './use-collapsing-menu.ts'

const CookieBanner = late(async () => (await import('./cookie-banner.tsx')).CookieBanner, true)

type LayoutProps = {
  children: ReactNode
  /** A booking step: no links but the way back. */
  isCheckout?: boolean
  /** List and map take the whole window; header and footer line up with them. */
  isFullWidth?: boolean
}

/** Header, page, footer: what all public screens share. */
export function Layout({ children, isCheckout = false, isFullWidth = false }: LayoutProps) {
  const isAsking = useBannerWanted()
  return (
    // Space below the footer, so that the banner does not cover the end of the page.
    <div
      className={cx(
        'flex min-h-dvh flex-col',
        isAsking && 'pb-(--banner-height)',
        // Not by the page's own markup, which comes after the header: the first frame would be narrow now and then.
        isFullWidth && 'lg:[--page-width:120rem]',
      )}
    >
      <SkipLink />
      {isAsking && (
        <ClientOnly>
          <Suspense fallback={null}>
            <CookieBanner />
          </Suspense>
        </ClientOnly>
      )}
      {isCheckout ? <CheckoutHeader /> : <Header />}
      <ClientOnly>
        <TermsDialog />
      </ClientOnly>
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col">
        {children}
      </main>
      {!isCheckout && <Footer />}
      <Toaster />
    </div>
  )
}

/** Asks users to accept the terms if they registered through the API without doing so. */
function TermsDialog() {
  const { data: me } = useMe()
  const invalidateMe = useInvalidateMe()
  const [isPostponed, setPostponed] = useState(false)
  const accept = trpc.auth.acceptTerms.useMutation({ onSuccess: invalidateMe })
  const failure = accept.error === null ? null : describeFailure(accept.error)
  return (
    <Dialog
      isOpen={me?.must_accept_terms === true && !isPostponed}
      onClose={() => setPostponed(true)}
      title="Agree to the terms of use"
      footer={
        <Button isBusy={accept.isPending} onClick={() => accept.mutate({ terms: true })}>
          I agree
        </Button>
      }
    >
      {failure && (
        <Notice kind="danger" title={failure.sentence} className="mb-4">
          <p>Try again in a moment.</p>
        </Notice>
      )}
      <p>
        You haven’t agreed to our terms yet. Please read the{' '}
        <TextLink to="/terms-of-use" target="_blank" rel="noopener">
          terms of use<span className="sr-only"> (opens in a new tab)</span>
        </TextLink>{' '}
        and the{' '}
        <TextLink to="/privacy-cookie" target="_blank" rel="noopener">
          privacy notice<span className="sr-only"> (opens in a new tab)</span>
        </TextLink>
        . Until you do, we’ll ask each time you visit.
      </p>
    </Dialog>
  )
}

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
        {useSiteConfig().demo && <Badge tone="accent">Demo</Badge>}
      </div>
      <div className="mt-6 sm:mt-8">{children}</div>
      <Toaster />
    </main>
  )
}

const UserMenu = late(async () => (await import('./user-menu.tsx')).UserMenu)

const menuLinkClass =
  'inline-flex min-h-11 items-center rounded-field px-3 font-medium text-ink no-underline transition-colors ' +
  'duration-150 hover:bg-tint hover:text-brand-deep aria-[current=page]:text-brand-deep ' +
  'aria-[current=page]:underline aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-8'

function MenuItems({ onChoose }: { onChoose: () => void }) {
  const isSignedIn = useSignedInUser() !== null
  const place = <span className="size-8 nav:w-32" />
  return (
    <>
      <Link to="/about-us" className={menuLinkClass} onClick={onChoose}>
        About us
      </Link>
      <Link to="/contact-us" className={menuLinkClass} onClick={onChoose}>
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
      {useSiteConfig().demo && <Badge tone="accent">Demo</Badge>}
    </div>
  )
}

/** The checkout's header: the logo, and the way back to the provider's free times. */
function CheckoutHeader() {
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
          className="-mr-4 -outline-offset-3"
        >
          <X aria-hidden="true" className="size-5" />
          Close<span className="sr-only"> and go back to the free times</span>
        </LinkButton>
      </Container>
    </header>
  )
}

/** The header of every public page. Below 960 pixels the menu collapses behind a toggle. */
function Header() {
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
            // At the edge of the window a ring around it would be cut off.
            className={cx(buttonClass('quiet'), '-outline-offset-3 nav:hidden')}
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

const LogoutDialog = late(async () => (await import('#app/parts/sign-out.tsx')).LogoutDialog, true)

const footerLinkClass =
  'inline-flex min-h-8 min-w-6 items-center text-ink no-underline hover:text-brand hover:underline pointer-coarse:min-h-11'

const socialNetworks = [
  { name: 'Facebook', url: 'https://www.facebook.com/' },
  { name: 'Instagram', url: 'https://www.instagram.com/' },
  { name: 'LinkedIn', url: 'https://www.linkedin.com/' },
  { name: 'X', url: 'https://x.com/' },
]

const THIS_YEAR = new Date().getFullYear()

function FooterGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="text-sm font-semibold text-muted">{title}</h2>
      <ul className="mt-2 flex flex-col">{children}</ul>
    </div>
  )
}

/** LOGOUT for signed-in users, LOGIN / REGISTER for others. */
function AccountLinks() {
  const isSignedIn = useSignedInUser() !== null
  const [isAsking, setAsking] = useState(false)
  if (isSignedIn) {
    return (
      <li>
        <button type="button" className={footerLinkClass} onClick={() => setAsking(true)}>
          LOGOUT
        </button>
        <ClientOnly>
          <Suspense fallback={null}>
            <LogoutDialog isOpen={isAsking} onClose={() => setAsking(false)} />
          </Suspense>
        </ClientOnly>
      </li>
    )
  }
  return (
    <li>
      <Link to="/sign-in" className={footerLinkClass}>
        LOGIN
      </Link>
      {' / '}
      <Link to="/register" className={footerLinkClass}>
        REGISTER
      </Link>
    </li>
  )
}

/** The footer of every public page. */
function Footer() {
  return (
    <footer className="no-print mt-18 border-t border-line bg-sunken">
      <Container className="grid grid-cols-2 gap-x-4 gap-y-8 py-12 nav:grid-cols-[2fr_1fr_1fr_1fr] nav:gap-8">
        <div className="max-nav:col-span-2">
          <Logo />
          <p className="mt-3 max-w-80 text-muted">
            Find a doctor or dentist near you and see when they’re free.
          </p>
          {useSiteConfig().demo && (
            <p className="mt-3 max-w-80 text-sm text-muted">
              This is a demonstration: providers, times and prices are made up.
            </p>
          )}
        </div>
        <FooterGroup title="Apposite">
          <li>
            <Link to="/about-us" className={footerLinkClass}>
              About us
            </Link>
          </li>
          <li>
            <Link to="/contact-us" className={footerLinkClass}>
              Contact us
            </Link>
          </li>
          <li>
            <Link to="/privacy-cookie" className={footerLinkClass}>
              Privacy and cookies
            </Link>
          </li>
          <li>
            <button type="button" className={footerLinkClass} onClick={openCookieBanner}>
              Cookie settings
            </button>
          </li>
          <li>
            <Link to="/terms-of-use" className={footerLinkClass}>
              Terms of use
            </Link>
          </li>
        </FooterGroup>
        {/* Stacked on phones, separate columns from 960 pixels. */}
        <div className="flex flex-col gap-8 nav:contents">
          <FooterGroup title="Your account">
            <AccountLinks />
          </FooterGroup>
          <FooterGroup title="Follow us">
            {socialNetworks.map((network) => (
              <li key={network.name}>
                <a href={network.url} target="_blank" rel="noopener" className={footerLinkClass}>
                  {network.name}
                  <span className="sr-only"> (opens in a new tab)</span>
                </a>
              </li>
            ))}
          </FooterGroup>
        </div>
      </Container>
      <Container>
        <p className="border-t border-line py-6 text-sm text-muted">© 2024-{THIS_YEAR} Apposite</p>
      </Container>
    </footer>
  )
}
