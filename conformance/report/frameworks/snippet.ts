/** How to read the raw body in a framework, and to answer. */
export interface Snippet {
  /** The framework as people write it. */
  readonly title: string
  /** For highlighting in Markdown. */
  readonly language: string
  /** Three to six lines. */
  readonly code: string
}
