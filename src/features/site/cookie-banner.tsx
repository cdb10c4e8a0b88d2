import { useMutation } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { closeCookieBanner, consentId, keepConsent } from '#app/lib/consent.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import { Container } from '#app/ui/page.tsx'
import type { Consent } from '#contract/profiles.ts'

type Choice = NonNullable<Consent>

const ALL: Choice = { preferences: true, statistics: true }
const NECESSARY: Choice = { preferences: false, statistics: false }

/** Sends the choice under the consent id, and stores that id once the server has saved it. */
function useSaveConsent() {
  const utils = trpc.useUtils()
  return useMutation({
    mutationFn: async (choice: Choice) => {
      const consentID = consentId() ?? crypto.randomUUID()
      await utils.client.profiles.saveConsent.mutate({ consentID, ...choice })
      return consentID
    },
    onSuccess: async (id) => {
      keepConsent(id)
      await utils.profiles.consent.invalidate()
    },
  })
}

type ChoicesProps = { choice: Choice; setChoice: (choice: Choice) => void }

function Choices({ choice, setChoice }: ChoicesProps) {
  const box = useRef<HTMLFieldSetElement>(null)
  // The pressed button is gone.
  useEffect(() => box.current?.querySelector<HTMLElement>('input:enabled')?.focus(), [])
  return (
    <fieldset ref={box}>
      <legend className="sr-only">Your cookie choices</legend>
      <div className="flex flex-wrap gap-x-6">
        <Checkbox label="Necessary (always on)" checked disabled />
        <Checkbox
          label="Preferences"
          checked={choice.preferences}
          onChange={({ target }) => setChoice({ ...choice, preferences: target.checked })}
        />
        <Checkbox
          label="Statistics"
          checked={choice.statistics}
          onChange={({ target }) => setChoice({ ...choice, statistics: target.checked })}
        />
      </div>
    </fieldset>
  )
}

/**
 * Publishes the banner's height, so that the page leaves that much space at its end and no focused control
 * hides behind the banner (base.css).
 */
function usePublishHeight(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const watcher = new ResizeObserver(() =>
      style.setProperty('--banner-height', `${panel.current?.offsetHeight ?? 0}px`),
    )
    if (panel.current !== null) watcher.observe(panel.current)
    return () => {
      watcher.disconnect()
      style.removeProperty('--banner-height')
    }
  }, [panel])
}

/** Three buttons side by side, even on the smallest phones. */
const answerClass = 'max-nav:flex-1 max-nav:px-1.5 px-3 whitespace-nowrap'

/**
 * Asks once for consent beyond the necessary; all choices are equally prominent. It does not block the page:
 * ignoring it means "only necessary".
 */
export function CookieBanner() {
  const panel = useRef<HTMLElement>(null)
  // The boxes ticked while choosing; null before that.
  const [choice, setChoice] = useState<Choice | null>(null)
  usePublishHeight(panel)
  const known = consentId()
  const answer = useSaveConsent()
  const { data: kept } = trpc.profiles.consent.useQuery(
    { consentID: known ?? '' },
    { enabled: known !== null },
  )
  useEffect(() => {
    // Opened from the footer, it takes focus and returns it; on arrival it does neither.
    if (consentId() === null) return
    const focused = document.activeElement
    panel.current?.focus()
    return () => {
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    }
  }, [])

  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby="cookies-title"
      aria-busy={answer.isPending}
      className="no-print fixed inset-x-0 bottom-0 z-40 max-h-[60dvh] overflow-y-auto border-t border-line bg-surface py-3 shadow-float"
    >
      <Container className="nav:flex nav:items-center nav:justify-between nav:gap-8">
        <div>
          {/* Not a heading, as the page's first one follows it. */}
          <p id="cookies-title" className="font-semibold">
            Cookies
          </p>
          <p className="max-w-prose text-sm">
            We store what the site needs to work. May we also remember your preferences, and count
            visits without identifying you?{' '}
            <TextLink to="/privacy-cookie" hash="cookies">
              What we store
            </TextLink>
          </p>
          {choice !== null && <Choices choice={choice} setChoice={setChoice} />}
          <p role="alert" className="text-sm font-medium text-danger">
            {answer.error && describeFailure(answer.error).sentence}
          </p>
        </div>
        <div className="mt-2 flex shrink-0 flex-wrap gap-2 nav:mt-0">
          <Button variant="secondary" className={answerClass} onClick={() => answer.mutate(ALL)}>
            Accept all
          </Button>
          <Button
            variant="secondary"
            className={answerClass}
            onClick={() => answer.mutate(NECESSARY)}
          >
            Only necessary
          </Button>
          {choice === null ? (
            <Button
              key="choose"
              variant="secondary"
              className={answerClass}
              onClick={() => setChoice(kept ?? NECESSARY)}
            >
              Choose
            </Button>
          ) : (
            <Button key="save" className={answerClass} onClick={() => answer.mutate(choice)}>
              Save choice
            </Button>
          )}
          {known !== null && (
            <Button variant="quiet" className={answerClass} onClick={closeCookieBanner}>
              Close
            </Button>
          )}
        </div>
      </Container>
    </section>
  )
}
