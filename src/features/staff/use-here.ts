import { useLocation } from '@tanstack/react-router'

/** The address of this very page, for the way back. */
export function useHere(): string {
  return useLocation({ select: ({ href }) => href })
}
