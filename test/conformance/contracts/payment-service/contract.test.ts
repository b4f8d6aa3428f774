import { readFile } from 'node:fs/promises'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import { CRASH_CASES } from '../../../../conformance/contracts/payment-service/cases/durable.ts'
import { CATALOGUE, SECTIONS } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import {
  CONTRACT,
  UNTESTABLE,
} from '../../../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import { generateContract, withoutLinks } from '../../../../scripts/tools/generate/contract.ts'

const byNumber = new Map(CONTRACT.map((requirement) => [requirement.number as string, requirement]))
const quoted = new Set<string>(CATALOGUE.map(({ number }) => number))
const tested = new Set([...quoted, ...CRASH_CASES.map(({ number }) => number)])
const untestable = new Set(Object.keys(UNTESTABLE))

describe('every requirement is tested or listed as untestable', () => {
  it.each(CONTRACT.map(({ number, sentence }) => [number, sentence]))('%s %s', (number) => {
    expect({ tested: tested.has(number), untestable: untestable.has(number) }).toEqual({
      tested: !untestable.has(number),
      untestable: !tested.has(number),
    })
  })

  it('lists no requirement that does not exist', () => {
    for (const number of [...tested, ...untestable]) expect(byNumber.has(number), number).toBe(true)
  })

  it('gives a reason for each untestable requirement', () => {
    for (const reason of Object.values(UNTESTABLE)) expect(reason).toMatch(/^\w.{20,}\.$/)
  })
})

describe('the catalogue follows SPEC.md', () => {
  let lines: string[]
  beforeAll(async () => {
    lines = (await readFile('SPEC.md', 'utf8')).split('\n')
  })

  it('has the sections of SPEC.md, in its order', () => {
    const headings = lines.flatMap((line) => /^## (\d+)\. (.+)$/.exec(line)?.slice(1) ?? [])
    const numbers = headings.filter((_, index) => index % 2 === 0)
    const titles = headings.filter((_, index) => index % 2 === 1)

    expect(numbers).toEqual(SECTIONS.map((_, index) => String(index + 1)))
    // Ids never change, so this one keeps its first spelling.
    const spelled = (id: string) => id.replace('acknowledgement', 'acknowledgment')
    for (const [index, { id }] of SECTIONS.entries())
      expect(titles[index]?.toLowerCase().replaceAll(' ', '-').startsWith(spelled(id)), id).toBe(true)
  })

  it('keeps each case in the section of its requirement', () => {
    for (const { id, section, number } of CATALOGUE) {
      const place = SECTIONS.findIndex(({ id: other }) => other === section) + 1
      expect([id, number.split('.')[0]]).toEqual([id, String(place)])
    }
  })

  it('has the requirements of a section in the order of SPEC.md, each stated once', () => {
    const order = CATALOGUE.map(({ number }) => number)
    const stated = order.filter((number, index) => number !== order[index - 1])
    const inContract = CONTRACT.map(({ number }) => number as string).filter((number) => quoted.has(number))
    expect(stated).toEqual(inContract)
  })

  it('has the cases of a section together', () => {
    const order = CATALOGUE.map(({ section }) => section)
    expect(order.filter((section, index) => section !== order[index - 1])).toEqual(
      SECTIONS.map(({ id }) => id),
    )
  })

  it.each(SECTIONS.map(({ id }) => id))('has at least three cases in %s', (id) => {
    expect(CATALOGUE.filter(({ section }) => section === id).length).toBeGreaterThanOrEqual(3)
  })

  it('has at least 60 cases, each id once', () => {
    expect(CATALOGUE.length).toBeGreaterThanOrEqual(60)
    expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length)
  })

  it('numbers the requirements in order, each number once', () => {
    const numbers: string[] = CONTRACT.map(({ number }) => number)
    const inOrder = numbers.toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true }))

    expect(numbers).toEqual(inOrder)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect([...new Set(numbers.map((number) => number.split('.')[0]))]).toEqual(
      SECTIONS.map((_, index) => String(index + 1)),
    )
  })

  it('states for every MUST, and for nothing else, what it prevents', () => {
    for (const requirement of CONTRACT) {
      const { number, level } = requirement
      expect([number, 'prevents' in requirement]).toEqual([number, level === 'MUST'])
      if ('prevents' in requirement) expect(requirement.prevents, number).toMatch(/^[a-z].+[^.]$/)
    }
  })

  it('reads every normative sentence of SPEC.md, and no other', () => {
    const from = lines.indexOf('## 1. Transport')
    const to = lines.indexOf('## What cannot be tested from outside')
    const binding = lines.slice(from, to).filter((line) => /\b(MUST|SHOULD|MAY)\b/.test(line))

    expect(from).toBeGreaterThan(0)
    expect(to).toBeGreaterThan(from)
    expect(binding.map(withoutLinks)).toEqual(
      CONTRACT.map((requirement) => {
        const { number, sentence, source } = requirement
        const harm = 'prevents' in requirement ? ` *Prevents: ${requirement.prevents}.*` : ''
        return `- **${number}** ${sentence} *(${source})*${harm}`
      }),
    )
  })

  it('takes the level of a case from the one keyword in its sentence', () => {
    for (const { id, spec, level } of CATALOGUE)
      expect([id, spec.match(/\b(MUST|SHOULD|MAY)\b/g)]).toEqual([id, [level]])
  })
})

it('reduces a link in a source to its label', () => {
  const source =
    '[Interface 5.3](docs/interface.md#53-signature), rule 1, and [Interface 8](docs/interface.md#8)'
  expect(withoutLinks(source)).toBe('Interface 5.3, rule 1, and Interface 8')
})

describe('contract.ts', () => {
  it('is up to date with SPEC.md', async () => {
    const [text = ''] = (await generateContract()).values()
    const script = text.replaceAll(' as const', '').replaceAll('export const', 'const')
    const made = JSON.parse(
      String(runInNewContext(`${script}\nJSON.stringify({ CONTRACT, UNTESTABLE })`)),
    ) as unknown

    expect(made).toEqual({ CONTRACT, UNTESTABLE })
  })
})
