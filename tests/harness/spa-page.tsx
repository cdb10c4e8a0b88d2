import '#app/ui/styles.css'
import { createMemoryHistory } from '@tanstack/react-router'
import { render } from 'vitest-browser-react'
import { App } from '#app/app.tsx'
import { makeQueryClient } from '#app/query-client.ts'
import { makeRouter } from '#app/router.tsx'

/** The whole SPA opened at an address, over the backend of the test; the router says where it is. */
export async function openPage(address: string) {
  const queryClient = makeQueryClient()
  const router = makeRouter(queryClient, createMemoryHistory({ initialEntries: [address] }))
  const screen = await render(<App router={router} queryClient={queryClient} />)
  return { screen, router }
}
