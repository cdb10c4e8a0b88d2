// Runs before the first paint, in a file of its own because the content security policy allows no
// inline script: a remembered theme must not flash, and the page's own code need not wait for the
// entry to ask for it.
;(() => {
  try {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // Storage is blocked: the system's choice stands.
  }
  const list = document.getElementById('page-chunks')
  if (list === null) return
  const page = location.pathname.split('/')[1] || 'home'
  for (const href of JSON.parse(list.textContent)[page] ?? []) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = href
    document.head.append(link)
  }
})()
