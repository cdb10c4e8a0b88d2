// Runs before first paint: applies the stored theme and region so that nothing flashes, tells visitors with a browser that
// is too old, replays an early click after hydration, and loads the scripts of a rendered page. Browsers too old for all
// the rest have to understand it: no syntax after 2018.
;(() => {
  const PATIENCE_MS = 1_000
  const { program } = document.currentScript.dataset
  try {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
    const region = localStorage.getItem('selectedRegion')
    if (region === 'usa') document.documentElement.dataset.region = region
  } catch {
    // Storage is blocked: the system's preference applies.
  }

  // The newest of what the program cannot do without: Safari has look-behind since 16.4, Chrome `toSorted` since 110.
  const isTooOld = () => {
    try {
      return !('toSorted' in []) || !new RegExp('(?<=a)b').test('ab')
    } catch {
      return true
    }
  }
  const warn = () => {
    const warning = document.createElement('p')
    warning.setAttribute('role', 'alert')
    warning.textContent =
      'This browser is too old for Apposite, and parts of this page won’t work. Update it, or use Safari 16.4, Chrome 111, ' +
      'Edge 111, Firefox 128 or anything newer.'
    // Style sheets need a newer browser too.
    Object.assign(warning.style, {
      margin: '0',
      padding: '12px 16px',
      font: '16px/1.5 sans-serif',
      color: '#14211d',
      background: '#fbeae1',
    })
    document.body.prepend(warning)
  }
  if (isTooOld()) addEventListener('DOMContentLoaded', warn)

  if (program === undefined) return
  // Server-rendered page: on a slow network, loading the scripts in parallel with the styles would delay first
  // paint.
  let isFetched = false
  const addToHead = (tag, properties) => {
    document.head.append(Object.assign(document.createElement(tag), properties))
  }
  const fetchProgram = () => {
    if (isFetched) return
    isFetched = true
    const [entry, ...others] = program.split(' ')
    for (const href of others) addToHead('link', { rel: 'modulepreload', href })
    addToHead('script', { type: 'module', src: entry })
  }
  addEventListener('DOMContentLoaded', () => {
    // A background page is not painted, and some browsers do not report when it has been.
    if (document.hidden) fetchProgram()
    else setTimeout(fetchProgram, PATIENCE_MS)
    new PerformanceObserver(fetchProgram).observe({ type: 'paint', buffered: true })
  })

  // Before hydration a button does nothing, and a form would be submitted by the browser. The last click is
  // kept and replayed after hydration.
  let pressed
  const keep = (event) => {
    const button = event.target.closest('button')
    if (button === null) return
    event.preventDefault()
    event.stopImmediatePropagation()
    pressed = button
  }
  addEventListener('click', keep, true)
  addEventListener(
    'live',
    () => {
      removeEventListener('click', keep, true)
      delete document.getElementById('root').dataset.rendered
      // Outside React's current work: React hydrates a clicked boundary first, and cannot do so while rendering.
      setTimeout(() => pressed && pressed.click())
    },
    { once: true },
  )
})()
