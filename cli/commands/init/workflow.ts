import { CONFIG_FILE } from '../../shared/config.ts'
import { SECRET_ENV } from '../../shared/secret.ts'
import type { Project } from './model.ts'

/** Where GitHub expects the workflow. */
export const WORKFLOW_FILE = '.github/workflows/hookproof.yml'

/** What a workflow does for one project. */
interface WorkflowOptions extends Partial<Project> {
  /** The port at which the receiver listens. */
  readonly port?: number
}

/**
 * The workflow that starts a receiver in CI and grades it with action.yml; docs/examples has the same text.
 *
 * @param version of hookproof, for the action and for the command that it runs
 * @param options what the project needs, and the port of the receiver
 */
export function githubWorkflow(
  version: string,
  { steps = ['- run: npm ci'], start = 'npm start', port = 3000 }: WorkflowOptions = {},
): string {
  const prepared = steps.flatMap((step) => step.split('\n')).map((line) => `      ${line}`)
  const preparation = [
    prepared.length === 0
      ? '      # Add the steps that install what the receiver needs here.'
      : '      # What the receiver needs.',
    ...prepared,
  ].join('\n')
  return `# Grades the webhook receiver on every push. Written by \`hookproof init\`, and yours to change.
name: hookproof

on: push

permissions:
  contents: read

jobs:
  receiver:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-node@v6
        with:
          node-version: 22
${preparation}
      # Starts the receiver, grades it, writes the summary, uploads the reports, stops the receiver.
      - uses: hookproof/hookproof@v${version}
        env:
          PORT: ${port}
        with:
          version: ${version}
          config: ${CONFIG_FILE}
          # The receiver gets the secret as ${SECRET_ENV} and as WEBHOOK_SECRET.
          start: ${JSON.stringify(start)}
          # Kept under Settings, Secrets and variables, Actions. One for tests: never that of live deliveries.
          secret: \${{ secrets.${SECRET_ENV} }}
`
}
