import { type Bytes, type Form, text } from './form.ts'

const SAVE = 'Save the body byte for byte, and copy nothing else with it.'

/** What happens to a body that somebody copies from a log, a ticket or a terminal. */
export const COPIED: readonly Form<Bytes>[] = [
  text(
    'the JSON has whitespace between its parts that was not signed',
    'A formatter added it, such as jq or an editor. Save the body byte for byte.',
    // A string, even one that never ends, is skipped in one step: the time stays linear.
    (body) => body.replace(/("(?:[^"\\]|\\[^])*"?)|\s+/g, '$1'),
  ),
  text('there are quotation marks around the body', SAVE, (body) => /^(['`])([^]*)\1\s*$/.exec(body)?.[2]),
  text(
    'the body has curly quotation marks',
    'A chat, a ticket or an editor made them curly. Save the body byte for byte.',
    (body) => body.replace(/[“”„]/g, '"').replace(/[‘’]/g, "'"),
  ),
  text(
    'there are backslashes before the quotation marks of the body',
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
    'the head of the request stands before the body',
    SAVE,
    (body) =>
      /^(?:[A-Z]+ \S+ HTTP\/[\d.]+|[\w-]+:[^\r\n]*)\r?\n(?:[\w-]+:[^\r\n]*\r?\n)*\r?\n([^]*)$/.exec(
        body,
      )?.[1],
  ),
]
