import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'

/** How a line names another file: an import, or a file that becomes part of the program. */
const IMPORT =
  /\b(?:import|from|require|require_once|require_relative|include|include_str|mod|use)\b|go:embed/
/** Folders of packages, builds and mistakes, none of which a reader copies. */
const OTHER_FOLDERS = /(?:^|\/)(?:node_modules|traps|target|build|dist|__pycache__|\.[^/]*)\//
const CODE = new Set(['.js', '.ts', '.py', '.go', '.rs', '.java', '.php', '.rb', '.sql'])

/**
 * The files of an example that its shown files import, and that are not shown.
 * @param shown paths inside the folder
 */
export function missingImports(folder: string, shown: readonly string[]): string[] {
  const texts = shown.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => CODE.has(extname(path)) && !OTHER_FOLDERS.test(path) && !shown.includes(path))
    .filter((path) => texts.some((by) => names(by, path)))
}

function names({ path: by, text }: { path: string; text: string }, path: string): boolean {
  const extension = extname(path)
  const name = basename(path, extension).replaceAll('+', String.raw`\+`)
  const word = new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`)
  // A class of the same package needs no import.
  if (extension === '.java' && extname(by) === '.java') return word.test(text)
  return text.split('\n').some((line) => IMPORT.test(line) && word.test(line))
}
