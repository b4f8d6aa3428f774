/** Truncates text that a sender chose to 80 characters, so that one value cannot fill a log line. */
export const short = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 80)}…`)
