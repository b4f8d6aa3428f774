import { shellQuoted } from '../../fixtures/shell.ts'
import { isShortSecret, SECRET_VARIABLE, secretHider } from '../contracts/secret.ts'
import type { Mode } from '../contracts/webhook/model.ts'
import type { Target } from '../contracts/webhook/target.ts'
import { queryOf } from './redact.ts'

/** Arguments for a command that reproduces a failure. */
export interface ReproduceWith {
  /** True when the command has to start the receiver again. */
  readonly start?: boolean
  /** More arguments of `hookproof check`, such as `--start` and its command. */
  readonly check?: readonly string[]
  /** More arguments of `hookproof send`. */
  readonly send?: readonly string[]
}

/** What a command to reproduce a failure needs to know about the run. */
export interface Reproducible {
  readonly target: Target
  readonly seed: string
  readonly mode: Mode
  /** True when the run started the bundled receiver. */
  readonly started: boolean
  readonly reproduceWith: ReproduceWith
  /** The service, where it is not the payment service. */
  readonly service?: string | undefined
}

/** A word of a command, in pieces: text, or the value of an environment variable. */
type Word = string | readonly (string | Variable)[]

interface Variable {
  readonly variable: string
}

/**
 * The command that sends a case again, for a POSIX shell: the same events, with new signatures. Where the original has a
 * secret, it has an environment variable, and the shell names one that is not set.
 *
 * @param id the case
 * @param observed whether the case needs effects, so that only `check` reaches a verdict
 * @param shownBy the case whose deliveries show the failure, where `id` judges the entire run
 */
export function reproduce(id: string, observed: boolean, run: Reproducible, shownBy = id): string {
  const { target, seed, mode, started, reproduceWith, service } = run
  const only = [...new Set([id, shownBy])].flatMap((one) => ['--only', one])
  if (started) {
    return command(
      'check',
      '--bundled',
      ...only,
      '--seed',
      seed,
      ...(mode === 'live' ? ['--mode', 'live'] : []),
    )
  }
  const shared = sharedWords(target, seed, mode)
  const own = (word: Word) => withoutSecret(word, target.secret)
  const url = own(urlWord(target.url))
  const { start = false, check = [], send = [] } = reproduceWith
  const named = service === undefined ? [] : ['--service', service]
  return observed || start
    ? command('check', url, ...named, ...only, ...shared, ...check.map(argumentOf).map(own))
    : command('send', shownBy, url, ...named, ...shared, ...send.map(own))
}

/** The command that repeats a round of `hookproof crash`: the same moments and events, with new payment ids. */
export function reproduceCrash(
  round: number | undefined,
  run: Omit<Reproducible, 'started' | 'service'>,
): string {
  const { target, seed, mode, reproduceWith } = run
  const own = (word: Word) => withoutSecret(word, target.secret)
  return command(
    'crash',
    own(urlWord(target.url)),
    ...(round === undefined ? [] : ['--round', String(round)]),
    ...sharedWords(target, seed, mode),
    ...(reproduceWith.check ?? []).map(argumentOf).map(own),
  )
}

function sharedWords(
  { signatureHeader, isHeaderRenamed, headers }: Target,
  seed: string,
  mode: Mode,
): Word[] {
  return [
    '--seed',
    seed,
    ...(isHeaderRenamed === true ? ['--signature-header', signatureHeader] : []),
    ...headers.flatMap(([name]): Word[] => [
      '--header',
      [`${name}: `, { variable: variableOf('HEADER', name) }],
    ]),
    ...(mode === 'live' ? ['--mode', 'live'] : []),
  ]
}

/** A URL with its query; each value that may be a secret is a variable. */
function urlWord(url: URL): Word {
  const pieces = queryOf(url).flatMap(({ name, raw, hidden }, index) => [
    index === 0 ? '?' : '&',
    ...(hidden ? [`${name}=`, { variable: variableOf('QUERY', name) }] : [raw]),
  ])
  return [`${url.origin}${url.pathname}`, ...pieces]
}

/** An argument of an option that may itself be a URL with a query. */
function argumentOf(word: string): Word {
  return /^https?:\/\//.test(word) && URL.canParse(word) ? urlWord(new URL(word)) : word
}

/** `QUERY_ACCESS_TOKEN` for the query parameter `access-token`. */
function variableOf(kind: 'HEADER' | 'QUERY', name: string): string {
  return `${kind}_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`
}

/** A word with the signing secret as the variable from which the command reads it. */
function withoutSecret(word: Word, secret: string): Word {
  // A short secret is a word that may stand anywhere, and a variable in its place would disclose it.
  if (isShortSecret(secret)) return word
  // A value in another encoding cannot be replaced by the variable, and is only hidden.
  const hide = secretHider(secret)
  return piecesOf(word).flatMap((piece) =>
    typeof piece !== 'string'
      ? [piece]
      : piece
          .split(secret)
          .flatMap((text, index) =>
            index === 0 ? [hide(text)] : [{ variable: SECRET_VARIABLE }, hide(text)],
          ),
  )
}

function command(...words: Word[]): string {
  return `npx hookproof ${words.map(quoted).join(' ')}`
}

function quoted(word: Word): string {
  const merged = piecesOf(word).reduce<(string | Variable)[]>((before, piece) => {
    const last = before.at(-1)
    const isText = typeof piece === 'string' && typeof last === 'string'
    return isText ? [...before.slice(0, -1), last + piece] : [...before, piece]
  }, [])
  return merged
    .filter((piece) => piece !== '' || merged.length === 1)
    .map((piece) => (typeof piece === 'string' ? shellQuoted([piece]) : `"\${${piece.variable}:?}"`))
    .join('')
}

function piecesOf(word: Word): readonly (string | Variable)[] {
  return typeof word === 'string' ? [word] : word
}
