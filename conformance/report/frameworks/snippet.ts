/** What a snippet can show; each topic is a part of a handler. */
export type Topic =
  /** Reads the raw body, which the signature covers. */
  | 'body'
  /** Computes the HMAC and compares it in constant time. */
  | 'hmac'
  /** Answers with the status that says why. */
  | 'status'
  /** Handles an event once. */
  | 'once'

/** The parts of a handler in a framework; each is a few lines. */
export interface Snippet {
  /** The framework as people write it. */
  readonly title: string
  /** For highlighting in Markdown. */
  readonly language: string
  /** The beginning of the handler, with the raw bytes in `body`. */
  readonly open: string
  /** Sets whether the signature is valid, from the entries `t` and `v1` of the header. */
  readonly hmac: string
  /** Answers with 400, 401 or 200; the first line with 400. */
  readonly status: string
  /** The end of the handler. */
  readonly close: string
  /** How far the lines of the handler are indented. */
  readonly indent: string
}

/** Code to show, with what it is for. */
export interface Example {
  readonly title: string
  readonly language: string
  readonly code: string
}

/** The part of a handler that shows the topics; the HMAC follows the raw body, which is read for it. */
export function exampleOf(
  { title, language, open, hmac, status, close, indent }: Snippet,
  topics: ReadonlySet<Topic>,
): Example {
  const wantsBody = topics.has('body')
  // What is missing is refused before anything is computed from it.
  const [missing = '', ...rest] = topics.has('status') ? status.split('\n') : []
  const parts = [missing, wantsBody || topics.has('hmac') ? hmac : '', ...rest].filter((part) => part !== '')
  if (!wantsBody) return { title, language, code: parts.join('\n') }
  const inside = parts.flatMap((part) => part.split('\n')).map((line) => `${indent}${line}`)
  return { title, language, code: [open, ...inside, close].filter((part) => part !== '').join('\n') }
}

/** A unique key, in the words of any SQL database with `ON CONFLICT`, such as Postgres and SQLite. */
export const ONCE: Example = {
  title: 'SQL',
  language: 'sql',
  code: `-- detail: amount_received of payment.partial, type of payment.refunded, otherwise ''
CREATE TABLE handled (payment_id TEXT, event TEXT, detail TEXT, PRIMARY KEY (payment_id, event, detail));
INSERT INTO handled VALUES ($1, $2, $3) ON CONFLICT DO NOTHING;
-- In one transaction with the effect: 1 row inserted: handle the event; 0 rows: answer 200 and do nothing.`,
}
