import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'
import type { Delivery } from '../../../conformance/contracts/webhook/delivery.ts'
import type { KitOptions } from '../../../conformance/contracts/webhook/kit.ts'
import { signingKey } from '../../../conformance/contracts/webhook/scheme.ts'
import type { Target } from '../../../conformance/contracts/webhook/target.ts'
import { HarnessError } from '../../../conformance/harness-error.ts'
import type { Template } from '../../../load/request.ts'

/**
 * A sample event of a service, as a template of the deliveries that a load test sends.
 *
 * @param sample its name
 * @throws HarnessError `bad_option` for a sample that the service does not have
 */
export function templateOf(
  { sample: make, scheme, samples, title }: WebhookContract,
  sample: string,
  { secret, seed }: Pick<KitOptions, 'secret' | 'seed'>,
  { linesOf }: Target,
): Template {
  const now = Math.floor(Date.now() / 1000)
  const made = (own: string) => make(sample, { secret, seed: own, mode: 'test', now: () => now })
  const [delivery, another] = [made(seed), made(`${seed}/other`)]
  if (delivery === undefined || another === undefined) {
    const message = `"event": ${title} has no sample ${sample}; choose from ${samples.join(', ')}`
    throw new HarnessError('bad_option', message, { names: ['event'] })
  }
  const { id, t, v1 } = delivery.signed
  // For each delivery only one signature is made.
  const signedOnce: Delivery = { ...delivery, olderSignature: [] }
  return {
    // The text of a header is bytes already.
    lines: linesOf(signedOnce),
    body: delivery.body,
    ids: renewedIn(delivery, another),
    signature: v1,
    t: scheme.signed.includes('time') ? t : '',
    signed: scheme.signed,
    id,
    digest: scheme.digest,
    key: signingKey(scheme, secret),
  }
}

/** The texts of a delivery that are others in the next one: its ids, each after what they have in common. */
function renewedIn(delivery: Delivery, another: Delivery): Template['ids'] {
  const [own, others] = [textsOf(delivery), textsOf(another)]
  const pairs = new Map(own.map((text, at) => [text, others[at] ?? text]))
  return [...pairs].flatMap(([text, other]) => {
    const from = Array.from(text).findIndex((character, at) => character !== other[at])
    return from === -1 || text.length !== other.length ? [] : [{ text, from }]
  })
}

/** The texts that may be ids: those of the headers beside the signature, the id of the delivery, and those of the body. */
function textsOf({ body, headers, stamps, signed, key = '' }: Delivery): string[] {
  const ofHeaders = [...headers, ...stamps].map(([, value]) => value)
  return [signed.id, key, ...ofHeaders, ...leavesOf(body)].filter((text) => text !== signed.t)
}

function leavesOf(body: Buffer): string[] {
  const leaves: string[] = []
  try {
    JSON.parse(body.toString(), (_, value: unknown) => {
      if (typeof value === 'string') leaves.push(value)
      return value
    })
  } catch {
    // Another format than JSON: only the ids outside it are renewed.
  }
  return leaves
}
