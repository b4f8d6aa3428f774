import { SERVICES } from '../../conformance/contracts/services.ts'
import type { check as Check, CheckOptions } from '../../conformance/index.ts'
import { correct, SECRETS, type Service, serving } from '../../test/conformance/services/receiver.ts'
import { startReceiver } from '../../test/mutants/receiver.ts'
import { median } from '../shared/numbers.ts'
import { type Figure, medianRatio, roundsOf } from './figure.ts'
import { built, SECRET } from './pinned.ts'

const ROUNDS = roundsOf(5)

/** How long `check` takes for the contract of each service, compared with the core profile of the payment service. */
export const services: Figure = {
  name: 'services',
  async measure() {
    const { check } = await built<{ readonly check: typeof Check }>('conformance/index.js')
    /** In seconds. */
    const timed = async (options: CheckOptions) => {
      const started = performance.now()
      const { conclusion } = await check({ ...options, profile: 'core' })
      if (conclusion !== 'conformant') throw new Error(`${options.service}: the receiver is ${conclusion}`)
      return (performance.now() - started) / 1000
    }
    const baseline: number[] = []
    const names = Object.keys(SECRETS) as Service[]
    const times = new Map(names.map((name): [Service, number[]] => [name, []]))
    for (let round = 0; round < ROUNDS; round += 1) {
      const receiver = await startReceiver(SECRET)
      baseline.push(await timed({ url: receiver.url, secret: SECRET }))
      receiver.stop()
      for (const [service, own] of times) {
        const secret = SECRETS[service]
        own.push(await serving(service, correct(service), (url) => timed({ url, service, secret })))
      }
    }
    return [...times].map(([service, own]) => ({
      figure: `check --service ${service}, core profile`,
      baseline: `check of ${SERVICES['payment-service'].title}, core profile`,
      ratio: medianRatio(own, baseline),
      target: '≤ 1.5',
      details: `${median(own).toFixed(1)} s vs. ${median(baseline).toFixed(1)} s`,
    }))
  },
}
