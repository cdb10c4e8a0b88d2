// Runs before the first paint: a remembered theme must not flash, nor a page that was rendered for
// another region than the remembered one, no press may be lost, and the program must come neither
// too late nor too early.
;(() => {
  const PATIENCE_MS = 1_000
  const { afterPaint } = document.currentScript.dataset
  try {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
    const region = localStorage.getItem('selectedRegion')
    if (region === 'usa') document.documentElement.dataset.region = region
  } catch {
    // Storage is blocked: the system's choice stands.
  }

  // What the page needs besides the entry, which otherwise would ask for it only once it runs.
  const preloadPage = () => {
    const list = document.getElementById('page-chunks')
    if (list === null) return
    const page = location.pathname.split('/')[1] || 'home'
    for (const href of JSON.parse(list.textContent)[page] ?? []) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = href
      document.head.append(link)
    }
  }

  if (afterPaint === undefined) {
    preloadPage()
    return
  }
  // The page was served rendered: on a slow line the program, fetched along with the styles, would
  // only hold up the first sight of it.
  let isFetched = false
  const fetchProgram = () => {
    if (isFetched) return
    isFetched = true
    document.head.append(document.getElementById('program').content)
    preloadPage()
  }
  addEventListener('DOMContentLoaded', () => {
    // A page in the background is not painted, and some browsers do not say when they have.
    if (document.hidden) fetchProgram()
    else setTimeout(fetchProgram, PATIENCE_MS)
    new PerformanceObserver(fetchProgram).observe({ type: 'paint', buffered: true })
  })

  // Until the program is there a button would do nothing, and a form would be sent by the browser
  // itself. The last press waits, and is done as soon as something heeds it.
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
      // Not within React's own work: it hydrates what is pressed first, and could not do so there.
      setTimeout(() => pressed?.click())
    },
    { once: true },
  )
})()
