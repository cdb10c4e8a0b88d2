import { useMutation } from '@tanstack/react-query'
import type { AltchaWidgetElement } from 'altcha/external'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { loadCode } from '#app/lib/late-code.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { LiveRegion } from '#app/ui/page.tsx'
import { errorMessage } from '#contract/base/sentences.ts'

const importWidget = () => import('./altcha-widget.ts')
const loadWidget = () => loadCode(importWidget)

/** Distance below the viewport at which a form counts as near. */
const NEAR_MARGIN = '600px'

/**
 * Calls back once, when the place nears the viewport or its form takes focus. Returns a function that stops
 * observing.
 */
function whenNear(place: Element, onNear: () => void): () => void {
  const form = place.closest('form')
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) come()
    },
    { rootMargin: NEAR_MARGIN },
  )
  const stop = () => {
    observer.disconnect()
    form?.removeEventListener('focusin', come)
  }
  const come = () => {
    stop()
    onNear()
  }
  observer.observe(place)
  form?.addEventListener('focusin', come)
  return stop
}

const announcements: Record<string, string> = {
  verifying: 'Checking that you’re not a robot.',
  verified: 'Confirmed that you’re not a robot.',
  error: 'We couldn’t confirm that you’re not a robot. Tick the box to try again.',
  expired: 'This check has expired. Tick the box again.',
}

/** The widget's state; empty once it is out of the page, where it has no methods. */
function stateOf(widget: AltchaWidgetElement): string {
  return widget.isConnected ? widget.getState() : ''
}

/** A form's challenge: the element it renders into, and how the form gets its solution. */
export type Captcha = {
  box: RefObject<HTMLDivElement | null>
  /** The solution to send, computed now if need be; undefined if that failed. */
  solve(): Promise<string | undefined>
  /** A solution is valid once: call this after a rejected request. */
  renew(): void
}

/** Makes the challenge of a form; pass it to `CaptchaField`. */
export function useCaptcha(): Captcha {
  const box = useRef<HTMLDivElement>(null)
  const widget = () =>
    box.current?.firstElementChild?.shadowRoot?.querySelector<AltchaWidgetElement>(
      'altcha-widget',
    ) ?? null
  return {
    box,
    async solve() {
      if (navigator.onLine) await loadWidget().catch(() => undefined)
      const found = widget()
      if (found === null) return undefined
      if (stateOf(found) === 'verifying') await waitForResult(found)
      if (!found.isConnected) return undefined
      const solved = found.querySelector<HTMLInputElement>('input[type="hidden"]')?.value
      if (stateOf(found) === 'verified' && solved) return solved
      return (await found.verify())?.payload ?? undefined
    },
    renew() {
      widget()?.reset()
    },
  }
}

function waitForResult(widget: AltchaWidgetElement): Promise<void> {
  return new Promise((resolve) => {
    const onChange = () => {
      if (stateOf(widget) === 'verifying') return
      widget.removeEventListener('statechange', onChange)
      resolve()
    }
    widget.addEventListener('statechange', onChange)
  })
}

/**
 * A proof of work, computed while the form is filled in: costly for bots, effortless for people. No images to
 * decipher; for keyboard and screen reader it is a checkbox.
 */
export function CaptchaField({ captcha, work = 1 }: { captcha: Captcha; work?: number }) {
  const { box } = captcha
  const [state, setState] = useState('')
  const [isLost, setLost] = useState(false)

  useEffect(() => {
    const left = new AbortController()
    const place = box.current
    if (place === null) return
    const show = async () => {
      const { showAltcha } = await loadWidget()
      if (left.signal.aborted) return
      const widget = showAltcha(place, work)
      widget.addEventListener('statechange', () => setState(stateOf(widget)))
      // After a network failure, the challenge resets once the network is back.
      addEventListener('online', () => stateOf(widget) === 'error' && widget.reset(), {
        signal: left.signal,
      })
      // The widget starts when its form takes focus, which may have happened already. It needs a moment after
      // insertion.
      await new Promise((resolve) => setTimeout(resolve))
      const form = place.closest('form')
      const begin = () => {
        if (stateOf(widget) === 'unverified') void widget.verify()
      }
      form?.addEventListener('focusin', begin, { signal: left.signal })
      if (form?.matches(':focus-within')) begin()
    }
    // The widget's code is heavy, and most visitors to a profile send no message.
    const stop = whenNear(place, () => void show().catch(() => setLost(true)))
    return () => {
      left.abort()
      stop()
      place.replaceChildren()
    }
  }, [box, work])

  return (
    <div>
      {/* As high as the widget, so that nothing moves when it loads. */}
      <div ref={box} className="min-h-14" />
      {(state === 'error' || state === 'expired') && (
        <p aria-hidden="true" className="mt-1.5 text-sm font-medium text-danger">
          {announcements[state]}
        </p>
      )}
      <LiveRegion text={announcements[state] ?? ''} />
      {isLost && (
        <Notice kind="warn">
          <p>The robot check didn’t load. Copy what you’ve written, then reload the page.</p>
        </Notice>
      )}
    </div>
  )
}

/** Lifts the rate limit of a network that has searched a lot, once a captcha is solved. */
export function ProvePerson({ onProved }: { onProved: () => void }) {
  const { client } = trpc.useUtils()
  const captcha = useCaptcha()
  const prove = useMutation({
    mutationFn: async () => {
      const captchaValue = await captcha.solve()
      if (captchaValue === undefined) throw new Error('The challenge was not solved.')
      return client.search.prove.mutate({ captchaValue })
    },
    onSuccess: onProved,
    onSettled: () => captcha.renew(),
  })
  return (
    <section
      aria-labelledby="prove-title"
      className="rounded-card border border-line bg-surface p-6 sm:p-8"
    >
      <h2 id="prove-title" className="text-xl font-semibold">
        A quick check before you search again
      </h2>
      <p className="mt-2 max-w-prose text-muted">
        There have been a lot of searches from your network. {errorMessage('captcha_required')}
      </p>
      <div className="mt-6 max-w-80">
        <CaptchaField captcha={captcha} />
      </div>
      <Button className="mt-4" isBusy={prove.isPending} onClick={() => prove.mutate()}>
        Continue
      </Button>
      <p role="alert" className="mt-2 font-medium text-danger">
        {prove.error && describeFailure(prove.error).sentence}
      </p>
    </section>
  )
}
