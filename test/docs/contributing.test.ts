import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CONTRACT } from '../../conformance/contracts/payment-service/requirements/contract.generated.ts'

const contributing = readFileSync('CONTRIBUTING.md', 'utf8')
const inTable = [...contributing.matchAll(/^\| `([^`]+)\/` \| \S/gm)].map(([, folder = '']) => folder)

describe('CONTRIBUTING.md', () => {
  test('names every folder of the repository with a sentence', () => {
    expect(foldersIn('.').filter((folder) => !inTable.includes(folder))).toEqual([])
  })

  test.each(['cli', 'conformance', 'receiver', 'schemas', 'fixtures'])(
    'names every folder in %s/',
    (parent) => {
      const folders = foldersIn(parent).map((folder) => `${parent}/${folder}`)
      expect(folders.filter((folder) => !inTable.includes(folder))).toEqual([])
    },
  )

  test('names no folder or npm script that does not exist', () => {
    expect(inTable.filter((folder) => !existsSync(folder))).toEqual([])
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>
    }
    const named = [...contributing.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  test('shows a case of a requirement that is in SPEC.md', () => {
    const [, sentence] = /requirement\(\s*'([^']+)'/.exec(contributing) ?? []
    expect(CONTRACT.map((requirement) => requirement.sentence)).toContain(sentence)
  })
})

/** The subfolders that are part of the repository: not those that git ignores, nor its own. */
function foldersIn(parent: string): string[] {
  const ignored = readFileSync('.gitignore', 'utf8').split('\n')
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== '.git' && !ignored.includes(`${entry.name}/`))
    .map(({ name }) => name)
}
