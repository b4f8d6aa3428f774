import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EXIT } from '../../cli/shared/exit.ts'
import { check } from '../../conformance/index.ts'
import { runApp } from './app.ts'

const readme = readFileSync('README.md', 'utf8')

describe('README.md', () => {
  test('the receiver that it shows is conformant, as it stands there', async () => {
    const [, code] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
    if (code === undefined) throw new Error('README.md shows no receiver')
    const { url } = await runApp('readme', code, 'whsec_readme')
    const report = await check({ url, secret: 'whsec_readme' })
    expect(report.verdicts.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
    expect(report.conclusion).toBe('conformant')
  })

  test('every file that it links to is there', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(5)
    for (const link of links) expect(existsSync(link), link).toBe(true)
  })

  test('every npm script that it names is there', () => {
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

  test('its example of an observation is valid', async () => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(readme) ?? []
    const { validate } = await import('../../schemas/validate.ts')
    expect(validate('observation', JSON.parse(example))).toEqual([])
  })
})
