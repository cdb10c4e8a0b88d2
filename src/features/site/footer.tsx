import { ClientOnly, Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { openCookieBanner } from '#app/lib/consent.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { siteConfig } from '#app/lib/site-config.ts'
import { Logo } from '#app/parts/logo.tsx'
import { Container } from '#app/ui/card.tsx'

const LogoutDialog = lazy(async () => ({
  default: (await import('#app/parts/logout-dialog.tsx')).LogoutDialog,
}))

const link =
  'inline-flex min-h-8 min-w-6 items-center text-ink no-underline hover:text-brand hover:underline pointer-coarse:min-h-11'

const networks = [
  { name: 'Facebook', url: 'https://www.facebook.com/' },
  { name: 'Instagram', url: 'https://www.instagram.com/' },
  { name: 'LinkedIn', url: 'https://www.linkedin.com/' },
  { name: 'X', url: 'https://x.com/' },
]

const THIS_YEAR = new Date().getFullYear()

function Group({ title, children }: { title: string; children: ReactNode }) {
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
        <button type="button" className={link} onClick={() => setAsking(true)}>
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
      <Link to="/sign-in" className={link}>
        LOGIN
      </Link>
      {' / '}
      <Link to="/register" className={link}>
        REGISTER
      </Link>
    </li>
  )
}

/** The footer of every public page. */
export function Footer() {
  return (
    <footer className="no-print mt-18 border-t border-line bg-sunken">
      <Container className="grid grid-cols-2 gap-x-4 gap-y-8 py-12 nav:grid-cols-[2fr_1fr_1fr_1fr] nav:gap-8">
        <div className="max-nav:col-span-2">
          <Logo />
          <p className="mt-3 max-w-80 text-muted">
            Find a doctor or dentist near you and see when they’re free.
          </p>
          {siteConfig().demo && (
            <p className="mt-3 max-w-80 text-sm text-muted">
              This is a demonstration: providers, times and prices are made up.
            </p>
          )}
        </div>
        <Group title="Apposite">
          <li>
            <Link to="/about-us" className={link}>
              About us
            </Link>
          </li>
          <li>
            <Link to="/contact-us" className={link}>
              Contact us
            </Link>
          </li>
          <li>
            <Link to="/privacy-cookie" className={link}>
              Privacy and cookies
            </Link>
          </li>
          <li>
            <button type="button" className={link} onClick={openCookieBanner}>
              Cookie settings
            </button>
          </li>
          <li>
            <Link to="/terms-of-use" className={link}>
              Terms of use
            </Link>
          </li>
        </Group>
        {/* Stacked on phones, separate columns from 960 pixels. */}
        <div className="flex flex-col gap-8 nav:contents">
          <Group title="Your account">
            <AccountLinks />
          </Group>
          <Group title="Follow us">
            {networks.map((network) => (
              <li key={network.name}>
                <a href={network.url} target="_blank" rel="noopener" className={link}>
                  {network.name}
                  <span className="sr-only"> (opens in a new tab)</span>
                </a>
              </li>
            ))}
          </Group>
        </div>
      </Container>
      <Container>
        <p className="border-t border-line py-6 text-sm text-muted">© 2024-{THIS_YEAR} Apposite</p>
      </Container>
    </footer>
  )
}
