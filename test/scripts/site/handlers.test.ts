import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readExamples } from '../../../scripts/examples/example.ts'
import { copiedWith } from '../../../scripts/site/handlers/copied-files.ts'
import { handlerPages } from '../../../scripts/site/handlers/pages.ts'
import { temporaryFolder } from '../../support/temporary.ts'

describe('the pages of handlers', () => {
  const pages = handlerPages()

  it('each show their graded file itself', () => {
    for (const { name, folder, file } of readExamples())
      expect(pages.get(`handlers/${name}.md`)).toContain(`<<< @/${folder}/${file}`)
  })

  it('show every file that the README says to copy, and how to install the packages', () => {
    const spring = pages.get('handlers/spring.md')
    expect(spring).toContain('with [3 other files](#the-other-files) to copy')
    for (const file of ['WebhooksApplication.java', 'schema.sql', 'application.properties', 'pom.xml'])
      expect(spring).toMatch(new RegExp(`^<<< @/examples/spring/(.*/)?${file}$`, 'm'))
    expect(pages.get('handlers/fastify.md')).toMatch(/^npm install .*fastify@\d/m)
    expect(pages.get('handlers/fastify.md')).not.toContain('to copy: it verifies')
    for (const [name, text] of pages)
      for (const [, file = ''] of text.matchAll(/^<<< @\/([^{\n]*).*$/gm))
        expect(existsSync(file), `${name}: ${file}`).toBe(true)
  })

  it('say how to install what the copied files import, or that it needs nothing', () => {
    for (const { name } of readExamples())
      expect(pages.get(`handlers/${name}.md`), name).toMatch(
        /^(?:(?:npm|pip) install|cargo add|go get|sudo apt-get install) |Take the dependencies from|It needs no packages/m,
      )
    expect(pages.get('handlers/sveltekit.md')).toMatch(/^npm install .*@sveltejs\/adapter-node@\d/m)
    expect(pages.get('handlers/axum.md')).toMatch(/^cargo add rusqlite@[\d.]+ --features bundled$/m)
  })

  it('have every paragraph of the README', () => {
    for (const { name, folder } of readExamples()) {
      const page = pages.get(`handlers/${name}.md`)?.replaceAll(/\s/g, '').toLowerCase()
      const text = readFileSync(`${folder}/README.md`, 'utf8').replaceAll(
        /^#.*|\*\*The trap:\*\*|\]\([^)]*\)/gm,
        '',
      )
      for (const sentence of text.split(/\n\n|\b(?=To\s+try\s+it)/)) {
        const words = sentence.replaceAll(/\s|\[/g, '').toLowerCase()
        expect(page?.replaceAll(/\]\([^)]*\)|\[/g, ''), `${name}: ${sentence}`).toContain(words)
      }
    }
  })

  it('create in Laravel the tables that the graded front controller creates', () => {
    const tablesOf = (path: string) =>
      readFileSync(path, 'utf8')
        .replaceAll('IF NOT EXISTS ', '')
        .match(/CREATE (?:TABLE|INDEX)[^;]*(?=;|'\))/g)
        ?.map((statement) => statement.replaceAll(/\s+/g, ' '))
    expect(tablesOf('examples/symfony/LARAVEL.md')).toHaveLength(3)
    expect(tablesOf('examples/symfony/LARAVEL.md')).toEqual(tablesOf('examples/symfony/index.php'))
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

describe('the files that a reader copies', () => {
  it.each<[file: string, line: string, imported: string]>([
    ['receiver.js', "import { store } from './store.js'", 'store.js'],
    ['lib/webhooks.js', "import { store } from '$lib/server/store.js'", 'lib/server/store.js'],
    ['receiver.ts', "const { store } = await import('../lib/store.js')", 'lib/store.ts'],
    ['webhooks/views.py', 'from .models import Delivery', 'webhooks/models.py'],
    ['receiver.rb', "require_relative 'store'", 'store.rb'],
    ['webhooks.php', "require_once __DIR__ . '/store.php';", 'store.php'],
    ['main.go', '//go:embed schema.sql', 'schema.sql'],
    ['src/main.rs', '    database.execute_batch(include_str!("schema.sql"))?;', 'src/schema.sql'],
    ['src/main.rs', 'mod receiver;', 'src/receiver.rs'],
    ['com/Receiver.java', '    private final Store store;', 'com/Store.java'],
  ])('include what they import: %s has %s', (file, line, imported) => {
    const folder = temporaryFolder()
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    write(file, `${line}\n`)
    write(imported, '')
    write(`node_modules/${imported}`, '')
    const copied = () => copiedWith({ folder, file, packages: {} })
    write('README.md', `# A\n\nCopy [it](${file}).\n`)
    expect(copied).toThrow(`README.md must link ${imported}, which a copied file imports`)
    write('README.md', `# A\n\nCopy [it](${file}) and [this](${imported}).\n`)
    expect(copied().files).toEqual([imported])
    write('README.md', `# A\n\nCopy [it](${file}), [this](${imported}) and [that](gone.txt).\n`)
    expect(copied).toThrow('README.md links gone.txt, which is missing')
  })
})
