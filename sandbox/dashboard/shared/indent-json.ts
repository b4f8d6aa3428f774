import { isDeeper } from '../../http/depth.ts'

/** The longest JSON that is indented, in bytes. */
const LONGEST = 256 * 1024

/** How deep JSON is indented: each line of a deeper one starts with that many more spaces. */
const DEEPEST = 32

/** How much longer it may become. */
const MOST_INDENTED = 4

/**
 * Formats JSON with one field a line, in a limited time and size.
 * @returns undefined for other text, and for JSON that is too long or too deep
 */
export function indentJson(text: string): string | undefined {
  const bytes = Buffer.from(text)
  if (bytes.length > LONGEST || isDeeper(bytes, DEEPEST)) return undefined
  try {
    const indented = JSON.stringify(JSON.parse(text), null, 2)
    return indented.length > MOST_INDENTED * text.length ? undefined : indented
  } catch {
    return undefined
  }
}
