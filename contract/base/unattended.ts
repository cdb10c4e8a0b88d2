/**
 * Header of requests that a page sends by itself, with nobody at it: they do not count as use of the session, which
 * would otherwise never end by inactivity on a page that refreshes itself.
 */
export const UNATTENDED_HEADER = 'x-unattended'
