import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readExamples } from '../../../scripts/examples/example.ts'
import { contractPages } from '../../../scripts/site/cases.ts'
import { handlerPages } from '../../../scripts/site/handlers.ts'
import { searchable } from '../../../site/.vitepress/search.mts'

describe('the pages of handlers', () => {
  const pages = handlerPages()

  it('each show their graded file itself', () => {
    for (const { name, folder, file } of readExamples())
      expect(pages.get(`handlers/${name}.md`)).toContain(`<<< @/${folder}/${file}`)
  })

  it('show every file that the README says to copy, and how to install the packages', () => {
    const spring = pages.get('handlers/spring.md')
    expect(spring).toContain('in 4 files')
    for (const file of ['WebhooksApplication.java', 'schema.sql', 'application.properties', 'pom.xml'])
      expect(spring).toMatch(new RegExp(`^<<< @/examples/spring/(.*/)?${file}$`, 'm'))
    expect(pages.get('handlers/fastify.md')).toMatch(/^npm install .*fastify@\d/m)
    expect(pages.get('handlers/fastify.md')).toContain('in one file')
    for (const [name, text] of pages)
      for (const [, file = ''] of text.matchAll(/^<<< @\/(.*)$/gm))
        expect(existsSync(file), `${name}: ${file}`).toBe(true)
  })

  it('say how Laravel uses the handler: its route, its binding and its tables', () => {
    const page = pages.get('handlers/symfony.md')
    for (const part of [
      '## In Laravel',
      "Route::post('/webhooks'",
      'app->bind(',
      'CREATE TABLE inbox',
      'is not graded',
    ])
      expect(page).toContain(part)
  })

  it('start the text of a trap with a capital letter or code', () => {
    for (const { name } of readExamples())
      expect(pages.get(`handlers/${name}.md`), name).toMatch(/^::: warning The trap\n[A-Z`]/m)
  })

  it('link to the files beside the example', () => {
    const url = 'https://github.com/hookproof/hookproof/blob/main/examples/symfony/php-fpm.conf'
    expect(pages.get('handlers/symfony.md')).toContain(`](${url})`)
    for (const [name, text] of pages) expect(text, name).not.toMatch(/\]\((?!\/|#|https:)/)
  })

  it('list each framework, and those whose mistakes are graded with another one', () => {
    const list = pages.get('_handlers.md')
    for (const { name, title } of readExamples()) expect(list).toContain(`[${title}](/handlers/${name})`)
    expect(list).toContain('[Laravel](/handlers/symfony)')
    expect(pages.get('handlers/symfony.md')).toContain(
      '# Webhook handler for Symfony HttpFoundation and Laravel',
    )
  })
})

describe('the index of the search', () => {
  it('has of a case its title, impact and fix, and neither its sample nor its frameworks', () => {
    const page = contractPages().get('cases/transport/chunked-in-two.md') ?? ''
    const text = searchable(page, 'site/pages/cases/transport/chunked-in-two.md')
    expect(page).toContain('## What is sent')
    expect(text).toContain('(case of requirement 1.5) {#chunked-in-two}')
    expect(text).toContain('**Fix:**')
    expect(text).not.toMatch(/## What|Django|POST \/webhooks/)
  })

  it('has the exports of the API without their members', () => {
    const page =
      '# m\n\n## Interfaces\n\n### A\n\nText of A.\n\n#### Properties\n\n##### b\n\nText.\n\n### C\n\nText of C.\n'
    expect(searchable(page, 'site/pages/api/m.md')).toBe(
      '# m\n\n## Interfaces\n\n### A\n\nText of A.\n\n### C\n\nText of C.\n',
    )
  })

  it('adds words to headings of the docs, and keeps their addresses', () => {
    const text = searchable(readFileSync('SPEC.md', 'utf8'), 'SPEC.md')
    expect(text).toContain(
      '## 3. Time window (timestamp too old, timestamp in the future) {#3-time-window}\n',
    )
    expect(() => searchable('# Another page\n', 'SPEC.md')).toThrow('the search finds no heading')
  })
})

it('no marker of a number starts a line of text: the paragraph would end before it, on GitHub too', () => {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`)
  const pages = ['README.md', 'receiver/README.md', 'SPEC.md', ...docs].filter((file) => file.endsWith('.md'))
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.filter((file) => /^<!-- [nw]:/m.test(readFileSync(file, 'utf8')))).toEqual([])
})
