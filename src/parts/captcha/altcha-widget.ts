// The build without inlined workers and styles: our content security policy forbids blob: scripts and inline
// styles, so both are served as files.
// oxlint-disable-next-line import/no-unassigned-import -- it registers the element
import 'altcha/external'
import widgetStyles from 'altcha/altcha.css?inline'
import type { AltchaWidgetElement } from 'altcha/external'
import Pbkdf2Worker from 'altcha/workers/pbkdf2?worker'
import { captchaUrl } from '#contract/base/captcha.ts'
import ownStyles from './captcha.css?inline'

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

const styles = new CSSStyleSheet()
styles.replaceSync(widgetStyles.replaceAll(':root', ':host') + ownStyles)

/**
 * Puts a new widget into an element, in a shadow tree: a browser that translates the page would replace text which the
 * widget changes itself, and it would stop working.
 * `work` as `captchaUrl` takes it.
 */
export function showAltcha(place: Element, work: number): AltchaWidgetElement {
  const widget = document.createElement('altcha-widget')
  widget.setAttribute('challenge', captchaUrl(work))
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
  const host = document.createElement('div')
  const shadow = host.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [styles]
  shadow.append(widget)
  place.replaceChildren(host)
  return widget
}
