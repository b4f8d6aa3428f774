import { type Bytes, type Form, text } from './form.ts'

const SAVE = 'Save the body byte for byte, and copy nothing else with it.'

/** What happens to a body that somebody copies from a log, a ticket or a terminal. */
export const COPIED: readonly Form<Bytes>[] = [
  text(
    'the whitespace between the parts of its JSON is removed',
    'A formatter added it, such as jq or an editor. Save the body byte for byte.',
    // A string, even one that never ends, is skipped in one step: the time stays linear.
    (body) => body.replace(/("(?:[^"\\]|\\[^])*"?)|\s+/g, '$1'),
  ),
  text('the quotation marks around it are removed', SAVE, (body) => /^(['`])([^]*)\1\s*$/.exec(body)?.[2]),
  text(
    'its quotation marks are straight',
    'A chat, a ticket or an editor made them curly. Save the body byte for byte.',
    (body) => body.replace(/[“”„]/g, '"').replace(/[‘’]/g, "'"),
  ),
  text(
    'the backslashes before its quotation marks are removed',
    'The body was copied out of a JSON string. Save the body byte for byte.',
    (body) => {
      if (!body.startsWith('{\\"')) return undefined
      try {
        const inside: unknown = JSON.parse(`"${body.trimEnd()}"`)
        return typeof inside === 'string' ? inside : undefined
      } catch {
        return undefined
      }
    },
  ),
  text(
    'the head of the request before it is removed',
    SAVE,
    (body) =>
      /^(?:[A-Z]+ \S+ HTTP\/[\d.]+|[\w-]+:[^\r\n]*)\r?\n(?:[\w-]+:[^\r\n]*\r?\n)*\r?\n([^]*)$/.exec(
        body,
      )?.[1],
  ),
]
