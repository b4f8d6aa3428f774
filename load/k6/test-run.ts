import type { K6Options } from './script.ts'

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
