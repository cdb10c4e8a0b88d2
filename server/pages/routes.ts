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

const PROFILE = /^\/doctor-profile\/[^/]+\/[^/]+$/

const pages = new Set<string>(PAGES)

/** Whether the site has a page at a path; with or without a slash at the end. */
export function isPage(pathname: string): boolean {
  const bare = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  return pages.has(bare) || PROFILE.test(bare)
}
