/**
 * What a browser's translator does to a page: it replaces every text node, and those that appear later. Runs in the
 * page, before or after its scripts. `mark` before every text stands for the other language. Returns what stops it.
 */
export function translatePage(mark = ''): () => void {
  const kept = 'script, style, title, textarea, noscript, font'
  const wrap = (text: Text) => {
    if (text.data === '' || !text.parentElement || text.parentElement.closest(kept)) return
    const font = (): Element => document.createElementNS('http://www.w3.org/1999/xhtml', 'font')
    const [outer, inner] = [font(), font()]
    inner.textContent = mark + text.data
    outer.append(inner)
    text.replaceWith(outer)
  }
  const wrapAll = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
    for (const text of texts) wrap(text)
  }
  wrapAll(document)
  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      for (const node of [target, ...addedNodes]) {
        if (node instanceof Text) wrap(node)
        else wrapAll(node)
      }
    }
  })
  observer.observe(document, { childList: true, characterData: true, subtree: true })
  return () => observer.disconnect()
}

/**
 * Text nodes that React keeps for itself, as `parent: text`: React breaks when a translator replaces one of them.
 * Text that is an element's only content is not among them.
 */
export function findBareTexts(): string[] {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  while (walker.nextNode()) {
    const { currentNode: node } = walker
    // React marks its nodes with a property of this name.
    if (!Object.keys(node).some((key) => key.startsWith('__reactFiber$'))) continue
    found.push(`${node.parentElement?.outerHTML.slice(0, 200)}: ${node.nodeValue}`)
  }
  return found
}
