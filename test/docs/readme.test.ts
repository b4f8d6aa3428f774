import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EXIT } from '../../cli/shared/exit.ts'
import { check } from '../../conformance/index.ts'
import { runApp } from './app.ts'

const readme = readFileSync('README.md', 'utf8')

describe('README.md', () => {
  test('the receiver that it shows is conformant', async () => {
    const [, code] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
    if (code === undefined) throw new Error('README.md shows no receiver')
    const { url } = await runApp('readme', code, 'whsec_readme')
    const report = await check({ url, secret: 'whsec_readme' })
    expect(report.verdicts.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
    expect(report.conclusion).toBe('conformant')
  })

  test('every npm script that it names exists', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>
    }
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
    expect(named).toContain('conformance')
    for (const name of named) expect(scripts, name).toHaveProperty(name)
  })

  test('its exit codes are those of the command', () => {
    const rows = [...readme.matchAll(/^\| (\d) \| /gm)].map(([, code]) => Number(code))
    expect(rows).toEqual(Object.values(EXIT).toSorted((a, b) => a - b))
  })

  test('its examples of JSON are valid under the schemas of what they show', async () => {
    const { validate } = await import('../../schemas/validate.ts')
    const examples = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json))
    expect(examples.map((example) => Object.keys(example))).toEqual([['failures'], ['effects']])
    const [baseline, observation] = examples
    expect(validate('baseline', baseline)).toEqual([])
    expect(validate('observation', observation)).toEqual([])
  })
})
