import { useSyncExternalStore } from 'react'
import type { Me } from '#contract/auth.ts'
import { channelToTabs, readCookie, readStored, writeCookie, writeStored } from './storage.ts'

/** The readable marker beside the tokens, which no script can read. */
const MARKER = 'user_id'

/** Only says that staff signed in here; the tokens are cookies that no script can read. */
const STAFF_MARKER = 'adminAccessToken'

const listeners = new Set<() => void>()
const otherTabs = channelToTabs('session')

function tellThisTab(): void {
  for (const listener of listeners) listener()
}

otherTabs.addEventListener('message', tellThisTab)

function announce(): void {
  tellThisTab()
  // A channel is of one origin by itself; only windows are told a target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  otherTabs.postMessage('changed')
}

/** The `user_id` of whoever is signed in, or null. Whether it still holds only the server knows. */
export function signedInUser(): string | null {
  return readCookie(MARKER)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // A sign-in can also end while nobody looks: in another window, or because its time was up.
  addEventListener('focus', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('focus', listener)
  }
}

/** Whom the server rendered this page for; read at once, because hydration takes the mark away. */
const renderedAs = import.meta.env.SSR
  ? undefined
  : document.getElementById('root')?.dataset['drawn']

/**
 * `signedInUser` for the first render of a page the server rendered: it must find the same, though
 * somebody may have signed in or out in another tab since.
 */
function renderedFor(): string | null {
  if (import.meta.env.SSR) return signedInUser()
  return renderedAs === 'member' ? (signedInUser() ?? '') : null
}

/** `signedInUser`, following sign-ins and sign-outs of all tabs. */
export function useSignedInUser(): string | null {
  return useSyncExternalStore(subscribe, signedInUser, renderedFor)
}

/** Whether somebody who has just come in has a password or a second factor to set up first. */
export function hasSetUp(me: Me): boolean {
  return me.must_change_password || me.must_set_second_factor
}

/** Writes the local keys the specification lists; none of them is a secret. */
export function keepLocally(me: Me): void {
  writeStored('isLoggedIn', 'true')
  writeStored('ProfilePhone', me.phone_number)
  writeStored('ProfileEmail', me.email)
  writeStored('firstName', me.first_name)
  // Somebody else's must not stay: it says as whom to sign in again.
  writeStored('provider_id', me.provider?.provider_id ?? null)
  writeStored('provider_located_region', me.provider?.region ?? null)
  writeStored(STAFF_MARKER, me.kind === 'staff' && !hasSetUp(me) ? '1' : null)
}

/** Whether who is or was last signed in here is a provider, as far as this browser remembers. */
export function wasProvider(): boolean {
  return readStored('provider_id') !== null
}

/** Whether somebody of staff is signed in, as far as this browser knows. */
export function isStaffHere(): boolean {
  return signedInUser() !== null && readStored(STAFF_MARKER) !== null
}

/** After the server has said who signed in; its cookies are there already. */
export function beginSession(me: Me): void {
  keepLocally(me)
  writeStored('auth_token', null)
  writeStored('provider_auth_token', null)
  announce()
}

/** A failed sign-in leaves `isLoggedIn` false (specification, section 4). */
export function noteFailedSignIn(): void {
  writeStored('isLoggedIn', 'false')
}

/** Forgets who was signed in: the marker, the local keys named, and `isLoggedIn` turns false. */
export function endSession(keys: readonly string[]): void {
  writeCookie(MARKER, '', 0)
  for (const key of keys) writeStored(key, null)
  writeStored(STAFF_MARKER, null)
  writeStored('isLoggedIn', 'false')
  announce()
}
