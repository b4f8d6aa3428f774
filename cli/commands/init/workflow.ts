import { CONFIG_FILE } from '../../shared/config.ts'
import { SECRET_ENV } from '../../shared/secret.ts'

/** Where GitHub expects the workflow. */
export const WORKFLOW_FILE = '.github/workflows/hookproof.yml'

/**
 * The workflow that starts a receiver in CI and grades it with action.yml; docs/examples has the same text.
 *
 * @param version of hookproof, for the action and for the command that it runs
 * @param start the command that starts the receiver
 */
export function githubWorkflow(version: string, start = 'npm start'): string {
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
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      # What the receiver needs.
      - run: npm ci
      # Starts the receiver, grades it, writes the summary, uploads the reports, stops the receiver.
      - uses: hookproof/hookproof@v${version}
        with:
          version: ${version}
          config: ${CONFIG_FILE}
          # The receiver gets the secret as ${SECRET_ENV} and as WEBHOOK_SECRET.
          start: ${JSON.stringify(start)}
          # Kept under Settings, Secrets and variables, Actions. One for tests: never that of live deliveries.
          secret: \${{ secrets.${SECRET_ENV} }}
`
}
