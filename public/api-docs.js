// Finds calls by a word, and copies commands. The page says everything without it.
;(() => {
  const find = document.getElementById('find')
  const found = document.getElementById('found')
  const entries = [...document.querySelectorAll('[data-find]')]

  function narrow() {
    const words = find.value.trim().toLowerCase().split(/\s+/).filter(Boolean)
    let count = 0
    for (const entry of entries) {
      const isHit = words.every((word) => entry.dataset.find.includes(word))
      entry.hidden = !isHit
      if (isHit && entry.tagName === 'LI') count += 1
    }
    for (const room of document.querySelectorAll('.room')) {
      room.hidden = room.querySelector('[data-find]:not([hidden])') === null
    }
    found.textContent = words.length === 0 ? '' : count === 1 ? '1 call' : `${count} calls`
  }

  find.hidden = false
  find.addEventListener('input', narrow)
  addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA)$/.test(event.target.tagName)
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    find.focus()
  })

  for (const button of document.querySelectorAll('.copy')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      const text = button.closest('figure').querySelector('code').textContent
      try {
        await navigator.clipboard.writeText(text)
        button.textContent = 'Copied'
      } catch {
        button.textContent = 'Select and copy'
      }
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2_000)
    })
  }
})()
