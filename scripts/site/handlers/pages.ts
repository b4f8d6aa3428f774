import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slug } from 'github-slugger'
import { filled } from '../../../cli/shared/template.ts'
import { type Example, readExamples } from '../../examples/example.ts'
import { lastGradeOf } from '../../examples/table.ts'
import { type CaseResults, readResults } from '../../shared/results.ts'
import { copiedWith } from './copied-files.ts'

/** The languages in the order of the tabs; one that is not here follows. */
const LANGUAGES = ['JavaScript', 'TypeScript', 'Python', 'Go', 'Java', 'PHP', 'Ruby', 'Rust']

/** A page for each example: the graded file, its trap, how to run it, and its last grade. */
export function handlerPages(): Map<string, string> {
  const all = readExamples()
  const results = readResults('examples')
  if (all.length === 0) throw new Error('there are no examples')
  return new Map([
    ['_handlers.md', handlerList(all)],
    ['handlers/index.md', readFileSync(new URL('../templates/handlers.md', import.meta.url), 'utf8')],
    ...all.map((example): [string, string] => [
      `handlers/${example.name}.md`,
      handlerPage(example, all, results[example.name]),
    ]),
  ])
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

function handlerPage(example: Example, all: readonly Example[], results: CaseResults | undefined): string {
  const { title, folder, packages, traps = [] } = example
  const others = alsoFor(traps)
  const heading = `Webhook handler for ${[title, ...others].join(' and ')}`
  const files = `https://github.com/hookproof/hookproof/blob/main/${folder}`
  // Its links lead to files beside it, which are not on the site.
  const readme = readFileSync(join(folder, 'README.md'), 'utf8').replace(
    /\]\((?!#|[a-z]+:)([^)]*)\)/g,
    (_, file: string) => `](${files}/${file})`,
  )
  const { files: wiring, manifest, install } = copiedWith(example)
  const { intro, grading, trap, more } = partsOf(folder, readme)
  return filled(new URL('../templates/handler.md.eta', import.meta.url), {
    ...example,
    heading,
    tabs: tabs(example, all),
    filesToo: filesToo(wiring.length),
    others: others.map((framework) => [framework, slug(`In ${framework}`)]),
    trap: `${trap[0]?.toUpperCase()}${trap.slice(1)}`,
    intro,
    installation: installation(install, manifest),
    filesBeside: filesBeside(folder, wiring, manifest),
    wiring: others.map((framework) => wiringIn(framework, folder)).join(''),
    grade: gradeOf(results),
    grading,
    more,
    packages: Object.entries(packages)
      .map((entry) => entry.join(' '))
      .join(', '),
  })
}

function filesToo(count: number): string {
  if (count === 0) return ''
  return `, with [${count === 1 ? 'another file' : `${count} other files`}](#the-other-files) to copy`
}

/** The parts of a README: what to copy, how to grade it, the trap, and what follows it. @throws Error if one is missing */
function partsOf(folder: string, readme: string) {
  const [before = '', after] = readme.trim().split('\n\n**The trap:** ')
  const [trap, ...more] = after?.split('\n\n') ?? []
  const start = before.search(/\bTo\s+try\s+it\b/)
  if (trap === undefined || start === -1 || !before.includes('```sh\n'))
    throw new Error(`${folder}/README.md lacks its trap or its commands`)
  const intro = before.slice(before.indexOf('\n'), start).trim()
  return {
    intro,
    grading: before.slice(start).replaceAll(/^(To[^:`]*):/g, oneLine),
    trap,
    more: more.join('\n\n'),
  }
}

const oneLine = (text: string) => text.replaceAll('\n', ' ')

function installation(install: string | undefined, manifest: string | undefined): string {
  if (install !== undefined) {
    const lead = install.startsWith('sudo') ? 'It is graded with the packages of Debian 12:\n\n' : ''
    return `${lead}\`\`\`sh\n${install}\n\`\`\``
  }
  return manifest === undefined
    ? 'It needs no packages.'
    : `Take the dependencies from [\`${manifest}\`](#the-packages).`
}

/** The other files that a reader copies, each folded, and the one from which to take the packages. */
function filesBeside(folder: string, wiring: readonly string[], manifest: string | undefined): string {
  const folded = (file: string) =>
    `::: details ${file}\n\n<<< @/${folder}/${file}${languageOf(file)}\n\n:::\n`
  return [
    ...(wiring.length === 0 ? [] : ['## The other files\n', ...wiring.map(folded)]),
    ...(manifest === undefined ? [] : ['## The packages\n', folded(manifest)]),
  ].join('\n')
}

/** The language in which to highlight a file whose ending does not say it. */
function languageOf(file: string): string {
  if (file.endsWith('nginx.conf')) return '{nginx}'
  if (file.endsWith('.conf')) return '{ini}'
  return file.endsWith('.ru') ? '{ruby}' : ''
}

/** How to use a handler in another framework, from a file beside it. @throws Error if there is none */
function wiringIn(framework: string, folder: string): string {
  const path = join(folder, `${framework.toUpperCase().replaceAll(/\W/g, '-')}.md`)
  if (!existsSync(path)) throw new Error(`${path} is missing: how does ${framework} use the handler?`)
  return `\n## In ${framework}\n\n${readFileSync(path, 'utf8')}`
}

/** The last grade, which `npm run examples -- --write` keeps. */
function gradeOf(results: CaseResults | undefined): string {
  const [result, time] = lastGradeOf(results)
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
