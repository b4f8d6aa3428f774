import { SERVICE_NAMES } from '../../../conformance/contracts/service-names.ts'
import { SERVICES } from '../../../conformance/contracts/services.ts'
import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'

const T = 1_750_000_000

/** The schemes of the services as data for the signature debugger, which runs in a browser, each with an example. */
export function generateDebugger(): Map<string, string> {
  const services = SERVICE_NAMES.filter((id) => id !== 'payment-service').map((id) => entryOf(SERVICES[id]))
  const text = `// Generated from the contracts of the services by \`npm run generate\`.
// cspell:disable
import type { DebuggedService } from './service.ts'

/** The services beside the payment service. */
export const OTHER_SERVICES: readonly DebuggedService[] = ${JSON.stringify(services, null, 2)}
`
  return new Map([['site/debugger/services.generated.ts', text]])
}

function entryOf({ id, title, scheme, windowSeconds, samples, sample }: WebhookContract) {
  // Base64 after a prefix, of which every service can make a key.
  const secret = `whsec_${Buffer.from('the key of an example').toString('base64')}`
  const delivery = sample(samples[0] ?? '', { secret, seed: 'debugger', mode: 'test', now: () => T })
  if (delivery === undefined) throw new Error(`${id} has no sample`)
  const { signed, signature, body } = delivery
  return {
    id,
    title,
    scheme,
    windowSeconds,
    example: {
      header: signature[0] ?? '',
      ...(scheme.stamps?.id !== undefined && { id: signed.id }),
      ...(scheme.stamps?.time !== undefined && { time: signed.t }),
      // The mistake that it shows: an editor added a line break.
      body: `${body.toString()}\n`,
      secret,
      at: String(T),
    },
  }
}
