import { readFile } from 'node:fs/promises'
import { CRASH_CASES } from '../../../conformance/contracts/payment-service/cases/durable.ts'
import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { CONTRACT } from '../../../conformance/contracts/payment-service/requirements/contract.generated.ts'

const VERSION = /^This is version (?<version>\d+\.\d+) of the contract(?<draft>, a draft)?[:.]/m
const FILE = 'conformance/contracts/payment-service/requirements/versions.json'

/**
 * Writes what the version of SPEC.md consists of beside the versions before it. A released version is frozen: nothing
 * writes it again, and a case that is added later belongs to the next version.
 */
export async function generateContractVersion(): Promise<Map<string, string>> {
  const { version, draft } = VERSION.exec(await readFile('SPEC.md', 'utf8'))?.groups ?? {}
  if (version === undefined) throw new Error('SPEC.md does not state its version')
  if (draft === undefined) return new Map()
  const own = CONTRACT.flatMap(({ number, level }) => {
    const cases = [...CATALOGUE, ...CRASH_CASES].filter((one) => one.number === number).map(({ id }) => id)
    return cases.length === 0 ? [] : [[number, { level, cases }]]
  })
  const versions: object = JSON.parse(await readFile(FILE, 'utf8'))
  return new Map([[FILE, textOf({ ...versions, [version]: Object.fromEntries(own) })]])
}

/** JSON with one requirement on each line. */
function textOf(versions: Readonly<Record<string, object>>): string {
  const texts = Object.entries(versions).map(([version, requirements]) => {
    const lines = Object.entries(requirements).map(
      ([number, requirement]) => `    ${JSON.stringify(number)}: ${JSON.stringify(requirement)}`,
    )
    return `  ${JSON.stringify(version)}: {\n${lines.join(',\n')}\n  }`
  })
  return `{\n${texts.join(',\n')}\n}\n`
}
