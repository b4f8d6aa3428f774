import type { ConformanceReport } from '../../schemas/types.ts'
import { grade, type Letter } from './grade.ts'
import { contractName, cutShort, isNarrowed } from './summary.ts'
import { escapeHtml } from './text.ts'
import { CONCLUSIONS } from './wording.ts'

/** White text on each of these colors has a contrast of at least 4.5 to 1. */
const COLORS: Readonly<Record<Letter, string>> = {
  'A+': '#1a7f37',
  A: '#1a7f37',
  B: '#8a6100',
  C: '#b04600',
  D: '#b04600',
  F: '#c01c28',
}

const UNGRADED = '#57606a'

/** Approximate widths of a letter and of a narrow character, in pixels. The text is stretched to fit, whatever the font. */
const LETTER_WIDTH = 6.6
const NARROW_WIDTH = 4.2
const PADDING = 8
const LABEL = 'hookproof'

/** The grade and the profile as a badge: an SVG file that loads nothing. */
export function renderBadge(report: ConformanceReport): string {
  const { letter } = grade(report)
  const narrowed = isNarrowed(report)
  const scope = narrowed ? 'part' : report.profile
  const short = cutShort(report)
  const message = short ?? `${letter} (${scope})`
  const tested = `${narrowed ? 'the selected cases' : `the ${report.profile} profile`} of contract ${contractName(report)}`
  const title = escapeHtml(
    `hookproof: ${short ?? `grade ${letter}`}, ${CONCLUSIONS[report.conclusion].toLowerCase()} in ${tested}`,
  )
  const [left, right] = [widthOf(LABEL), widthOf(message)]
  const width = left + right
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img" aria-labelledby="title">
<title id="title">${title}</title>
<clipPath id="round"><rect width="${width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="20" fill="#3d444d"/><rect x="${left}" width="${right}" height="20" fill="${short === undefined ? COLORS[letter] : UNGRADED}"/></g>
<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" text-anchor="middle">
${write(LABEL, left / 2)}
${write(message, left + right / 2)}
</g>
</svg>
`
}

function widthOf(text: string): number {
  const narrow = text.replace(/[^ ()fl]/g, '').length
  return Math.round((text.length - narrow) * LETTER_WIDTH + narrow * NARROW_WIDTH) + 2 * PADDING
}

function write(text: string, x: number): string {
  return `<text x="${x}" y="14" textLength="${widthOf(text) - 2 * PADDING}">${escapeHtml(text)}</text>`
}
