/** A labeled text. */
export type Row = readonly [name: string, text: string]

/** Labeled texts below a title, the texts in one column. */
export function rows(title: string, all: readonly Row[]): string {
  return [title, ...all.map(([name, text]) => `  ${name.padEnd(13)}${text}`), ''].join('\n')
}

/** Several texts, with the name on the first line only. */
export function listed(name: string, texts: readonly string[]): Row[] {
  return texts.map((text, index) => [index === 0 ? name : '', text])
}
