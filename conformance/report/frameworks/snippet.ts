/** What an example shows. */
export type Topic =
  /** Reads the raw body, verifies its signature and its age, and refuses with the status that says why. */
  | 'handler'
  /** Parses the verified body, and refuses what is not an event. */
  | 'parsing'
  /** Handles an event once. */
  | 'once'

/** Code in a framework or a language: an entire handler, or lines that stand inside one. */
export interface Snippet {
  /** The framework as people write it. */
  readonly title: string
  /** For highlighting in Markdown. */
  readonly language: string
  /** Needs only `secret`, and what every program in this framework has. */
  readonly code: string
}

/** Code to show, with the codes of the causes that it helps against. */
export interface Example extends Snippet {
  readonly causes: readonly string[]
}

/** A unique key, in the words of any SQL database with `ON CONFLICT`, such as Postgres and SQLite. */
export const ONCE: Snippet = {
  title: 'SQL',
  language: 'sql',
  code: `-- detail: amount_received of payment.partial, otherwise '' (a refund and a chargeback reverse a payment once)
CREATE TABLE handled (payment_id TEXT, event TEXT, detail TEXT, PRIMARY KEY (payment_id, event, detail));
INSERT INTO handled VALUES (?, ?, ?) ON CONFLICT DO NOTHING; -- $1, $2, $3 in most libraries for Postgres
-- In one transaction with the effect: 1 row inserted: handle the event; 0 rows: answer 200 and do nothing.`,
}
