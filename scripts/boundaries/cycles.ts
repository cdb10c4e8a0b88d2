/**
 * The first ring found in a directed graph, as its nodes in order with the first one repeated at the
 * end (`['a', 'b', 'a']`), or null when there is none.
 */
export function findCycle(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const finished = new Set<string>()
  const path: string[] = []

  function visit(node: string): string[] | null {
    if (finished.has(node)) return null
    const seenAt = path.indexOf(node)
    if (seenAt !== -1) return [...path.slice(seenAt), node]
    path.push(node)
    for (const next of edges.get(node) ?? []) {
      const ring = visit(next)
      if (ring !== null) return ring
    }
    path.pop()
    finished.add(node)
    return null
  }

  for (const node of edges.keys()) {
    const ring = visit(node)
    if (ring !== null) return ring
  }
  return null
}
