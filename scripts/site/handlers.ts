import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Example, readExamples } from '../examples/example.ts'

/** The languages in the order of the tabs; one that is not here follows. */
const LANGUAGES = ['JavaScript', 'TypeScript', 'Python', 'Go', 'Java', 'PHP', 'Ruby', 'Rust']

/** A page for each example: the graded file, its trap, how to run it, and its last grade. */
export function handlerPages(): Map<string, string> {
  const all = readExamples()
  const page = readFileSync('docs/examples.md', 'utf8')
  const first = all[0]
  if (first === undefined) throw new Error('there are no examples')
  return new Map([
    ['handlers/index.md', handlerPage(first, all, page)],
    ...all.map((example): [string, string] => [
      `handlers/${example.name}.md`,
      handlerPage(example, all, page),
    ]),
  ])
}

function handlerPage(example: Example, all: readonly Example[], table: string): string {
  const { title, language, name, folder, file, lines, packages, store } = example
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  // A paragraph, up to an empty line or the end.
  const [trap] = readme.split('**The trap:** ')[1]?.trim().split(/\n\n/) ?? []
  // With the text between two blocks, such as a second terminal.
  const commands = /^```sh\n[^]*^```$/m.exec(readme)?.[0]
  if (trap === undefined || commands === undefined)
    throw new Error(`${folder}/README.md lacks its trap or its commands`)
  return `---
title: ${JSON.stringify(`Webhook handler for ${title}`)}
outline: false
---

# Webhook handler for ${title}

${tabs(example, all)}

\`${file}\` is a complete receiver for **${title}**, ${lines} lines of ${language}: it verifies the signature over the raw
bytes, stores each event once (${store}), answers 200, and processes afterwards.

${gradeOf(name, table)}

::: warning The trap
${trap}
:::

<<< @/${folder}/${file}

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
  const languages = [...new Set([...LANGUAGES, ...all.map(({ language }) => language)])]
  const byLanguage = languages.flatMap((language) => {
    const examples = all.filter((example) => example.language === language)
    return examples.length === 0 ? [] : [{ language, examples }]
  })
  const rows = byLanguage.map(({ language, examples }) =>
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

const link = (text: string, name: string, isCurrent: boolean): string =>
  `[${text}](/handlers/${name})${isCurrent ? '{aria-current=page}' : ''}`
