import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CONTRACT } from '../../conformance/contracts/payment-service/requirements/contract.generated.ts'

const contributing = readFileSync('CONTRIBUTING.md', 'utf8')
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

describe('CONTRIBUTING.md', () => {
  test('names every npm script, and no file, folder or script that does not exist', () => {
    const paths = [...contributing.matchAll(/`((?:\w[\w-]*\/)+[\w.-]*)`/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter((path) => !/dist|reports/.test(path) && !existsSync(path))).toEqual([])
    const named = [...contributing.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
    expect(Object.keys(scripts).filter((name) => name !== 'test' && !named.includes(name))).toEqual([])
  })

  test('shows a case of a requirement that is in SPEC.md', () => {
    const [, sentence] = /requirement\(\s*'([^']+)'/.exec(contributing) ?? []
    expect(CONTRACT.map((requirement) => requirement.sentence)).toContain(sentence)
  })
})
