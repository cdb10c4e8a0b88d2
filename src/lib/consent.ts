import { useSyncExternalStore } from 'react'
import { useRenderedCookie } from './site-config.ts'
import { readCookie, writeCookie } from './storage.ts'

const COOKIE = 'consentID'
const YEAR = 31_536_000

let isBannerRequested = false
const listeners = new Set<() => void>()

function setBannerRequested(isWanted: boolean): void {
  isBannerRequested = isWanted
  for (const listener of listeners) listener()
}

/** Id of the stored answer to the cookie banner, or null if there is none. */
export function consentId(): string | null {
  return readCookie(COOKIE)
}

/** The id as a field of request inputs; omitted if there is none. */
export function consentField(): { consentID?: string } {
  const id = consentId()
  return id === null ? {} : { consentID: id }
}

/** Stores the id for a year, once the server has stored the answer, and closes the banner. */
export function keepConsent(id: string): void {
  writeCookie(COOKIE, id, YEAR)
  setBannerRequested(false)
}

/** Shows the banner again, to change the answer. */
export function openCookieBanner(): void {
  setBannerRequested(true)
}

/** Closes the banner without an answer; it stays open if there is no answer yet. */
export function closeCookieBanner(): void {
  setBannerRequested(false)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function isBannerWanted(): boolean {
  return isBannerRequested || consentId() === null
}

/** Whether to show the banner: there is no answer yet, or the user has reopened it. */
export function useBannerWanted(): boolean {
  const wasAnswered = useRenderedCookie(COOKIE)
  return useSyncExternalStore(subscribe, isBannerWanted, () => !wasAnswered)
}

/** `consentId`, updated with the banner. */
export function useConsentId(): string | null {
  return useSyncExternalStore(subscribe, consentId, () => null)
}
