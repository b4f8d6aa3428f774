// Writes every generated file of the repository.
//   npm run generate -- --check         fails if a committed one is out of date
//   npm run generate -- --freeze 1.0    then freezes a version of the contract
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { generateAction } from './generate/action.ts'
import { generateContract } from './generate/contract.ts'
import { generateSchemas } from './generate/schemas.ts'

const check = process.argv.includes('--check')
const stale: string[] = []

await write(await generateAction())
await write(await generateContract())
await write(await generateSchemas())
// Imported only now, since the catalogue imports the contract that was just written.
const { generateContractVersion } = await import('./generate/contract-version.ts')
await write(await generateContractVersion())
const { generateCauseCases } = await import('./generate/cause-cases.ts')
await write(generateCauseCases())
const { generateDebugger } = await import('./generate/debugger.ts')
await write(generateDebugger())
const { generateDocs } = await import('./generate/docs.ts')
await write(await generateDocs())

if (stale.length > 0) {
  console.error(`out of date: ${stale.join(', ')}\nRun \`npm run generate\` and commit the result.`)
  process.exitCode = 1
} else if (process.argv.includes('--freeze')) await import('./generate/freeze.ts')

async function write(files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    const expected = path.endsWith('.ts') ? format(path, text) : text
    const current = await readFile(path, 'utf8').catch(() => undefined)
    if (current === expected) continue
    if (check) stale.push(path)
    else await writeFile(path, expected)
  }
}

function format(path: string, text: string): string {
  const result = spawnSync('npx', ['biome', 'format', `--stdin-file-path=${path}`], {
    input: text,
    encoding: 'utf8',
  })
  if (result.status !== 0) throw new Error(`biome could not format ${path}: ${result.stderr}`)
  return result.stdout
}
