// The build without workers and styles inside: our content security policy allows no blob: scripts
// and no inline styles, so both come as files of our own.
// oxlint-disable-next-line import/no-unassigned-import -- it registers the element
import 'altcha/external'
import 'altcha/altcha.css'
import './captcha.css'
import type { AltchaWidgetElement } from 'altcha/external'
import Pbkdf2Worker from 'altcha/workers/pbkdf2?worker'
import { CAPTCHA_PATH } from '#contract/captcha.ts'

$altcha.algorithms.set('PBKDF2/SHA-256', () => new Pbkdf2Worker())

// "Verified" is what a checked provider is called here, and nothing else.
$altcha.i18n.set('en', {
  ...$altcha.i18n.get('en'),
  label: 'I’m not a robot',
  verifying: 'Checking that you’re not a robot',
  verified: 'Confirmed: you’re not a robot',
  error: 'That did not work. Tick the box to try again.',
  expired: 'This has expired. Tick the box to confirm again.',
})

/** Makes the widget; it starts by itself when somebody begins to fill in its form. */
export function makeAltcha(): AltchaWidgetElement {
  const widget = document.createElement('altcha-widget')
  widget.setAttribute('challenge', CAPTCHA_PATH)
  widget.setAttribute('auto', 'onfocus')
  widget.setAttribute('language', 'en')
  widget.setAttribute(
    'configuration',
    JSON.stringify({
      hideLogo: true,
      hideFooter: true,
      // It would collect how the pointer moves: nobody's business.
      humanInteractionSignature: false,
      minDuration: 0,
    }),
  )
  return widget
}
