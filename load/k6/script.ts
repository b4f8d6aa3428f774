import { ID_CHARACTERS, loadEvents } from '../request.ts'

/** What a k6 script does unless its environment variables change it. */
export interface K6Options {
  readonly version: string
  readonly url: URL
  readonly signatureHeader: string
  /** Deliveries per second. */
  readonly rate: number
  readonly durationMs: number
  /** The maximum number of deliveries in flight. */
  readonly connections: number
  /** How long a response may take, in milliseconds. */
  readonly timeoutMs: number
  readonly seed: string
}

/**
 * Writes a k6 script that sends signed deliveries at a fixed rate (SPEC.md 1 and 8). It never contains the signing secret:
 * the script reads HOOKPROOF_SECRET when it runs.
 */
export function k6Script(options: K6Options): string {
  const { version, url, signatureHeader, rate, durationMs, connections, timeoutMs, seed } = options
  const text = (value: unknown) => JSON.stringify(value)
  return `// Load-tests a webhook receiver with k6. Written by hookproof ${version}: hookproof load --export k6
//
// Each iteration sends one delivery: a payment.completed event of a new payment, signed when it is sent.
//
//   export HOOKPROOF_SECRET=...    # the signing secret of the receiver; this file does not contain it
//   k6 run load.js
//   k6 run -e TARGET=http://localhost:3000/webhooks -e RATE=500 -e DURATION=1m load.js
//
// TARGET    URL of the webhook endpoint
// RATE      deliveries per second
// DURATION  how long to send, for example 30s or 5m
// VUS       the maximum number of deliveries in flight
//
// The run fails with exit code 99 unless every delivery is sent on time and answered with 200.
import { check } from 'k6'
import crypto from 'k6/crypto'
import exec from 'k6/execution'
import http from 'k6/http'

const SECRET = __ENV.HOOKPROOF_SECRET
const TARGET = __ENV.TARGET || ${text(url.href)}
const RATE = Number(__ENV.RATE || ${rate})
const DURATION = __ENV.DURATION || ${text(`${durationMs / 1000}s`)}
const VUS = Number(__ENV.VUS || ${connections})
const SIGNATURE_HEADER = ${text(signatureHeader)}

export const options = {
  scenarios: {
    deliveries: {
      // Starts deliveries on time even while the receiver is slow.
      executor: 'constant-arrival-rate',
      rate: RATE,
      timeUnit: '1s',
      duration: DURATION,
      preAllocatedVUs: VUS,
    },
  },
  thresholds: {
    checks: ['rate==1'],
    http_req_failed: ['rate==0'],
    // Deliveries that were due while VUS deliveries were in flight.
    dropped_iterations: ['count==0'],
  },
  summaryTrendStats: ['p(50)', 'p(90)', 'p(99)', 'p(99.9)', 'max'],
  userAgent: 'hookproof-load',
  discardResponseBodies: true,
}

// Only 200 acknowledges a delivery.
http.setResponseCallback(http.expectedStatuses(200))

// Templates: each delivery gets its own payment id and time.
const EVENTS = ${JSON.stringify(loadEvents(seed), null, 2)}

const ID_CHARACTERS = ${text(ID_CHARACTERS)}

function paymentId() {
  const bytes = new Uint8Array(crypto.randomBytes(20))
  return 'tx_' + Array.from(bytes, (byte) => ID_CHARACTERS[byte % ID_CHARACTERS.length]).join('')
}

export function setup() {
  if (!SECRET) exec.test.abort('HOOKPROOF_SECRET is not set: set it to the signing secret of the receiver')
}

export default function () {
  const id = paymentId()
  const event = EVENTS[exec.scenario.iterationInTest % EVENTS.length]
  const now = new Date()
  const body = JSON.stringify(
    Object.assign({}, event, { id, payment_id: id, order_id: id, timestamp: now.toISOString() }),
  )

  // The signature covers the time, a dot and the exact bytes of the body.
  const t = Math.floor(now.getTime() / 1000)
  const v1 = crypto.hmac('sha256', SECRET, \`\${t}.\${body}\`, 'hex')

  const response = http.post(TARGET, body, {
    headers: { 'Content-Type': 'application/json', [SIGNATURE_HEADER]: \`t=\${t},v1=\${v1}\` },
    redirects: 0,
    timeout: ${text(`${timeoutMs}ms`)},
  })
  check(response, { 'answered with 200': ({ status }) => status === 200 })
}
`
}

/** How many machines share the load in the sample. */
const PARALLELISM = 4

/** Writes a TestRun for k6-operator, which runs the script of `k6Script` on several machines of a Kubernetes cluster. */
export function k6TestRun({ version, url, rate, durationMs, connections }: K6Options): string {
  const text = (value: unknown) => JSON.stringify(String(value))
  return `# Load-tests a webhook receiver with k6-operator. Written by hookproof ${version}: hookproof load --export k6-operator
#
#   hookproof load --export k6 > load.js
#   kubectl create configmap hookproof-load --from-file=load.js
#   printf %s "$HOOKPROOF_SECRET" | kubectl create secret generic hookproof-load --from-file=secret=/dev/stdin
#   kubectl apply -f testrun.yaml
#   kubectl logs --selector=k6_cr=hookproof-load,runner=true --tail=-1
#
# RATE and VUS are totals, which the machines share.
apiVersion: k6.io/v1alpha1
kind: TestRun
metadata:
  name: hookproof-load
spec:
  parallelism: ${PARALLELISM}
  script:
    configMap:
      name: hookproof-load
      file: load.js
  runner:
    env:
      - name: HOOKPROOF_SECRET
        valueFrom:
          secretKeyRef:
            name: hookproof-load
            key: secret
      - name: TARGET
        value: ${text(url.href)}
      - name: RATE
        value: ${text(rate)}
      - name: DURATION
        value: ${text(`${durationMs / 1000}s`)}
      - name: VUS
        value: ${text(connections)}
`
}
