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
] as const

const WITH_PARAMETERS = [/^\/doctor-profile\/[^/]+\/[^/]+$/, /^\/appointment\/[^/]+$/]

const pages = new Set<string>(PAGES)

/** Whether the site has a page at a path; with or without a slash at the end. */
export function isPage(pathname: string): boolean {
  const bare = /[^/]\/$/.test(pathname) ? pathname.slice(0, -1) : pathname
  return pages.has(bare) || WITH_PARAMETERS.some((page) => page.test(bare))
}
