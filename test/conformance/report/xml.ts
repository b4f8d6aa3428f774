/** An element of an XML document. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  /** Its own text, without the text of its children. */
  readonly text: string
}

type Growing = { name: string; attributes: Record<string, string>; children: Element[]; text: string }

const TOKEN =
  /<\?xml[^?]*\?>|<!\[CDATA\[([^]*?)\]\]>|<\/([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy
/** The characters that XML 1.0 forbids, even as a reference. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Parses the part of XML 1.0 that reports use, strictly. @throws Error when the document is not well-formed */
export function parseXml(xml: string): Element {
  const forbidden = FORBIDDEN.exec(xml)
  if (forbidden !== null) throw new Error(`a character that XML forbids, at ${forbidden.index}`)
  const root: Growing = { name: '', attributes: {}, children: [], text: '' }
  const open: Growing[] = [root]
  let end = 0
  for (const match of xml.matchAll(TOKEN)) {
    const [all, cdata, closed, opened, attributes = '', empty, text] = match
    end = match.index + all.length
    const inside = open.at(-1) ?? root
    if (closed !== undefined) {
      if (open.pop()?.name !== closed) throw new Error(`</${closed}> closes another element`)
    } else if (opened !== undefined) {
      const element: Growing = { name: opened, attributes: attributesIn(attributes), children: [], text: '' }
      inside.children.push(element)
      if (empty === '') open.push(element)
    } else if (inside === root && (cdata ?? text?.trim() ?? '') !== '')
      throw new Error('text outside the root')
    else if (text?.includes(']]>') === true) throw new Error(']]> in text')
    else inside.text += cdata ?? resolved(text ?? '')
  }
  if (end !== xml.length) throw new Error(`not XML at ${end}: ${xml.slice(end, end + 40)}`)
  const [document, another] = root.children
  if (open.length !== 1 || document === undefined || another !== undefined)
    throw new Error('not one root element')
  return document
}

function attributesIn(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/([\w:.-]+)="([^"]*)"/g)) {
    if (name in found) throw new Error(`the attribute ${name} occurs twice`)
    found[name] = resolved(value)
  }
  return found
}

function resolved(text: string): string {
  return text.replace(/&([^;]*;?)/g, (reference, name: string) => {
    const code = /^#(?:x([0-9a-f]+)|(\d+));$/i.exec(name)
    const character =
      code === null
        ? ENTITIES[name.replace(/;$/, '')]
        : String.fromCodePoint(code[1] === undefined ? Number(code[2]) : Number.parseInt(code[1], 16))
    if (!name.endsWith(';') || character === undefined || FORBIDDEN.test(character))
      throw new Error(`${reference} is not a reference`)
    return character
  })
}
