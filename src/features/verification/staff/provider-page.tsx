import { ProviderView } from './provider-view.tsx'

/** `/admin-home/providers/{providerId}`: what a provider claims and what the register says. */
export function ProviderPage({ providerId }: { providerId: string }) {
  return <ProviderView providerId={providerId} />
}
