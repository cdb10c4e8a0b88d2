const loading = new Map<string, Promise<void>>()

function load(src: string): Promise<void> {
  const script = document.createElement('script')
  script.src = src
  const done = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      loading.delete(src)
      script.remove()
      reject(new Error(`Failed to fetch ${src}`))
    })
  })
  document.head.append(script)
  return done
}

/** Runs scripts of our own server in order, each once a page; those that failed can be tried again. */
export async function loadScripts(sources: readonly string[]): Promise<void> {
  for (const src of sources) {
    const known = loading.get(src) ?? load(src)
    loading.set(src, known)
    // In order: the later one may lean on the earlier.
    // oxlint-disable-next-line no-await-in-loop
    await known
  }
}
