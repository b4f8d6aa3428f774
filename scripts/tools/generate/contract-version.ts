import { readFile } from 'node:fs/promises'
import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { CONTRACT } from '../../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import { CRASH_CASES } from '../../../conformance/crash/catalogue.ts'

const VERSION = /^This is version (?<version>\d+\.\d+) of the contract(?<draft>, a draft)?[:.]/m

/**
 * Writes what the version of SPEC.md consists of. A released version is frozen: nothing writes its file again, and a case
 * that is added later belongs to the next version.
 */
export async function generateContractVersion(): Promise<Map<string, string>> {
  const { version, draft } = VERSION.exec(await readFile('SPEC.md', 'utf8'))?.groups ?? {}
  if (version === undefined) throw new Error('SPEC.md does not state its version')
  if (draft === undefined) return new Map()
  const rows = CONTRACT.flatMap(({ number, level }) => {
    const ids = [...CATALOGUE, ...CRASH_CASES].filter((one) => one.number === number).map(({ id }) => id)
    return ids.length === 0 ? [] : [`  '${number}': { level: '${level}', cases: ${JSON.stringify(ids)} },`]
  })
  const name = version.replace('.', '-')
  return new Map([
    [
      `conformance/contracts/payment-service/requirements/v${name}.ts`,
      `// Written by \`npm run generate\` while version ${version} is a draft; frozen once it is released.
import type { RequirementsOfVersion } from './requirements.ts'

/** Version ${version}: each requirement with its level and its cases. */
export const V${name.replace('-', '_')} = {
${rows.join('\n')}
} as const satisfies RequirementsOfVersion
`,
    ],
  ])
}
