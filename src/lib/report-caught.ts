import { TRPCClientError } from '@trpc/client'

/** For React's `onCaughtError`: a call that failed is said on the page, anything else is a defect. */
export function reportCaught(error: unknown): void {
  // oxlint-disable-next-line no-console -- what React does by itself
  if (!(error instanceof TRPCClientError)) console.error(error)
}
