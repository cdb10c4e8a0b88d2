// The build without inlined workers and styles: our content security policy forbids blob: scripts and inline
// styles, so both are served as files.
// oxlint-disable-next-line import/no-unassigned-import -- it registers the element
import 'altcha/external'
import 'altcha/altcha.css'
import './captcha.css'
import type { AltchaWidgetElement } from 'altcha/external'
import Pbkdf2Worker from 'altcha/workers/pbkdf2?worker'
import { captchaUrl } from '#contract/base/captcha.ts'

$altcha.algorithms.set('PBKDF2/SHA-256', () => new Pbkdf2Worker())

// "Verified" is reserved for providers whose registration was checked.
$altcha.i18n.set('en', {
  ...$altcha.i18n.get('en'),
  label: 'I’m not a robot',
  verifying: 'Checking that you’re not a robot',
  verified: 'Confirmed: you’re not a robot',
  error: 'That didn’t work. Tick the box to try again.',
  expired: 'This has expired. Tick the box to confirm again.',
})

/** Creates the widget, which starts by itself when its form is first used; `work` as `captchaUrl` takes it. */
export function makeAltcha(work: number): AltchaWidgetElement {
  const widget = document.createElement('altcha-widget')
  widget.setAttribute('challenge', captchaUrl(work))
  widget.setAttribute('auto', 'onfocus')
  widget.setAttribute('language', 'en')
  widget.setAttribute(
    'configuration',
    JSON.stringify({
      hideLogo: true,
      hideFooter: true,
      // Would record pointer movements, which is not needed.
      humanInteractionSignature: false,
      minDuration: 0,
    }),
  )
  return widget
}
