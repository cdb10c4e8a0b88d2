import { useSyncExternalStore } from 'react'
import type { Me } from '#contract/auth.ts'
import { openTabChannel, readCookie, readStored, writeCookie, writeStored } from './storage.ts'

/** Readable marker cookie; the tokens themselves are cookies that no script can read. */
const MARKER_COOKIE = 'user_id'

/** Only says that staff signed in here; the tokens are cookies that no script can read. */
const STAFF_MARKER = 'adminAccessToken'

const listeners = new Set<() => void>()
const otherTabs = openTabChannel('session')

function notifyThisTab(): void {
  for (const listener of listeners) listener()
}

otherTabs.addEventListener('message', notifyThisTab)

function notifyAllTabs(): void {
  notifyThisTab()
  // BroadcastChannel is same-origin; only messages to windows take a target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  otherTabs.postMessage('changed')
}

/** The `user_id` of the signed-in user, or null. Only the server knows whether the session is still valid. */
export function signedInUser(): string | null {
  return readCookie(MARKER_COOKIE)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // A session can also end in the background: in another window, or by expiry.
  addEventListener('focus', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('focus', listener)
  }
}

/** User state the server rendered this page for; read at once, because hydration removes the attribute. */
const renderedAs = import.meta.env.SSR
  ? undefined
  : document.getElementById('root')?.dataset['rendered']

/**
 * `signedInUser` for hydration: it must match the server's rendering, even if the user has signed in or out
 * in another tab since.
 */
function renderedFor(): string | null {
  if (import.meta.env.SSR) return signedInUser()
  return renderedAs === 'member' ? (signedInUser() ?? '') : null
}

/** `signedInUser`, updated by sign-ins and sign-outs in all tabs. */
export function useSignedInUser(): string | null {
  return useSyncExternalStore(subscribe, signedInUser, renderedFor)
}

/** Whether the user must first set up a password or a second factor. */
export function mustSetUp(me: Me): boolean {
  return me.must_change_password || me.must_set_second_factor
}

/** Writes the local keys the specification lists; none of them is a secret. */
export function storeLocally(me: Me): void {
  writeStored('isLoggedIn', 'true')
  writeStored('ProfilePhone', me.phone_number)
  writeStored('ProfileEmail', me.email)
  writeStored('firstName', me.first_name)
  // Another user's value must not remain: it determines which sign-in is offered.
  writeStored('provider_id', me.provider?.provider_id ?? null)
  writeStored('provider_located_region', me.provider?.region ?? null)
  writeStored(STAFF_MARKER, me.kind === 'staff' && !mustSetUp(me) ? '1' : null)
}

/** Whether the current or last user of this browser was a provider, as far as it knows. */
export function wasProvider(): boolean {
  return readStored('provider_id') !== null
}

/** Whether somebody of staff is signed in, as far as this browser knows. */
export function isStaffSignedIn(): boolean {
  return signedInUser() !== null && readStored(STAFF_MARKER) !== null
}

/** Called after the server has signed the user in and set its cookies. */
export function startSession(me: Me): void {
  storeLocally(me)
  writeStored('auth_token', null)
  writeStored('provider_auth_token', null)
  notifyAllTabs()
}

/** A failed sign-in leaves `isLoggedIn` false (specification, section 4). */
export function recordFailedSignIn(): void {
  writeStored('isLoggedIn', 'false')
}

/**
 * Forgets the signed-in user: removes the marker and the given local keys, and sets `isLoggedIn` to false.
 */
export function endSession(keys: readonly string[]): void {
  writeCookie(MARKER_COOKIE, '', 0)
  for (const key of keys) writeStored(key, null)
  writeStored(STAFF_MARKER, null)
  writeStored('isLoggedIn', 'false')
  notifyAllTabs()
}
