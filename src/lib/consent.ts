import { useSyncExternalStore } from 'react'
import { readCookie, writeCookie } from './storage.ts'

const COOKIE = 'consentID'
const YEAR = 31_536_000

let isAskedFor = false
const listeners = new Set<() => void>()

function announce(isWanted: boolean): void {
  isAskedFor = isWanted
  for (const listener of listeners) listener()
}

/** The id under which the answer to the cookie banner is kept, or null before there is one. */
export function consentId(): string | null {
  return readCookie(COOKIE)
}

/** The id as inputs of the server have it: left out before there is one. */
export function consentField(): { consentID?: string } {
  const id = consentId()
  return id === null ? {} : { consentID: id }
}

/** Keeps the id for a year, once the server has kept the answer; the banner goes. */
export function keepConsent(id: string): void {
  writeCookie(COOKIE, id, YEAR)
  announce(false)
}

/** Shows the banner again, to change the answer. */
export function openCookieBanner(): void {
  announce(true)
}

/** Puts the banner away again without an answer; only possible when there is one already. */
export function closeCookieBanner(): void {
  announce(false)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function isBannerWanted(): boolean {
  return isAskedFor || consentId() === null
}

/** Whether the banner is to be seen: nobody has answered yet, or somebody asked for it. */
export function useBannerWanted(): boolean {
  return useSyncExternalStore(subscribe, isBannerWanted, isBannerWanted)
}

/** `consentId`, following the banner. */
export function useConsentId(): string | null {
  return useSyncExternalStore(subscribe, consentId, consentId)
}
