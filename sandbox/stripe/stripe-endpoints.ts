import type * as z from 'zod/mini'
import { type SandboxContext, seconds, stripeId } from '#sandbox/context.ts'
import type { EndpointRecord } from '#sandbox/records.ts'
import type { EndpointCreate } from './stripe-params.ts'
import { API_VERSION } from './stripe-session-objects.ts'

/** Registers another webhook endpoint, with its own secret. */
export function createEndpoint(
  ctx: SandboxContext,
  wanted: z.infer<typeof EndpointCreate>,
): EndpointRecord {
  const endpoint: EndpointRecord = {
    id: stripeId('we'),
    url: wanted.url,
    secret: stripeId('whsec', 32),
    events: wanted.enabled_events,
    created: seconds(ctx),
  }
  ctx.store.put('endpoint', endpoint)
  return endpoint
}

/** Without its secret, which is shown only once, on creation. */
export function endpointObject({ id, url, events, created }: EndpointRecord) {
  return {
    id,
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: null,
    created,
    description: null,
    enabled_events: events,
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  }
}
