import { type Context, makeContext, type Services } from './context.ts'
import { readClient } from './kernel/client.ts'
import { randomText } from './kernel/ids.ts'
import { readViewer } from './read-viewer.ts'

/** A request as it arrived: nobody has looked yet who sent it. */
export function arrivedContext(services: Services, request: Request, network: string): Context {
  return makeContext(services, {
    viewer: { kind: 'visitor' },
    requestId: randomText(10),
    network,
    client: readClient(request.headers),
  })
}

/** The same context as whoever the request's token belongs to; without one nothing is asked. */
export async function withSession(
  services: Services,
  ctx: Context,
  isQuiet = false,
): Promise<Context> {
  const { requestId, network, client, reply } = ctx
  const found = await readViewer(services, { client, network, isQuiet })
  if (found.session === null && found.token === null) return ctx
  return makeContext(services, { ...found, requestId, network, client, reply })
}
