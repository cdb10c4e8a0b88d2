/** A channel to this site's other tabs; on the server, where nobody listens, a dead end. */
export function channelToTabs(
  name: string,
): Pick<BroadcastChannel, 'addEventListener' | 'postMessage'> {
  if (import.meta.env.SSR) return { addEventListener: () => {}, postMessage: () => {} }
  return new BroadcastChannel(name)
}
