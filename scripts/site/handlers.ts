import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Example, readExamples } from '../examples/example.ts'

/** The languages in the order of the tabs; one that is not here follows. */
const LANGUAGES = ['JavaScript', 'TypeScript', 'Python', 'Go', 'Java', 'PHP', 'Ruby', 'Rust']

/** A page for each example: the graded file, its trap, how to run it, and its last grade. */
export function handlerPages(): Map<string, string> {
  const all = readExamples()
  const page = readFileSync('docs/examples.md', 'utf8')
  if (all.length === 0) throw new Error('there are no examples')
  return new Map([
    ['_handlers.md', handlerList(all)],
    ['handlers/index.md', indexPage()],
    ...all.map((example): [string, string] => [
      `handlers/${example.name}.md`,
      handlerPage(example, all, page),
    ]),
  ])
}

function indexPage(): string {
  return `---
title: Webhook handlers
---

# Webhook handlers

Each one is a complete receiver in one file to copy. It verifies the signature over the raw bytes, stores each event once,
answers 200, and processes afterwards. The suite grades every one of them: see the [results](/matrix).

<!--@include: ../_handlers.md-->

For others, see [Frameworks and runtimes](/docs/frameworks) and the [libraries](/docs/libraries) that verify the same scheme.
`
}

/** The handlers by language, for the pages that include it. */
function handlerList(all: readonly Example[]): string {
  const rows = byLanguage(all).map(({ language, examples }) => {
    const links = examples.flatMap(({ title, name, traps = [] }) => [
      `[${title}](/handlers/${name})`,
      ...alsoFor(traps).map((framework) => `[${framework}](/handlers/${name})`),
    ])
    return `| ${language} | ${links.join(' · ')} |`
  })
  return ['| language | handlers |', '| --- | --- |', ...rows, ''].join('\n')
}

/** The other frameworks whose mistakes are graded with an example: its code works there too. */
function alsoFor(traps: NonNullable<Example['traps']>): string[] {
  return [...new Set(traps.flatMap(({ framework }) => framework ?? []))]
}

function handlerPage(example: Example, all: readonly Example[], table: string): string {
  const { title, language, name, folder, file, lines, packages, store, traps = [] } = example
  const others = alsoFor(traps)
  const heading = `Webhook handler for ${[title, ...others].join(' and ')}`
  const files = `https://github.com/hookproof/hookproof/blob/main/${folder}`
  // Its links lead to files beside it, which are not on the site.
  const readme = readFileSync(join(folder, 'README.md'), 'utf8').replace(
    /\]\((?!#|[a-z]+:)([^)]*)\)/g,
    (_, file: string) => `](${files}/${file})`,
  )
  // A paragraph, up to an empty line or the end.
  const [trap] = readme.split('**The trap:** ')[1]?.trim().split(/\n\n/) ?? []
  // With the text between two blocks, such as a second terminal.
  const commands = /^```sh\n[^]*^```$/m.exec(readme)?.[0]
  if (trap === undefined || commands === undefined)
    throw new Error(`${folder}/README.md lacks its trap or its commands`)
  return `---
title: ${JSON.stringify(heading)}
aside: false
---

# ${heading}

${tabs(example, all)}

[\`${file}\`](#code) is a [graded](#the-grade) receiver for **${title}**, ${lines} lines of ${language}: it verifies the signature over the raw
bytes, stores each event once (${store}), answers 200, and processes afterwards.
${others.map((framework) => `\nThis handler is for **${framework}** too: the suite grades it with the usual mistake of ${framework}, which [Troubleshooting](/docs/troubleshooting) fixes.\n`).join('')}
::: warning The trap
${trap}
:::

<div id="code"></div>

<<< @/${folder}/${file}

## The grade

${gradeOf(name, table)}

## Try it and grade it

In [\`examples/${name}\`](https://github.com/hookproof/hookproof/tree/main/examples/${name}):

${commands}

Graded with ${Object.entries(packages)
    .map((entry) => entry.join(' '))
    .join(', ')}.
`
}

/** The last grade, from the table that \`npm run examples -- --write\` writes. */
function gradeOf(name: string, table: string): string {
  const cells = table
    .split('\n')
    .find((line) => line.includes(`](../examples/${name}/`))
    ?.split('|')
  const [result = 'not graded', time = ''] = cells?.slice(-3, -1).map((cell) => cell.trim()) ?? []
  const passed = result === 'conformant'
  return `::: ${passed ? 'tip' : 'danger'} ${passed ? 'Conformant' : result}
${passed ? 'Every case of the [full profile](/docs/cases) passes, recommendations included.' : ''} It acknowledged a delivery in ${time}. [All results](/matrix)
:::`
}

function tabs(current: Example, all: readonly Example[]): string {
  const rows = byLanguage(all).map(({ language, examples }) =>
    link(language, examples[0]?.name ?? '', language === current.language),
  )
  const frameworks = all
    .filter(({ language }) => language === current.language)
    .map(({ title, name }) => link(title, name, name === current.name))
  return [
    '<nav class="tabs" aria-label="Language">',
    rows.join('\n'),
    '</nav>',
    '<nav class="tabs" aria-label="Framework">',
    frameworks.join('\n'),
    '</nav>',
  ].join('\n\n')
}

function byLanguage(all: readonly Example[]): { language: string; examples: Example[] }[] {
  const languages = [...new Set([...LANGUAGES, ...all.map(({ language }) => language)])]
  return languages.flatMap((language) => {
    const examples = all.filter((example) => example.language === language)
    return examples.length === 0 ? [] : [{ language, examples }]
  })
}

const link = (text: string, name: string, isCurrent: boolean): string =>
  `[${text}](/handlers/${name})${isCurrent ? '{aria-current=page}' : ''}`
