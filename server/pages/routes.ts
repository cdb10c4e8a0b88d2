const PAGES = [
  '/',
  '/home',
  '/results',
  '/contact-us',
  '/about-us',
  '/terms-of-use',
  '/privacy-cookie',
  '/modal',
  '/company-profile',
  '/sign-in',
  '/register',
  '/forgot-password',
  '/userProfile',
  '/dochome',
  '/doctor/availability/new',
  '/doctor/availability/all',
  '/doctor/availability/calendars',
  '/doctor/appointment-history',
  '/doctor/day-sheet',
  '/doctor/bank-account',
  '/doctor/profile',
  '/return',
  '/provider-verify',
  '/company-verify',
  '/admin-signin',
  '/admin-start',
  '/admin-home',
  '/admin-home/providers',
  '/admin-home/providers/verified',
  '/admin-home/gallery',
  '/admin-home/payments',
  '/admin-home/superusers',
  '/admin-home/audit',
  '/admin-home/mail',
  '/admin-home/claims',
  '/admin-home/cancellations',
] as const

const WITH_PARAMETERS = [
  /^\/doctor-profile\/[^/]+\/[^/]+$/,
  /^\/appointment\/[^/]+$/,
  /^\/receipt\/[^/]+$/,
  /^\/doctor\/visits\/[^/]+$/,
  /^\/admin-home\/providers\/[^/]+$/,
  /^\/admin-home\/verified-provider\/[^/]+\/[^/]+$/,
]

/** Pages whose address is a secret. */
const TOKEN_PAGE = /^\/(?:(?:verify|reset-password|unsubscribe|not-me)\/[^/]+|visit\/[^/]+\/[^/]+)$/

/** The part of an address before its secret. */
const BEFORE_SECRET = /^\/(?:verify|reset-password|unsubscribe|not-me|visit|calendar)\//

const pages = new Set<string>(PAGES)

/** Whether a page's address is itself a secret, which must not leak through Referer or caches. */
export function isTokenPage(pathname: string): boolean {
  return TOKEN_PAGE.test(pathname.replace(/\/$/, ''))
}

/** Whether the site has a page at a path, with or without a trailing slash. */
export function isPage(pathname: string): boolean {
  const bare = /[^/]\/$/.test(pathname) ? pathname.slice(0, -1) : pathname
  return pages.has(bare) || WITH_PARAMETERS.some((page) => page.test(bare)) || isTokenPage(bare)
}

/** A path for the log, without secrets. */
export function loggedPath(pathname: string): string {
  const before = BEFORE_SECRET.exec(pathname)?.[0]
  return before === undefined ? pathname : `${before}…`
}
