import { readCookie } from './cookies.ts'
import { siteConfig } from './site-config.ts'

/** Reached from mails, banks and staff bookmarks: never behind the door (product.md, section 2). */
const OPEN =
  /^\/($|verify\/|reset-password\/|return\/?$|admin-signin\/?$|admin-start\/?$|admin-home(\/|$))/

/** Whether this installation is a demo that the browser has not entered, and the path needs it. */
export function isShutOut(pathname: string): boolean {
  return siteConfig().demo && !OPEN.test(pathname) && readCookie('demo_access_token') === null
}
